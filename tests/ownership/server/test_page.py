"""The page of `ownership serve` in a real browser: mouse, keyboard, finger and screen reader."""

import re
from concurrent.futures import Future

import pytest

from game_records.sgf import parse_game
from goban.counting.languages import LANGUAGES
from goban.rulesets import MAX_KOMI
from ownership.inference.evaluator import Evaluator
from ownership.report.page_texts import texts
from ownership.scoring.score_games import ScoredGame, ScoreOptions, score_games
from ownership.scoring.score_text import as_text
from ownership.server.app import create_app
from tests.support.browser import END, HOME, LEFT, RIGHT, SCHEME, Browser
from tests.support.page import Page, served
from tests.support.paths import ROOT

FINISHED = ROOT / "examples" / "finished-9x9.sgf"  # B+4 by Chinese rules
SAFE = "Safe to count: the game is finished, and no group depends on the next move or is in doubt."
READY = "Getting ready: compiling once for this machine, about a minute …"
# As if all stones of the answer that is shown were in doubt.
ALL_IN_DOUBT = """shown.in_doubt = cells().flatMap(({ stone }, point) =>
    (stone ? [{ points: [board.vertex(point)] }] : [])); describe(); draw()"""
SCORE = "document.querySelector('.score')"
CUT = (
    "return [...document.querySelectorAll('button, .button, .choice label')]"
    ".filter((each) => each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)"
)
SCREENS = (1440, 900), (1366, 650), (390, 844)
ENTER, DOWN = "\ue007", "\ue015"


def test_the_page_says_what_it_waits_for(bundled: Evaluator, browser: Browser) -> None:
    prepared: Future[None] = Future()
    with served(create_app(bundled, prepared=prepared)) as address:
        browser.visit(address)
        page = Page(browser)
        assert page.status in ("Evaluating the position …", READY)
        page.wait_for(READY)
        assert browser.count("#share:disabled") == browser.count("#sheet[hidden]") == 1
        prepared.set_result(None)
        page.wait(lambda: " leads by " in page.status)
        assert browser.count("#share:disabled") == 0


def test_a_finished_game_is_counted(page: Page) -> None:
    page.load(FINISHED)
    assert page.status == "Black wins by 4"
    assert page.browser.text("#reason") == SAFE
    assert page.browser.text("#points") == "Black 46, White 42 with komi 7, Chinese rules"
    sheet = page.browser.run(
        "return [...at('sheet').rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    assert sheet == [
        ["", "Black", "White"], ["Stones", "21", "19"], ["Territory", "25", "16"], ["Komi", "0", "7"],
        ["Total", "46", "42"],
    ]  # fmt: skip
    assert page.browser.text("#recorded") == "Recorded result: B+4.0, the same"
    stones = parse_game(FINISHED.read_bytes()).position().stones
    assert page.browser.count(".stones circle") == (stones != 0).sum()
    assert page.browser.run("return shown.rules") == "chinese"
    assert page.browser.complaints() == []


def test_terms_that_the_reader_chose_are_compared_by_those_of_the_record(page: Page) -> None:
    page.load(FINISHED)
    page.wait_for("Black wins by 4")
    page.browser.run("at('komi').value = '5.5'; at('komi').dispatchEvent(new Event('change'))")
    page.wait_for("Black wins by 5.5")
    same = "Recorded result: B+4.0, the same by the record's terms (Chinese, komi 7)"
    assert page.browser.text("#recorded") == same
    assert page.browser.text("#reason").startswith("Safe to count")
    page.browser.run("at('rules').value = 'japanese'; at('rules').dispatchEvent(new Event('change'))")
    page.wait_for("Black wins by 4.5")
    assert page.browser.text("#recorded") == same


def test_stepping_shows_the_score_of_every_position(page: Page, bundled: Evaluator) -> None:
    page.load(FINISHED)
    page.browser.press(HOME)
    [first] = score_games([parse_game(FINISHED.read_bytes())], bundled, ScoreOptions(move=0))
    assert isinstance(first, ScoredGame)
    page.wait_for(first.estimate.verdict)
    assert page.browser.count(".stones circle") == 0
    page.browser.press(RIGHT, RIGHT)
    page.wait(lambda: page.browser.text("#played") == "Move 2 of 45: White C6")
    page.settle()
    assert page.browser.count(".stones circle") == 2
    assert re.fullmatch(
        r"Not finished: \d+ of 81 points are uncertain; this is the expected score\. 90% interval \S+ to \S+\.",
        page.browser.text("#reason"),
    )
    page.browser.find("[data-step='Infinity']").click()
    page.wait_for("Black wins by 4")


def test_figures_are_rounded_as_in_the_terminal(page: Page, bundled: Evaluator) -> None:
    record = parse_game(FINISHED.read_bytes())
    page.load(FINISHED)
    for move in (4, 5):  # Black's 42.647 points are 42.6, and the interval W+37.325 to B+25.847 ends at B+25.8
        [scored] = score_games([record], bundled, ScoreOptions(move=move))
        assert isinstance(scored, ScoredGame)
        said = as_text(scored)
        page.browser.run(f"go({move})")
        [interval] = re.findall(r"90% interval: (\S+ to [^;]+)", said)
        page.wait(lambda interval=interval: f"90% interval {interval}." in page.browser.text("#reason"))  # type: ignore[misc]
        [points] = re.findall(r"Black \S+, White \S+ with komi", said)
        assert points in page.browser.text("#points")
    page.browser.run("at('komi').value = '3.75'; at('komi').dispatchEvent(new Event('change'))")
    page.browser.press(END)
    page.wait_for("Black wins by 7.25")
    assert page.browser.text("#points") == "Black 46, White 38.75 with komi 3.75, Chinese rules"
    assert page.browser.text("#sheet").endswith("Komi03.75Total4638.75")


def test_expected_points_by_territory_are_less_the_stones_still_played(page: Page) -> None:
    for rules, points in (
        ("Japanese", r"Black \S+, White \S+ with komi 6\.5, Japanese rules, less the stones that each still plays"),
        ("Chinese", r"Black \S+, White \S+ with komi 6\.5, Chinese rules"),
    ):
        page.paste(f"(;SZ[9]KM[6.5]RU[{rules}];B[ee];W[cc])")
        page.wait(lambda rules=rules: f"{rules} rules" in page.browser.text("#points"))  # type: ignore[misc]
        assert re.fullmatch(points, page.browser.text("#points"))


def test_a_tap_turns_a_group_dead_or_alive_and_the_same_tap_undoes_it(page: Page) -> None:
    page.load(FINISHED)
    assert page.label("C7") == "C7, dead White stone, Black's point"
    page.mark("C7")
    assert page.label("C7") == "C7, White stone"
    gained = re.fullmatch(r"C7 is alive now: \+(\d+) for White", page.message)
    assert gained
    assert page.status == f"White wins by {int(gained[1]) - 4}"
    assert f"this count gives White {gained[1]} points more" in page.browser.text("#recorded")
    page.mark("C7")
    assert page.message == f"C7 is dead now: +{gained[1]} for Black"
    assert (page.status, page.browser.text("#reason")) == ("Black wins by 4", SAFE)
    page.mark("G9")
    assert page.label("G9").startswith("G9, dead White stone")
    assert page.browser.text("#reason") == "Counted with the groups as you marked them."
    page.browser.find("#undo").click()
    page.settle()
    assert page.status == "Black wins by 4"


def test_a_tap_beside_the_groups_says_what_is_expected(page: Page) -> None:
    page.load(FINISHED)
    page.mark("A1")
    assert page.message == "A1 is empty: tap a stone of a group."
    assert page.browser.run("return claimsNow().length") == 0


def test_seki_is_a_tool_of_its_own(page: Page) -> None:
    page.load(FINISHED)
    page.choose("seki")
    page.mark("G9")
    assert "White stone in seki" in page.label("G9")
    assert page.message.startswith("G9 is in seki now: ")
    page.mark("G9")
    assert page.label("G9") == "G9, White stone"
    assert page.browser.text("#reason") == SAFE


def test_a_tap_marks_the_chains_that_empty_points_connect(page: Page) -> None:
    walls = "".join(f"AB[c{row}][f{row}]AW[g{row}]" for row in "abcdefghi")
    page.paste(f"(;SZ[9]KM[0]{walls}AW[bb][bh][ee];B[];W[])")
    page.wait_for("Black wins by 27")
    stones = ("B8", "B2", "E5")
    assert {page.label(vertex).split(", ")[1] for vertex in stones} == {"dead White stone"}
    page.choose("judge")
    page.mark("B8")
    labels = [page.label(vertex).split(", ")[1] for vertex in stones]
    assert labels == ["White stone", "White stone", "dead White stone"]


def test_a_mark_in_an_open_game_edits_the_estimate(page: Page) -> None:
    page.paste("(;SZ[9]KM[7];B[ee];W[cc];B[gg])")
    page.wait(lambda: page.browser.text("#played") == "Move 3 of 3: Black G3")
    page.wait(lambda: page.browser.run("return answers.size") == 1)  # the mean over the symmetries is shown
    expected = page.status
    page.choose("judge")
    page.point("E5").click()
    page.settle()
    assert page.status != expected
    assert " leads by " in page.status
    assert re.fullmatch(r"E5 is dead now: \+[\d.]+ for White", page.message)
    page.browser.run("undo()")
    page.settle()
    assert page.status == expected


def test_numbers_of_dead_stones_stand_on_their_crosses(page: Page) -> None:
    page.load(FINISHED)
    page.browser.find("#numbers").click()
    cross, edge, *marks = page.browser.run("return [...board.layer('marks').children].map((each) => each.tagName)")
    assert cross == edge == "path"
    assert (marks.count("rect"), marks.count("text")) == (2, 42)
    assert len(marks) == 44


def test_question_marks_and_rings_leave_numbers_readable(page: Page) -> None:
    def beside() -> list[tuple[float, float]]:
        circles = page.browser.run(
            "return [...board.layer('marks').querySelectorAll('circle')]"
            ".map(({ cx, cy }) => [cx.baseVal.value, cy.baseVal.value])"
        )
        return [(round(x - round(x - 0.1), 2), round(y - round(y + 0.1), 2)) for x, y in circles]

    page.load(FINISHED)
    page.browser.run(ALL_IN_DOUBT)
    page.browser.find("#numbers").click()
    assert set(beside()) == {(0.35, -0.35)}
    page.choose("seki")
    page.mark("C7")
    assert page.browser.count(".values circle") == page.browser.count(".values circle[r='0.46']") > 0


def test_the_page_names_twelve_gaps_and_counts_the_others(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("shown.gaps = Array.from({ length: 15 }, (_, point) => board.vertex(point)); describe()")
    assert re.search(r"seal at (\w\d, ){11}\w\d and 3 more; neither", page.browser.text("#reason"))


def test_chains_beside_a_seki_are_marked_like_it(page: Page) -> None:
    page.load(ROOT / "examples" / "finished-19x19.sgf")
    page.choose("seki")
    page.mark("B9")
    for vertex in ("B9", "D13", "B17", "F11", "B6"):
        assert "stone in seki" in page.label(vertex)
    assert "which changes other groups too" in page.browser.text("#reason")


def test_the_page_names_five_groups_in_doubt_and_counts_the_others(page: Page) -> None:
    page.load(ROOT / "examples" / "finished-19x19.sgf")
    page.browser.run(ALL_IN_DOUBT)
    chains = len(parse_game((ROOT / "examples" / "finished-19x19.sgf").read_bytes()).position().chains())
    named = r"((Black|White) at \w\d+, ){4}(Black|White) at \w\d+"
    assert re.search(rf"Look at {named} and {chains - 5} more\.", page.browser.text("#reason"))


def test_rules_and_komi_are_chosen_on_the_page(page: Page) -> None:
    page.load(FINISHED)
    page.browser.run("at('rules').value = 'japanese'; at('rules').dispatchEvent(new Event('change'))")
    page.wait(lambda: "Japanese rules" in page.browser.text("#points"))
    page.browser.find("#terms").click()
    page.browser.find("#komi").send_keys("0,5", ENTER)
    page.wait(lambda: "komi 0.5, Japanese" in page.browser.text("#points"))
    page.browser.run("undo()")
    page.browser.run("undo()")
    page.wait_for("Black wins by 4")
    for word in ("1000", "seven", "0x10"):
        page.browser.find("#komi").clear()
        page.browser.find("#komi").send_keys(word, ENTER)
        refused = f"Expected a komi from -{MAX_KOMI} to {MAX_KOMI}. Received: {word}."
        page.wait(lambda refused=refused: page.message == refused)  # type: ignore[misc]
    assert page.status == "Black wins by 4"
    page.browser.find("#komi").send_keys(str(-MAX_KOMI), ENTER)
    page.wait_for("Black wins by 411")


def test_moves_are_played_by_clicking_and_captures_follow(page: Page) -> None:
    page.browser.run("newBoard(5)")
    page.wait(lambda: page.browser.run("return board.side") == 5)
    page.choose("play")
    page.settle()
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
    page.browser.run("at('komi').value = 0.5; at('komi').dispatchEvent(new Event('change'))")
    page.wait_for("White wins by 0.5")


def test_setting_up_tells_that_the_moves_are_gone(page: Page) -> None:
    page.load(FINISHED)
    page.choose("erase")
    page.point("A9").click()  # empty
    page.settle()
    assert page.browser.text("#played") == "Move 45 of 45: Black passes"
    page.point("C9").click()
    page.settle()
    told = "The position is set up without the moves of the game. Undo brings them back."
    assert page.browser.text("#message") == told
    page.browser.find("#undo").click()
    page.wait(lambda: page.browser.text("#played") == "Move 45 of 45: Black passes")


def test_the_keyboard_reaches_every_point(page: Page) -> None:
    page.browser.run("grid.buttons[180].focus()")
    page.browser.press(RIGHT, DOWN, ENTER)
    page.settle()
    assert page.browser.text("#played") == "Move 1 of 1: Black L9"
    page.browser.press(HOME)
    assert page.browser.run("return document.activeElement.ariaLabel").startswith("A9, ")
    page.browser.press(LEFT)
    assert page.browser.run("return document.activeElement.ariaLabel").startswith("A9, ")
    assert page.browser.run("return document.querySelectorAll('#grid [tabindex=\"0\"]').length") == 1


def test_a_row_has_a_short_name(page: Page) -> None:
    names = [row.accessible_name for row in page.browser.driver.find_elements("css selector", "#grid [role='row']")]
    assert names == [f"Row {number}" for number in range(19, 0, -1)]


def touch(page: Page, element: str, kind: str, down: float | None = None) -> None:
    """Touch the middle of an element, or so many pixels below it; None: nothing any more."""
    box = page.browser.run(
        f"const box = at('{element}').getBoundingClientRect(); return [box.x, box.y, box.width, box.height]"
    )
    points = [] if down is None else [{"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 2 + down}]
    page.browser.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("element", ["grid", "graph"])
def test_a_swipe_over_board_and_graph_scrolls(element: str, page: Page, address: str) -> None:
    page.browser.visit(address, width=390, height=640)
    page.settle()
    page.load(ROOT / "examples" / "middlegame-19x19.sgf")
    before = page.browser.text("#played")
    top = page.browser.run("return scrollY")
    touch(page, element, "touchStart", 0)
    for step in range(1, 11):
        touch(page, element, "touchMove", -15 * step)
    touch(page, element, "touchEnd")
    page.wait(lambda: page.browser.run("return scrollY") > top + 20)
    assert page.browser.text("#played") == before


def test_a_tap_plays_or_goes_to_a_move(page: Page, address: str) -> None:
    page.browser.visit(address, width=390, height=640)
    page.settle()
    page.load(ROOT / "examples" / "middlegame-19x19.sgf")
    for kind, down in (("touchStart", 0), ("touchEnd", None)):
        touch(page, "graph", kind, down)
    page.wait(lambda: 35 < page.browser.run("return state.now") < 65)
    page.browser.run("newBoard(9); choose('play')")
    page.wait(lambda: page.browser.run("return board.side") == 9)
    for kind, down in (("touchStart", 0), ("touchEnd", None)):
        touch(page, "grid", kind, down)
    page.wait(lambda: page.browser.text("#played") == "Move 1 of 1: Black E5")


def test_what_is_first_needed_is_on_the_first_screen(page: Page) -> None:
    page.load(ROOT / "examples" / "finished-19x19.sgf")
    needed = (
        "#status",
        "#reason",
        "#board",
        "#graph",
        "#tools",
        "#undo",
        "[for=file], .menu .button",
        "#terms",
        "#share",
        ".views",
    )
    for width, height in SCREENS:
        page.browser.resize(width, height)
        for selector in needed:
            seen = page.browser.run(
                f"const box = document.querySelector({selector!r}).getBoundingClientRect();"
                "return [box.top >= 0, box.bottom <= innerHeight, box.left >= 0,"
                "  box.right <= innerWidth, box.width > 0]"
            )
            assert all(seen), (width, selector)
        board = page.browser.find("#board").rect
        assert board["width"] == pytest.approx(board["height"], abs=1)
        assert board["width"] >= (width if width < 500 else height - 130)


def test_nothing_moves_when_a_message_comes(page: Page) -> None:
    page.load(FINISHED)
    places = (
        "return ['#board', '#tools', '.views'].map((each) => document.querySelector(each).getBoundingClientRect().top)"
    )
    for width, height in SCREENS:
        page.browser.resize(width, height)
        before = page.browser.run(places)
        page.mark("G9")
        assert page.message != ""
        assert page.browser.run(places) == before
        page.browser.find("#undo").click()
        page.settle()


def test_the_page_fits_every_screen(page: Page) -> None:
    page.load(FINISHED)
    page.paste(f"(;SZ[19]PB[{'long' * 25}]GN[{'long' * 25}]C[{'long' * 99}];B[dd])")
    page.wait(lambda: page.browser.text("#comment") == "" and page.browser.run("return state.now") == 1)
    page.browser.press(HOME)
    for width in (320, 375, 768, 1280, 1920):
        page.browser.resize(width, 740)
        assert page.browser.run("return document.documentElement.scrollWidth") <= width
        for dialog in ("new", "terms", "share", "help"):
            page.browser.run(f"closeDialogs(); at('{dialog}-dialog').showModal()")
            edge = page.browser.run("return document.querySelector('dialog[open]').getBoundingClientRect().right")
            assert edge <= width, (width, dialog)
            low = page.browser.run(
                "return [...document.querySelectorAll("
                "'dialog[open] :is(a, button, select, input), .bar :is(button, label)')]"
                ".filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44).length"
            )
            assert low == 0, f"pixels that a finger needs, {dialog} at {width}"
            page.browser.find(f"#{dialog}-dialog .close").click()
            assert page.browser.count("dialog[open]") == 0


@pytest.mark.parametrize("name", LANGUAGES)
def test_the_page_fits_a_phone_in_every_language(name: str, page: Page, address: str) -> None:
    page.browser.visit(f"{address}?language={name}", width=390, height=844)
    page.settle()
    for example in ("finished-19x19.sgf", "middlegame-19x19.sgf"):
        page.load(ROOT / "examples" / example)
        assert page.browser.run(f"return {SCORE}.scrollHeight <= {SCORE}.clientHeight"), example
    page.load(FINISHED)
    for width, height in ((320, 568), (390, 664)):
        page.browser.resize(width, height)
        boxes = "return ['#board', '.bar'].map((each) => document.querySelector(each).getBoundingClientRect().toJSON())"
        board, bar = page.browser.run(boxes)
        assert board["top"] >= 0
        assert board["bottom"] <= bar["top"]
        assert board["width"] >= 288
        assert page.browser.run("return document.documentElement.scrollWidth") == width
        assert page.browser.run(CUT) == []
    page.browser.run("document.querySelectorAll('dialog').forEach((each) => each.show())")
    assert page.browser.run("return document.documentElement.scrollWidth") == 390
    assert page.browser.run(CUT) == []
    if name in ("zh", "ja", "ko"):
        named = set(re.findall("[A-Za-z]{4,}", "".join(texts(name).values())))
        assert page.browser.words() <= named | {"English", "Deutsch", "default", "fast"}


def test_a_long_dialog_opens_at_its_beginning_and_its_close_button_stays(page: Page, address: str) -> None:
    page.browser.visit(f"{address}?language=de", width=390, height=640)
    page.settle()
    page.browser.find("[data-dialog='help-dialog']").click()
    assert page.browser.run("return at('help-dialog').scrollTop") == 0
    page.browser.run("at('help-dialog').scrollTo(0, 9999)")
    assert page.browser.run("return at('help-dialog').scrollTop") > 0
    page.browser.find("#help-dialog .close").click()
    assert page.browser.count("dialog[open]") == 0


def test_what_the_server_refuses_is_said_in_the_language_of_the_page(page: Page, address: str) -> None:
    page.browser.visit(f"{address}?language=de")
    page.settle()
    page.browser.run("at('komi').value = '1000'; at('komi').dispatchEvent(new Event('change'))")
    assert page.message == "Erwartet: ein Komi von -400 bis 400. Erhalten: 1000."
    page.browser.run("change({ ...state, komi: '1000' })")
    page.wait(lambda: page.message == "Nicht möglich: komi: expected a number -400..400. Received: 1000")
    page.browser.run("fetch = async () => new Response('', { status: 503 }); change({ ...state, komi: '1' })")
    page.wait(lambda: page.message == "Der Server antwortet nicht. Läuft er noch?")


def test_an_unknown_result_is_not_shown(page: Page) -> None:
    page.paste("(;SZ[9]PB[An]DT[2026-01-02]RE[?];B[ee])")
    page.wait(lambda: page.browser.text("header .soft") == "2026-01-02")


def test_light_and_dark(page: Page, address: str) -> None:
    for scheme, bright in (("dark", False), ("light", True)):
        features = {"features": [SCHEME | {"value": scheme}]}
        page.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
        for element in ("document.body", "at('terms')"):
            colour = page.browser.run(f"return getComputedStyle({element}).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", colour)[:3])) > 600) == bright


def test_everything_has_a_name(page: Page) -> None:
    nameless = page.browser.run(
        "return [...document.querySelectorAll('button, input, select, textarea, a')]"
        ".filter((each) => !(each.ariaLabel || each.labels?.length || each.textContent.trim())).length"
    )
    assert nameless == 0
    assert page.browser.find("#status").get_attribute("role") == "status"
    assert page.browser.find("#message").get_attribute("role") == "alert"
