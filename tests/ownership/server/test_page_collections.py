"""The page of `ownership serve` in a real browser: the list of the games in a file."""

import csv
import io
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from tests.support.browser import BACKSPACE
from tests.support.page import FINISHED, Page

WALLS = "AB[ca][cb][cc][cd][ce]AW[da][db][dc][dd][de]"
GAMES = (
    f"(;SZ[5]PB[An]BR[3d]PW[=Bo, 2]RE[B+5]KM[0]RU[Chinese]DT[2016-06-01]{WALLS};B[];W[])",
    f"(;SZ[5]PB[Cy]PW[An]KM[7]RU[Chinese]{WALLS};B[];W[])",
    "(;SZ[9]PB[Di];B[jk])",
    "(;SZ[9]PB[Ed];B[ee])",
)


def table(page: Page) -> list[list[str]]:
    """Return the rows that the list shows."""
    shown = "const rows = [...at('game-rows').rows].filter((row) => !row.hidden);"
    shown += "return rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    return [list(map(str, row)) for row in page.browser.run(shown)]


def opened(page: Page, path: Path, count: int) -> None:
    page.browser.find("#file").send_keys(str(path))
    page.wait(lambda: page.message == f"{path.name} holds {count} games: choose one from the list.")
    page.settle()


def test_the_games_of_a_collection_are_listed_counted_searched_and_saved(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.sgf"
    path.write_text("".join(GAMES))
    opened(page, path, 4)
    page.wait(lambda: page.browser.run("return counted.size") == 1)  # the game that is shown
    page.browser.find("#list-games").click()
    first = ["1", "2016-06-01", "An 3d", "=Bo, 2", "B+5", "B+5", "confirmed", "2"]
    assert table(page) == [
        first,
        ["2", "", "Cy", "An", "", "", "", "2"],
        ["3", "club.sgf#3: bad move: move 1: expected a point of a 9x9 board. Received: [jk]"],
        ["4", "", "Ed", "White", "", "", "", "1"],
    ]
    page.browser.find("#count-all").click()
    page.wait(lambda: page.browser.run("return counted.size") == 3)
    page.wait(lambda: page.browser.text("#count-all") == "Count all")
    second, fourth = table(page)[1], table(page)[3]
    assert second[5:7] == ["W+2", "safe"]
    assert fourth[6] == "not finished"
    page.browser.find("#search-games").send_keys("AN  w+")
    assert table(page) == [second]
    page.browser.find("#search-games").clear()
    page.browser.find("#search-games").send_keys("an")
    rows = list(csv.reader(io.StringIO(page.saved("#save-csv").decode())))
    assert page.saved_name == "club.csv"
    heads = ["Record", "Date", "Black", "White", "Recorded result", "Our count", "State", "Moves"]
    assert rows == [heads, [*first[:3], "'=Bo, 2", *first[4:]], second]
    page.browser.find("#game-rows tr:nth-child(2) button").click()
    page.wait(lambda: page.browser.text("h1") == "Cy – An")
    assert page.browser.count("dialog[open]") == 0
    page.browser.find("[data-beside='1']").click()
    page.wait(lambda: page.browser.text("h1") == "Ed – White")  # the third game cannot be read
    page.settle()
    assert page.browser.count("[data-beside='1']:disabled") == 1
    page.browser.find("[data-beside='-1']").click()
    page.wait(lambda: page.browser.text("h1") == "Cy – An")


def test_the_records_of_an_archive_are_listed_with_players_and_counted(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("read me.txt", "no game")
        archive.writestr("a/1.sgf", GAMES[1])
        archive.writestr("a/2.sgf", FINISHED.read_bytes())
    opened(page, path, 2)
    page.browser.find("#list-games").click()
    page.browser.find("#count-all").click()
    page.wait(lambda: page.browser.run("return counted.size") == 2 and not page.browser.run("return counting"))
    rows = table(page)
    assert rows[0][1].startswith("read me.txt: not SGF")
    assert rows[1] == ["a/1.sgf", "", "Cy", "An", "", "W+2", "safe", "2"]
    assert rows[2][5:] == ["B+4", "confirmed", "45"]


def test_the_games_of_collections_in_an_archive_are_listed_in_its_order(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"
    comment = "x" * 600_000  # so that the collection is larger than what the server reads in one request
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("a/1.sgf", "".join(GAMES))
        archive.writestr("b.sgf", GAMES[1])
        archive.writestr("c.sgf", f"(;SZ[5]PB[Fa]C[{comment}];B[cc])(;SZ[5]PB[Gu]C[{comment}];B[cc])")
    opened(page, path, 7)
    page.browser.find("#list-games").click()
    page.wait(lambda: len(table(page)) == 7)
    names = ["a/1.sgf#1", "a/1.sgf#2", "a/1.sgf#3", "a/1.sgf#4", "b.sgf", "c.sgf#1", "c.sgf#2"]
    assert [row[0] for row in table(page)] == names
    assert [row[2] for row in table(page)[3:]] == ["Ed", "Cy", "Fa", "Gu"]
    assert table(page)[2][1].startswith("a/1.sgf#3: bad move: ")
    page.browser.find("#search-games").send_keys("cy")
    page.browser.find("#count-all").click()
    page.wait(lambda: [row[5:7] for row in table(page)] == [["W+2", "safe"], ["W+2", "safe"]])
    page.browser.find("#search-games").send_keys(BACKSPACE * 2)
    rows = list(csv.reader(io.StringIO(page.saved("#save-csv").decode())))
    assert [row[0] for row in rows[1:]] == names
    page.browser.find("#game-rows tr:last-child button").click()
    page.wait(lambda: page.browser.text("h1") == "Gu – White")
    page.browser.find("[data-beside='-1']").click()
    page.wait(lambda: page.browser.text("h1") == "Fa – White")
    page.settle()
    page.reload()
    page.wait(lambda: page.browser.text("h1") == "Fa – White")
    page.browser.find("[data-beside='1']").click()
    page.wait(lambda: page.browser.text("h1") == "Gu – White")
    assert page.browser.run("return fileName('.sgf')") == "Gu - White.sgf"
    assert page.browser.run("return openedName()") == "c 2"


def test_an_archive_of_one_collection_lists_its_games(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("all.sgf", GAMES[0] + GAMES[1])
    opened(page, path, 2)
    assert page.browser.run("return [...at('games').options].map((each) => each.text)") == ["all.sgf#1", "all.sgf#2"]


def test_the_list_is_printed_whole_without_the_board(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.sgf"
    path.write_text(GAMES[1] * 60)
    opened(page, path, 60)
    page.browser.find("#list-games").click()
    page.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = "const it = document.querySelector('{}'); return it.checkVisibility() && it.getBoundingClientRect().bottom"
    ends = [page.browser.run(shown.format(each)) for each in ("main", "#game-rows tr:last-child", "#games-dialog")]
    page.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert not ends[0]
    assert 900 < ends[1] <= ends[2]
