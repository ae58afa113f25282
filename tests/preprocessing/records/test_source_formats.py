"""Records that are no SGF: GIB, NGF, and boards as text."""

import io
from pathlib import Path

import pytest

from goban.coords import BLACK, WHITE, gtp_name
from goban.diagram import render, rows
from preprocessing.records.sgf import RecordError, parse_game
from preprocessing.records.sources import BadRecord, parse_record, read_games
from tests.support.paths import ROOT
from tests.support.records import GIB, NGF


def vertices(data: bytes) -> list[str]:
    game = parse_record(data, "a")[0]
    return [gtp_name(point, game.side) for point in game.moves.tolist()]


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_a_record_of_tygem(encoding: str) -> None:
    data = GIB.encode(encoding)
    game, sgf = parse_record(data, "a.gib")
    assert vertices(data) == ["Q16", "D4", "pass", "T1"]
    assert (game.komi, game.result.text, game.date, game.name) == (6.5, "W+10.5", "2016-03-26", "升段赛")
    assert (game.player(BLACK), game.player(WHITE)) == ("黑木 2段", "白石 3段")
    assert parse_game(sgf).id == game.id


@pytest.mark.parametrize(
    ("old", "new", "attribute", "value"),
    [
        ("GRLT:1,ZIPSU:105", "GRLT:0,ZIPSU:20", "result.text", "B+2"),
        ("GRLT:1", "GRLT:3", "result.text", "B+R"),
        ("GRLT:1", "GRLT:4", "result.text", "W+R"),
        ("GRLT:1", "GRLT:7", "result.text", "B+T"),
        ("GRLT:1", "GRLT:8", "result.text", "W+T"),
        ("GRLT:1", "GRLT:255", "result.text", ""),
        ("GAMEINFOMAIN", "OTHER", "result.text", "W+11"),
        ("INI 0 1 0", "INI 0 1 3", "handicap", 3),
        ("GONGJE:65", "GONGJE:0", "komi", 0.0),
    ],
)
def test_fields_of_tygem(old: str, new: str, attribute: str, value: object) -> None:
    data = GIB.replace(old, new)
    found: object = parse_record(data.encode("gb18030"), "a.gib")[0]
    for name in attribute.split("."):
        found = getattr(found, name)
    assert found == value


def test_handicap_stones_of_tygem() -> None:
    data = GIB.replace("INI 0 1 0", "INI 0 1 3").replace("STO 0 2 1 15 3", "")
    game = parse_record(data.encode("gb18030"), "a.gib")[0]
    assert [gtp_name(int(point), 19) for point in game.setup.nonzero()[0]] == ["D16", "Q16", "D4"]
    assert (game.handicap_from, game.to_move) == ("", WHITE)


def test_a_record_of_cyberoro() -> None:
    game, sgf = parse_record(NGF.encode(), "a.ngf")
    assert vertices(NGF.encode()) == ["Q16", "D4", "pass"]
    assert (game.komi, game.result.kind, game.result.score, game.date) == (7.5, "counted", -2.5, "2017-03-16")
    assert (game.player(BLACK), game.player(WHITE)) == ("Jones 5d", "Smith 9p")
    assert parse_game(sgf).id == game.id


def test_a_handicap_of_cyberoro_has_the_komi_that_is_written() -> None:
    lines = NGF.splitlines()
    lines[5], lines[7] = "2", "0"
    game = parse_record("\n".join(lines).encode(), "a.ngf")[0]
    assert (game.handicap, game.komi, int(game.setup.sum())) == (2, 0.0, 2)


@pytest.mark.parametrize(
    ("data", "reason", "detail"),
    [
        (GIB.replace("18 18", "18 19"), "bad move", "STO 0 5 2 18 19"),
        (GIB.replace("INI 0 1 0", "INI 0 1 12"), "bad set-up", "2..9 on 19x19. Received: 12"),
        (NGF.replace("\n19\n", "\n99\n"), "bad side", "99"),
        (NGF.replace("PMACWEQQE", "PMACWZQQZ"), "bad move", "[yp]"),
        ("X O .\nX O .\n", "bad diagram", "Received: 3 columns and 2 rows"),
        ("X O . X\nX O\nX O . X\n", "not SGF", "other text"),
        ("some words", "not SGF", "other text"),
        (". X O\n. X O\n. X O\n", "bad set-up", "Received: none at C3"),
    ],
)
def test_why_a_file_cannot_be_used(data: str, reason: str, detail: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(data.encode(), "a.txt")
    assert caught.value.reason == reason and detail in str(caught.value)


BOARD = "XO.\n..X\nO.."
PLAIN = "X O .\n. . X\nO . ."
BOARDS = [
    BOARD,
    PLAIN,
    "# o +\n+ + #\no + +",
    "b w .\n. . b\nw . .",
    "● ○ ┼\n┼ ┼ ●\n○ ┴ ┘",
    "●○┐\n├┼●\n○┴┘",
    "x o , \n , . x \no - -",
    "   A B C\n 3 X O . 3\n 2 . . X 2\n 1 O . . 1\n   A B C",
    "3 X O .\n2 . . X\n1 O . .\n  A B C",
    "   A B C\n 3 X O . 3     WHITE (O) has captured 0 stones\n 2 . + X 2     BLACK\n 1(O). . 1\n",
    "$$B Black to play\n$$ -------\n$$ | X O . |\n$$ | , a B |\n$$ | @ . . |\n$$ -------\n",
    "+-----+\n|XO.|\n|..X|\n|O..|\n+-----+",
    "Black wins by 3\n\n3 X?O .?3\n2 . - x 2\n1 o + .?1\n\nX O stones   x o dead stones\n",
]


@pytest.mark.parametrize("text", BOARDS)
@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_a_board_as_text(text: str, encoding: str) -> None:
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        pytest.skip("the encoding has no such stones")
    game, sgf = parse_record(data, "board.txt")
    assert "\n".join(rows(game.position().stones)) == BOARD
    assert (game.to_move, game.komi_given, len(game.moves), game.rules) == (BLACK, False, 0, "")
    assert parse_game(sgf).position() == game.position()


LINES = "A line of words, as prose has them.\n"
NO_BOARDS = {
    "a page with an example": LINES * 15 + BOARD,
    "a log of dots": "..\n..\n",
    "a table without entries": ",,,\n,,,\n,,,\n",
    "a table in Markdown": "| a | b | c |\n|---|---|---|\n| - | - | - |\n| - | - | - |\n| - | - | - |\n",
    "a table in characters": "+---+---+\n| a | b |\n+---+---+\n+---+---+\n",
    "lines": "***\n***\n***\n",
    "short words": LINES * 15 + "wow\nbob\nboo\n",
    "two dashes in prose": LINES * 10 + "- -\n- -\n",
}


@pytest.mark.parametrize("kind", NO_BOARDS)
def test_a_text_that_is_no_board_is_no_record(kind: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse_record(NO_BOARDS[kind].encode(), "a.txt")
    assert caught.value.reason == "not SGF"


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "docs/python.md", "docs/serve.md", "pyproject.toml"])
def test_the_projects_own_texts_are_no_records(name: str) -> None:
    [found] = read_games(ROOT / name)
    assert isinstance(found, BadRecord) and found.source == str(ROOT / name)


@pytest.mark.parametrize("text", ["   A B C\n 3 . . .\n 2 . . .\n 1 . . .\n", f"{LINES * 5}\n{BOARD}\n\n{LINES * 4}"])
def test_a_board_among_some_words_is_one(text: str) -> None:
    assert parse_record(text.encode(), "a.txt")[0].side == 3


def test_files_of_every_format_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.gib").write_bytes(GIB.encode("gb18030"))
    (tmp_path / "b.NGF").write_bytes(NGF.encode())
    (tmp_path / "c.txt").write_text(PLAIN)
    found = [len(game.moves) for game in read_games(tmp_path) if not isinstance(game, BadRecord)]
    assert found == [4, 3], "boards only where they are named"
    assert [type(game).__name__ for game in read_games([tmp_path / "c.txt"])] == ["GameRecord"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode())))
    [game] = read_games("-")
    assert not isinstance(game, BadRecord) and render(game.position().stones, coordinates=False) == PLAIN
