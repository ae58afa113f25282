"""The page of `ownership serve` in a real browser: moves that its user plays, positions that its user sets up."""

from tests.support.browser import ENTER
from tests.support.page import FINISHED, Page


def test_moves_are_played_by_clicking_and_captures_follow(page: Page) -> None:
    page.browser.run("newBoard(5)")
    page.wait(lambda: page.browser.run("return board.side") == 5)
    page.choose("play")
    page.settle()
    assert (page.status, page.browser.text("#reason"), page.browser.text("#points")) == ("Start", "", "")
    for vertex in ("B1", "A1", "A2"):  # Black captures the corner
        page.point(vertex).click()
    page.settle()
    assert (page.label("A1").split(",")[1], page.label("A2").split(",")[1]) == (" empty", " Black stone")
    page.point("A2").click()
    page.settle()
    assert page.browser.text("#message") == "Move 4, White A2, is illegal: the point is occupied."
    assert page.browser.count(".stones circle") == 2
    page.browser.find("#pass").click()
    page.wait(lambda: page.browser.text("#played") == "Move 4 of 4: White passes")
    assert page.browser.text("#message") == ""


def test_what_the_rules_forbid_is_named_in_words_of_the_game(page: Page) -> None:
    page.paste("(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb];B[cb])")
    page.wait(lambda: page.browser.text("#played") == "Move 1 of 1: Black C4")
    page.settle()
    for tool, vertex, message in (
        ("play", "B4", "Move 2, White B4, is illegal: the point is forbidden by ko."),
        ("play", "C4", "Move 2, White C4, is illegal: the point is occupied."),
        ("white", "A5", "White A5 cannot be set up: a chain would have no liberties."),
    ):
        page.choose(tool)
        page.point(vertex).click()
        page.settle()
        assert page.browser.text("#message") == message
    assert page.browser.text("#played") == "Move 1 of 1: Black C4"
    assert page.browser.complaints() == []


def test_a_position_is_set_up_by_clicking(page: Page) -> None:
    page.browser.find("[data-dialog='new-dialog']").click()
    page.browser.run("at('side').value = ''")
    page.browser.find("#side").send_keys("5", ENTER)
    page.wait(lambda: page.browser.run("return board.side") == 5)
    for tool, column in (("black", "B"), ("white", "D")):
        page.choose(tool)
        for row in range(1, 6):
            page.point(f"{column}{row}").click()  # faster than the server answers
    page.settle()
    assert page.browser.run("return shown.stones") == [".X.O."] * 5
    page.choose("erase")
    page.point("B3").click()
    page.settle()
    assert page.browser.run("return shown.stones")[2] == "...O."
    page.browser.find("#undo").click()
    page.browser.find("#both-pass").click()
    page.wait(lambda: page.status == "Draw")
    page.settle()
    assert page.browser.run("return document.querySelector('[name=tool]:checked').value") == "judge"
    asks = "The komi, which is assumed, decides the winner: enter it under the rules."
    assert page.browser.text("#reason").endswith(asks)
    assert page.browser.count("#terms.asked") == 1
    page.browser.run("at('komi').value = 0.5; at('komi').dispatchEvent(new Event('change'))")
    page.wait_for("White wins by 0.5")
    assert asks not in page.browser.text("#reason")
    assert page.browser.count("#terms.asked") == 0


def test_setting_up_tells_that_the_moves_are_gone(page: Page) -> None:
    page.load(FINISHED)
    page.choose("erase")
    page.point("A9").click()  # empty
    page.settle()
    assert page.browser.text("#played") == "Move 45 of 45: Black passes"
    page.point("C9").click()
    page.settle()
    message = "The position is set up without the moves of the game. Undo brings them back."
    assert page.browser.text("#message") == message
    page.browser.find("#undo").click()
    page.wait(lambda: page.browser.text("#played") == "Move 45 of 45: Black passes")


def test_no_nodes_of_the_tree_cover_each_other(page: Page) -> None:
    wrong = """
        let seed = 1;
        const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
        const wrong = [];
        for (let tree = 0; tree < 100; tree += 1) {
            const lines = [Array.from({ length: 20 }, (_, at) => [at % 2 ? -1 : 1, at])];
            for (let line = 1; line < 12; line += 1) {
                const from = lines[random(lines.length)];
                const after = random(from.length);
                const own = Array.from({ length: 1 + random(8) }, (_, at) => [1, 100 * line + at]);
                lines.push([...from.slice(0, after), ...own]);
            }
            const nodes = treeNodes(lines.map((moves) => ({ moves })));
            placeRows(nodes);
            const taken = new Set(nodes.map(({ ply, row }) => `${ply} ${row}`));
            const crossed = ({ ply, row, before }) => Array.from({ length: row - before.row }, (_, at) => row - at)
                .some((each) => taken.has(`${ply - 1} ${each}`));
            const rises = nodes.some(({ row, before }) => before && row < before.row);
            if (taken.size !== nodes.length || rises) wrong.push(tree);
            if (nodes.slice(1).some(crossed)) wrong.push(tree);
        }
        return wrong"""
    assert page.browser.run(wrong) == []


def test_marks_and_comments_stand_on_their_positions(page: Page) -> None:
    page.paste("(;SZ[5]CR[aa]LB[bb:x]C[start](;B[cc]SQ[cc]TR[dd](;W[aa]MA[bb])(;W[ee]LB[cc:9]C[other])))")
    page.wait(lambda: page.browser.count(".marks .mark") == 1)
    labels = "return [...document.querySelectorAll('.marks text.mark')].map((each) => each.textContent)"
    for node, marks, texts, comment in (
        ("Game, Start", 2, ["x"], "start"),
        ("Game, 1: Black C3", 2, [], ""),
        ("Variation 1 from move 2, 2: White E1", 1, ["9"], "other"),
    ):
        page.click_node(node)
        assert page.selected == node
        assert page.browser.count(".marks .mark") == marks
        assert page.browser.run(labels) == texts
        assert page.browser.text("#comment") == comment
    page.load(FINISHED)
    assert not page.browser.find("#tree").is_displayed()
