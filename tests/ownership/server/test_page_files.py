"""The page of `ownership serve` in a real browser: records in, files out."""

import re
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from PIL import Image

from game_records.registered_formats import ENDINGS
from game_records.sgf import parse_game
from tests.support.browser import DOWN
from tests.support.page import FINISHED, Page

NASTY = "</script><script>document.title='run'</script><img src=x onerror=document.title='run'>"
KO = "(;SZ[5]AB[ba][ab][bc]AW[ca][db][cc][bb]"


def test_a_record_is_shown_up_to_an_illegal_move(page: Page) -> None:
    page.paste("(;SZ[9];B[ee];W[cc];B[ee];W[gg])")
    page.wait(lambda: page.browser.text("#played") == "Move 2 of 2: White C7")
    why = "The record is read up to an illegal move: move 3, Black E5: the point is occupied."
    page.wait(lambda: page.browser.text("#message") == why)
    assert why in page.browser.text("#assumed")
    page.point("A1").click()
    page.wait(lambda: page.browser.text("#played") == "Move 3 of 3: Black A1")
    assert "illegal" not in page.browser.text("#assumed") + page.message


@pytest.mark.parametrize(
    ("record", "colour", "vertex", "reason"),
    [("(;SZ[9];B[ee];W[ee])", "white", "E5", "occupied"), (f"{KO};B[cb];W[bb])", "white", "B4", "ko")],
)
def test_the_reason_of_an_illegal_move_can_be_translated(
    page: Page, record: str, colour: str, vertex: str, reason: str
) -> None:
    page.browser.run(
        f"texts.{colour} = 'Weiß'; texts.record_{reason} = 'Zug {{move}}: {{colour}} {{vertex}} geht nicht.'"
    )
    page.paste(record)
    page.wait(lambda: page.browser.text("#message") == f"Zug 2: Weiß {vertex} geht nicht.")


def test_a_record_whose_first_move_is_illegal_is_shown_at_its_start(page: Page) -> None:
    page.paste("(;SZ[9]AB[cc];W[cc])")
    page.wait(lambda: page.browser.text("#message").endswith("move 1, White C7: the point is occupied."))
    assert page.label("C7").startswith("C7, Black stone")
    assert page.browser.text("#played") == "Start of the game"


def test_a_komi_of_0_that_servers_write_for_every_game_is_doubted(page: Page) -> None:
    doubt = "Komi 0, as the record says; some servers write it for every game"
    page.paste("(;SZ[9]KM[0]RU[Japanese]RE[W+R];B[ee];W[cc])")
    page.wait(lambda: doubt in page.browser.text("#assumed"))
    page.browser.run("at('komi').value = '6.5'; at('komi').dispatchEvent(new Event('change'))")
    page.wait(lambda: "komi 6.5" in page.browser.text("#points"))
    assert page.browser.text("#assumed") == ""


def test_hostile_records_are_text(page: Page) -> None:
    page.paste(f"(;SZ[9]PB[{NASTY}]GN[{NASTY}]C[{NASTY}]RE[{NASTY}];B[ee]C[{NASTY}])")
    page.wait(lambda: page.browser.text("#comment") == NASTY)
    assert page.browser.text("h1") == f"{NASTY} – White"
    assert page.browser.driver.title == f"{NASTY} – White · Score a game of Go"
    assert page.browser.count("img") == 0
    page.paste(f"(;{NASTY}")
    page.wait(lambda: "Pasted text: truncated: " in page.browser.text("#message"))
    found = page.browser.find("#new-dialog .message").text
    assert found.endswith("Expected: an SGF record, or a diagram, rows of X for Black, O for White and dots.")
    assert [entry for entry in page.browser.complaints() if "400" not in entry["message"]] == []


def test_one_of_several_games_is_chosen(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.sgf"
    path.write_text("(;SZ[9]PB[An]PW[Bo]BR[3d]RE[W+1.5];B[ee])(;SZ[9];B[jk])(;SZ[5];B[cc];W[bb])")
    page.load(path)
    page.wait(lambda: "club.sgf holds 3 games" in page.browser.text("#message"))
    entries = page.browser.run("return [...at('games').options].map((each) => [each.text, each.disabled])")
    assert entries == [
        ["1. An 3d – Bo, W+1.5 after move 1", False],
        ["club.sgf#2: bad move: move 1: expected a point of a 9x9 board. Received: [jk]", True],
        ["3. Black – White, result unknown after move 2", False],
    ]
    page.browser.run("at('games').focus()")
    page.browser.press(DOWN)
    page.wait(lambda: page.browser.text("#played") == "Move 2 of 2: White B4")
    page.settle()
    page.browser.find("#undo").click()
    page.wait(lambda: page.browser.run("return at('games').value") == "1")
    page.paste("(;SZ[9])")
    page.wait(lambda: page.browser.run("return at('collection').hidden"))


def test_a_large_collection_is_listed_in_pieces(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.sgf"
    comment = "x" * 300_000  # so that four games are more than the server reads in one request
    path.write_text("".join(f"(;SZ[5]PB[{name}]C[{comment} \\] (;];B[cc])" for name in ("An", "Bo", "Cy", "Di")))
    page.load(path)
    page.wait(lambda: page.message == "club.sgf holds 4 games: choose one from the list.")
    entries = page.browser.run("return [...at('games').options].map((each) => each.text)")
    assert [entry.split(" – ")[0] for entry in entries] == ["1. An", "2. Bo", "3. Cy", "4. Di"]
    page.browser.run("at('games').value = 4; at('games').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.browser.text("h1") == "Di – White")


def test_games_that_the_list_leaves_out_are_counted(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.sgf"
    path.write_text("(;SZ[5])" * 5432)
    page.load(path)
    rest = "The list has the first 5,000; the other 432 are left out."
    whole = f"club.sgf holds 5,432 games: choose one from the list. {rest}"
    page.wait(lambda: page.message == whole)
    last = page.browser.run("const last = [...at('games').options].at(-1); return [last.text, last.disabled]")
    assert last == [rest, True]
    assert page.browser.count("#games option") == 5001


def test_the_records_of_an_archive_are_listed(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, black in (("a.sgf", "An"), ("sub/b.sgf", "Bo"), ("notes.pdf", "")):
            archive.writestr(name, f"(;SZ[5]PB[{black}];B[cc])")
    page.load(path)
    page.wait(lambda: page.message == "club.zip holds 2 games: choose one from the list.")
    assert page.browser.run("return [...at('games').options].map((each) => each.text)") == ["a.sgf", "sub/b.sgf"]
    page.browser.run("at('games').value = 2; at('games').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.browser.text("h1") == "Bo – White")
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(path.read_bytes()[:-30])
    page.browser.find("#file").send_keys(str(damaged))
    page.wait(lambda: page.message.endswith("damaged.zip: expected a zip archive. Received: one that is damaged."))


def test_the_records_of_an_archive_have_the_endings_of_all_formats(page: Page, tmp_path: Path) -> None:
    names = [f"game{ending}" for ending in (".sgf", ".SGF", *ENDINGS, ".txt")]
    with ZipFile(tmp_path / "club.zip", "w", ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, "(;SZ[5];B[cc])")
    page.load(tmp_path / "club.zip")
    assert page.browser.run("return [...at('games').options].map((each) => each.text)") == names


def test_bad_records_of_an_archive_do_not_hide_the_good_ones(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "club.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, data in (
            ("a.sgf", "no game"), ("b.txt", ". X O\n" * 3), ("c.sgf", "(;SZ[5]PB[Cy];B[cc])"), ("d.sgf", ""),
        ):  # fmt: skip
            archive.writestr(name, data)
    page.load(path)
    page.wait(lambda: page.message == "club.zip holds 2 games: choose one from the list.")
    assert page.browser.text("h1") == "Cy – White"
    listed = page.browser.run("return [...at('games').options].map((each) => [each.text, each.disabled])")
    assert [text.partition(": expected")[0] for text, _ in listed] == [
        "a.sgf: not SGF", "b.txt: bad set-up", "c.sgf", "d.sgf: empty",
    ]  # fmt: skip
    assert [disabled for _, disabled in listed] == [True, True, False, True]
    assert page.browser.count("[data-beside]:disabled") == 2
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("a.sgf", "no game")
    page.browser.find("#file").send_keys(str(path))
    page.wait(lambda: "a.sgf: not SGF" in page.message)
    assert page.browser.text("h1") == "Cy – White"


def test_a_diagram_is_pasted(page: Page) -> None:
    page.paste(". X O . .\n" * 5)
    page.wait(lambda: page.browser.run("return board.side") == 5)
    page.settle()
    assert page.browser.run("return shown.stones") == [".XO.."] * 5


def test_several_dropped_files_are_listed(page: Page) -> None:
    page.browser.run(
        "const dataTransfer = new DataTransfer();"
        "for (const name of ['a.sgf', 'b.sgf', 'c.png']) dataTransfer.items.add(new File(['(;SZ[9];B[ee])'], name));"
        "dispatchEvent(new DragEvent('drop', { dataTransfer }))"
    )
    page.wait(lambda: page.message == "What you dropped holds 2 games: choose one from the list.")
    assert page.browser.run("return [...at('games').options].map((each) => each.text)") == ["a.sgf", "b.sgf"]


def test_the_records_of_a_dropped_folder_are_listed(page: Page) -> None:
    page.browser.run("""
        const file = (name, text) => ({ isFile: true, name, file: (done) => done(new File([text], name)) });
        const folder = (name, ...inside) => ({
            isDirectory: true, name,
            createReader: () => ({ readEntries: (done) => done(inside.splice(0)) }),
        });
        const club = folder("club", file("a.sgf", "(;SZ[5])"), folder("old", file("b.sgf", "(;SZ[5]PB[Bo])")),
            file("read me.txt", "no game"), file("x.png", ""));
        const item = { kind: "file", webkitGetAsEntry: () => club };
        const event = new Event("drop");
        event.dataTransfer = { items: [item], getData: () => "" };
        dispatchEvent(event)""")
    page.wait(lambda: page.message == "club holds 2 games: choose one from the list.")
    page.browser.run("at('games').value = 2; at('games').dispatchEvent(new Event('change'))")
    page.wait(lambda: page.browser.text("h1") == "Bo – White")
    assert page.browser.complaints() == []


def test_an_error_names_the_file_and_what_it_is(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0(;x(;")
    page.browser.find("#file").send_keys(str(path))
    kept = "Not opened; board and score stay as they were. "
    found = f"{kept}board.png: not SGF: expected a game that begins with '(;'. Received: a binary file"
    page.wait(lambda: page.browser.text("#message") == found)
    path.write_bytes(b"(" * (3 << 20))
    page.browser.find("#file").send_keys(str(path))
    found = f"{kept}board.png: expected a file of at most 1 MiB. Received: 3 MiB."
    page.wait(lambda: page.browser.text("#message") == found)


def test_games_are_shared_as_sgf_picture_and_report(page: Page, tmp_path: Path) -> None:
    page.load(FINISHED)
    record = parse_game(page.saved("#share-sgf"))
    original = parse_game(FINISHED.read_bytes())
    assert (record.id, record.black, record.result.score) == (original.id, original.black, 4)
    assert (record.komi, record.rules) == (7, "chinese")
    assert re.search(rb"TB(\[\w\w\])+TW(\[\w\w\])+\)$", page.saved("#share-sgf"))
    (tmp_path / "board.png").write_bytes(page.saved("#share-png"))
    with Image.open(tmp_path / "board.png") as picture:
        assert picture.size == (1000, 1096)
        assert len(picture.convert("RGB").getcolors(1 << 20) or []) > 50
    page.browser.open(page.saved("#share-report").decode())
    assert page.browser.text("#played") == "Move 45 of 45: Black passes"
