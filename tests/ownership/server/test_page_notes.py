"""The page of `ownership serve` in a real browser: notes on positions, and the way back from a variation."""

import json
import re

from tests.support.browser import BACKSPACE, CONTROL, ESCAPE
from tests.support.page import Page

RECORD = "(;SZ[7]KM[9]RU[Chinese]C[the start];B[dd];W[dc]C[the club's]N[kept];B[cc];W[bc](;B[bd])(;B[cd]C[a branch]))"


def write(page: Page, text: str) -> None:
    page.browser.find("#note").click()
    for keys in (f"{CONTROL}a", BACKSPACE, text, ESCAPE):
        page.browser.find("#note-text").send_keys(keys)
    page.settle()


def opened(page: Page, sgf: str, name: str = "club.sgf") -> None:
    page.browser.run(f"open(new Blob([{json.dumps(sgf)}]), {name!r})")
    page.wait(lambda: page.browser.text("h1") == name.removesuffix(".sgf"))
    page.settle()


def test_notes_in_the_game_and_its_variations_are_there_when_the_shared_record_is_opened(page: Page) -> None:
    opened(page, RECORD)
    page.browser.run("go(2)")
    page.settle()
    assert page.browser.text("#comment") == "the club's"
    write(page, "mine [1]\nand more")
    assert page.browser.text("#comment") == "mine [1]\nand more"
    page.choose("play")
    page.mark("E3")
    write(page, "a try")
    page.click_node("Variation 1 from move 5, 5: Black C4")
    write(page, "a better branch")
    page.browser.run("go(2)")
    page.settle()
    assert page.browser.text("#comment") == "mine [1]\nand more", "in all lines with the position"
    shared = page.saved("#share-sgf").decode()
    assert "C[the start]" in shared
    assert "N[kept]" in shared
    opened(page, shared, "again.sgf")
    texts = [line["comments"] for line in page.browser.run("return state.lines")]
    mine = {"0": "the start", "2": "mine [1]\nand more"}
    assert texts == [mine, {**mine, "3": "a try"}, {**mine, "5": "a better branch"}]


def test_a_note_stays_beside_an_analysis_and_can_be_undone(page: Page) -> None:
    page.paste("(;SZ[5]KM[0]RU[Chinese];B[cc];W[bb]C[old];B[cb])")
    page.wait(lambda: page.browser.text("#played") == "Move 3 of 3: Black C4")
    page.browser.run("go(2)")
    write(page, "new")
    page.review()
    sgf = page.saved("#share-analysis").decode()
    assert re.search(r"C\[new\n\nAnalysis with 50 visits:\n", sgf)
    assert "old" not in sgf
    page.browser.find("#undo").click()
    page.wait(lambda: page.browser.text("#comment") == "old")
    write(page, "")
    assert not page.browser.find("#notes").is_displayed()
    assert "C[old]" not in page.saved("#share-sgf").decode()


def test_marks_and_letters_are_drawn_kept_shared_and_taken_away_by_a_second_tap(page: Page) -> None:
    opened(page, "(;SZ[7]KM[9]RU[Chinese];B[dd]TR[aa];W[dc];B[cc])")
    page.browser.run("go(1)")
    page.settle()
    for tool, vertex in (("LB", "C5"), ("LB", "D4"), ("SQ", "E3"), ("SQ", "F2"), ("TR", "C2")):
        page.browser.find(f"#mark-tools [value={tool}]").click()
        page.mark(vertex)
    page.mark("A7")  # the record's triangle
    page.browser.find("#mark-tools [value=LB]").click()
    page.mark("F2")  # in place of the square
    shown = {"LB": [["C5", "A"], ["D4", "B"], ["F2", "C"]], "SQ": ["E3"], "TR": ["C2"]}
    assert page.browser.run("return gameNow().marks[1]") == shown
    assert page.browser.count(".marks .mark") == 5
    page.reload()
    assert page.browser.run("return gameNow().marks[1]") == shown
    assert page.browser.count(".marks .mark") == 5
    opened(page, page.saved("#share-sgf").decode(), "again.sgf")
    assert page.browser.run("return state.lines.map(({ marks }) => marks)") == [{"1": shown}]
    page.browser.run("go(1)")
    page.settle()
    page.browser.find("#mark-tools [value=LB]").click()
    page.mark("D4")
    assert page.browser.run("return gameNow().marks[1].LB") == [["C5", "A"], ["F2", "C"]]
    page.browser.find("#undo").click()
    page.settle()
    assert page.browser.count(".marks .mark") == 5
    assert page.browser.complaints() == []


def test_a_note_stays_after_a_reload(page: Page) -> None:
    page.browser.run("newBoard(5)")
    page.wait(lambda: page.browser.run("return board.side") == 5)
    page.choose("play")
    page.mark("C3")
    write(page, "the middle")
    page.reload()
    assert page.browser.text("#comment") == "the middle"
    assert b";B[cc]C[the middle]" in page.saved("#share-sgf").replace(b"\n", b"")


def test_a_button_leads_back_from_a_variation_to_the_move_of_the_game_where_it_begins(page: Page) -> None:
    opened(page, RECORD)
    page.browser.run("go(2)")
    page.choose("play")
    assert not page.browser.find("#to-game").is_displayed()
    for vertex in ("E3", "E4"):
        page.mark(vertex)
    assert page.browser.text("#played").startswith("Move 4 of 4")
    page.browser.find("#to-game").click()
    page.settle()
    assert page.browser.text("#played") == "Move 2 of 5: White D5"
    assert not page.browser.find("#to-game").is_displayed()
