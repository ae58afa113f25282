"""The page of `ownership serve` in a real browser: groups that its user marks as dead, alive or in seki."""

import re

from tests.support.browser import RIGHT
from tests.support.page import ALL_IN_DOUBT, CONFIRMED, FINISHED, Page
from tests.support.paths import EXAMPLES


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
    assert (page.status, page.browser.text("#reason")) == ("Black wins by 4", CONFIRMED)
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


def test_the_stones_that_a_tap_would_change_have_an_outline(page: Page) -> None:
    def outlined() -> int:
        edges = page.browser.run("return document.querySelector('.outline')?.getAttribute('d') ?? ''")
        return int(edges.count("M"))

    page.load(FINISHED)
    page.browser.hover(page.point("C7"))
    page.wait(lambda: outlined() > 0)
    group = page.browser.run(f"return tappedAt({page.point('C7').get_attribute('data-point')}, cells()).length")
    assert 4 <= outlined() <= 4 * group
    page.mark("C7")
    assert page.browser.run("return claimsNow()[0].points.length") == group
    assert outlined() >= 4  # the tap that takes the mark back
    page.choose("play")
    page.browser.hover(page.point("C6"))
    page.wait(lambda: outlined() == 0)
    page.choose("judge")
    page.browser.run("pointWith('mouse')")
    page.browser.run("grid.buttons[40].focus()")
    page.browser.press(RIGHT)
    around = page.browser.run("return [pointed.keyboard, cells()[41].stone !== 0]")
    assert around[0] == 41
    assert (outlined() > 0) == around[1]


def test_seki_is_a_tool_of_its_own(page: Page) -> None:
    page.load(FINISHED)
    page.choose("seki")
    page.mark("G9")
    assert "White stone in seki" in page.label("G9")
    assert page.message.startswith("G9 is in seki now: ")
    page.mark("G9")
    assert page.label("G9") == "G9, White stone"
    assert page.browser.text("#reason") == CONFIRMED


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


def test_chains_beside_a_seki_are_marked_like_it(page: Page) -> None:
    page.load(EXAMPLES / "finished-19x19.sgf")
    page.choose("seki")
    page.mark("B9")
    for vertex in ("B9", "D13", "B17", "F11", "B6"):
        assert "stone in seki" in page.label(vertex)
    assert "which changes other groups too" in page.browser.text("#reason")
