"""Records that are no SGF: GIB, NGF, UGF, and boards as text."""

import io
from pathlib import Path

import pytest

from game_records.assumed_terms import assumed_terms
from game_records.record_errors import BadRecord, RecordError
from game_records.record_sources import read_games
from game_records.registered_formats import parse_record
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, gtp_name
from goban.rulesets import RULESETS
from goban.text_diagram import render_text, rows
from tests.support.paths import ROOT
from tests.support.records import GIB, GIB_2025, NGF, NGF_OF_SINA, UGF


def vertices(data: bytes) -> list[str]:
    game = parse_record(data, "a")[0]
    return [gtp_name(point, game.side) for point in game.move_points.tolist()]


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


def test_a_header_of_tygem_of_2025() -> None:
    game = parse_record(GIB_2025.encode(), "a.gib")[0]
    assert (game.date, game.name, game.komi, game.result.text) == ("2025-02-03", "club game", 6.5, "B+R")
    assert (game.player(BLACK), game.player(WHITE)) == ("bert 6k", "anna 3d")
    tag_alone = GIB_2025.replace("GDATE:2025-02-03-10-11-12,", "").replace("C2025-02-04-10", "C2025:02:04:10")
    assert parse_record(tag_alone.encode(), "a.gib")[0].date == "2025-02-04"


@pytest.mark.parametrize(
    ("level", "rank"), [(1, " 17k"), (17, " 1k"), (18, " 1d"), (26, " 9d"), (27, ""), (99, ""), ("", ""), ("x", "")]
)
def test_levels_of_tygem(level: object, rank: str) -> None:
    game = parse_record(GIB_2025.replace("BLV:12", f"BLV:{level}").encode(), "a.gib")[0]
    assert game.player(BLACK) == f"bert{rank}"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8"])
def test_a_record_of_sina(encoding: str) -> None:
    data = NGF_OF_SINA.encode(encoding)
    game = parse_record(data, "a.ngf")[0]
    assert vertices(data) == ["Q16", "D4", "pass"]
    assert (game.komi, game.date, game.name, game.result.text) == (6.5, "2006-09-05", "杯赛决赛", "B+R")
    assert (game.player(BLACK), game.player(WHITE)) == ("古力 1d", "柯洁 5d")


@pytest.mark.parametrize("encoding", ["cp932", "utf-8"])
def test_a_record_of_pandanet(encoding: str) -> None:
    data = UGF.encode(encoding)
    game, sgf = parse_record(data, "a.ugf")
    assert vertices(data) == ["R16", "D16", "Q4", "D4", "pass"]
    assert (game.komi, game.rules, game.result.text, game.date) == (6.5, "japanese", "B+7.5", "2020-01-02")
    assert (game.player(BLACK), game.player(WHITE), game.name) == ("加藤ソ 2k", "表貼 9-dan", "第46期,棋聖戦")
    assert parse_game(sgf).id == game.id and game.notes == ()


@pytest.mark.parametrize(
    ("old", "new", "attribute", "value"),
    [
        ("Winner=B,7.50", "Winner=W,C", "result.text", "W+R"),
        ("Winner=B,7.50", "Winner=W,T", "result.text", "W+T"),
        ("Winner=B,7.50", "Winner=D,0", "result.text", "0"),
        ("Winner=B,7.50", "Winner=", "result.text", ""),
        ("Hdcp=0,6.50", "Hdcp=0,-5.50", "komi", -5.5),
        ("Rule=JPN", "Rule=", "rules", "territory"),
        ("Rule=JPN", "Rule=CHN", "rules", "chinese"),
        ("Size=19", "Size=0", "reason", "bad side"),
        ("\n", "\r\n", "komi", 6.5),
    ],
)
def test_fields_of_pandanet(old: str, new: str, attribute: str, value: object) -> None:
    try:
        found: object = parse_record(UGF.replace(old, new).encode("cp932"), "a.ugf")[0]
    except RecordError as error:
        found = error
    for name in attribute.split("."):
        found = getattr(found, name)
    assert found == value


def test_rows_from_above_and_handicap_stones_of_pandanet() -> None:
    text = UGF.replace("CoordinateType=IGS", "CoordinateType=JPN").replace("Hdcp=0,6.50", "Hdcp=2,0")
    text = text.replace("[Data]\nQP,B1,1,0\n", "[Data]\nDD,B1,0,0\nPP,B1,0,0\n")
    game = parse_record(text.encode("cp932"), "a.ugi")[0]
    assert [gtp_name(int(point), 19) for point in game.setup.nonzero()[0]] == ["D16", "Q4"]
    assert [gtp_name(point, 19) for point in game.move_points.tolist()] == ["D4", "Q16"]
    assert (game.handicap, game.komi, str(game.illegal_move)[:6]) == (2, 0.0, "move 3")


@pytest.mark.parametrize("name", ["GIB", "GIB_2025", "NGF", "NGF_OF_SINA", "UGF"])
def test_servers_count_territory(name: str) -> None:
    data = {"GIB": GIB, "GIB_2025": GIB_2025, "NGF": NGF, "NGF_OF_SINA": NGF_OF_SINA, "UGF": UGF}[name]
    game = parse_record(data.encode(), "a")[0]
    assert RULESETS[game.rules].counting == "territory" and assumed_terms(game) == ()


@pytest.mark.parametrize(
    ("data", "written"),
    [
        (GIB.replace("18 18", "18 19"), "[STO 18 19]"),
        (NGF.replace("PMACWEQQE", "PMACWZQQZ"), "[yp]"),
        (UGF.replace("PD,B2", "PT,B2"), "[PT]"),
        (UGF.replace("PD,B2", "TP,B2"), "[TP]"),
    ],
)
def test_a_record_of_a_server_ends_before_a_move_off_the_board(data: str, written: str) -> None:
    game = parse_record(data.encode(), "a")[0]
    assert str(game.illegal_move).endswith(f"{written}: no point of the board") and len(game.move_points) > 0


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("White wins by 2.5!", "W+2.5"),
        ("黒中押し勝ち!", "B+R"),
        ("250수 흑7집승", "B+7"),
        ("Progressing!", "Progressing"),
    ],
)
def test_a_result_in_words_is_written_as_other_programs_read_it(words: str, text: str) -> None:
    game, sgf = parse_record(NGF.replace("White wins by 2.5!", words).encode(), "a.ngf")
    assert game.result.text == text and f"RE[{text}]".encode() in sgf


@pytest.mark.parametrize(
    ("data", "reason", "detail"),
    [
        (GIB.replace("INI 0 1 0", "INI 0 1 12"), "bad set-up", "2..9 on 19x19. Received: 12"),
        (NGF.replace("\n19\n", "\n99\n"), "bad side", "99"),
        ("X O .\nX O .\n", "bad diagram", "Received: 3 columns and 2 rows"),
        ("X O . X\nX O\nX O . X\n", "not SGF", "other text"),
        ("some words", "not SGF", "other text"),
        (UGF.partition("QP,")[0] + "@#!x\n", "bad syntax", "expected moves of UGF, such as QP,B1,1,0"),
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
    assert (game.to_move, game.komi_given, len(game.move_points), game.rules) == (BLACK, False, 0, "")
    assert (game.result.winner, game.result.kind) == (0, "unknown")
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
    (tmp_path / "d.ugf").write_bytes(UGF.encode("cp932"))
    (tmp_path / "e.UGI").write_bytes(UGF.encode("cp932"))
    found = [len(game.move_points) for game in read_games(tmp_path) if not isinstance(game, BadRecord)]
    assert found == [4, 3, 5, 5], "boards only where they are named"
    assert [type(game).__name__ for game in read_games([tmp_path / "c.txt"])] == ["GameRecord"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(PLAIN.encode())))
    [game] = read_games("-")
    assert not isinstance(game, BadRecord) and render_text(game.position().stones, coordinates=False) == PLAIN
