"""Records that break off: inside a value, without a last parenthesis, and before a move at no point of the board."""

import pytest

from game_records.game_record import GameRecord
from game_records.record_errors import RecordError
from game_records.registered_formats import parse_record
from game_records.sgf import parse_game
from game_records.sgf_collection import split_games
from goban.coords import WHITE
from tests.support.paths import EXAMPLES

WHOLE = (EXAMPLES / "finished-9x9.sgf").read_bytes()
ROOTS = ["GM[1]SZ[9]", "SZ[9]GM[1]", "FF[4]SZ[9]", "B[aa]", "PB[An]SZ[9]", " CA[UTF-8]\nSZ[9]", "GaMe[1]SiZe[9]"]
BROKEN = ["B[f", "C[a comment", "PB[An", "C[one line\nand another", "C[with \\] and (;) inside", "LB[aa:x][bb"]


def read(data: bytes, size: int = 1 << 16) -> list[GameRecord]:
    return [parse_game(game) for game in split_games(data[at : at + size] for at in range(0, len(data), size))]


@pytest.mark.parametrize("size", [1, 7, 1 << 16])
@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("broken", BROKEN)
def test_a_value_ends_where_the_next_game_begins(broken: str, root: str, size: int) -> None:
    good = f"(;{root};B[ee];W[cc])"
    data = f"{good}\n(;GM[1]SZ[9];B[dd];W[ff];{broken}\r\n{good}\n{good}".encode()
    games = read(data, size)
    lengths = 2 + root.count("B[aa]")
    assert [len(game.move_points) for game in games] == [lengths, 2, lengths, lengths]
    assert [game.broken_off for game in games] == [False, True, False, False]
    assert not games[1].unclosed and games[1].illegal_move is None


@pytest.mark.parametrize(
    "comment",
    ["a smile\n(; and more", "written so:\n(;GM[1\\]SZ[9\\];B[aa\\])", "(;GM[1 on one line", "\n(;GM[", "\n( ;"],
)
def test_a_comment_about_records_goes_on(comment: str) -> None:
    [game] = read(f"(;SZ[9];B[ee]C[{comment}];W[cc])".encode())
    assert (len(game.move_points), game.broken_off) == (2, False)


def test_a_letter_of_two_bytes_hides_no_game() -> None:
    data = "(;GM[1]SZ[9]CA[Shift_JIS]PB[申真ソ];B[dd]C[表\n(;GM[1]SZ[9];B[ee];W[cc])".encode("shift_jis")
    assert [len(game.move_points) for game in read(data)] == [1, 2]


@pytest.mark.parametrize("value", ["dundefined", "NaN", "jk", "undefined", "zz", "R16"])
def test_a_game_ends_before_a_move_at_no_point_of_the_board(value: str) -> None:
    head, _, _ = WHOLE.rpartition(b";W[]")
    game = parse_game(head + f";W[{value}]TB[aa]C[end];B[])".encode())
    whole = parse_game(WHOLE)
    assert game.move_points.tolist() == whole.move_points.tolist()[:-2]
    assert (game.broken_off, game.unclosed, game.territory) == (True, False, None)
    assert str(game.illegal_move) == f"move {len(game.move_points) + 1}, White [{value}]: no point of the board"
    assert game.illegal_move is not None and game.illegal_move.colour == WHITE
    assert parse_game(game.to_sgf()).id == game.id


def test_an_illegal_move_comes_before_a_later_one_off_the_board() -> None:
    game = parse_game(b"(;SZ[9];B[ee];W[ee];B[zz])")
    assert (len(game.move_points), str(game.illegal_move)) == (1, "move 2, White E5: the point is occupied")


def test_a_first_move_off_the_board_is_no_game() -> None:
    with pytest.raises(RecordError, match=r"bad move: move 1: expected a point of a 9x9 board. Received: \[pd\]"):
        parse_game(b"(;SZ[9];B[pd];W[dd])")


@pytest.mark.parametrize(
    ("end", "unclosed"), [("", True), (" \n", True), (";", True), (";B", False), (";B[a", False), ("C[said]", True)]
)
def test_only_whole_properties_before_the_end_make_a_record_that_lacks_parentheses(end: str, unclosed: bool) -> None:
    game = parse_game(WHOLE.rstrip()[:-1] + end.encode())
    assert (game.broken_off, game.unclosed) == (True, unclosed)
    assert not parse_game(WHOLE).unclosed


@pytest.mark.parametrize(
    ("record", "broken_off"),
    [
        ("(;SZ[9];B[ee](;W[cc])(;W[dd]))", False),
        ("(;SZ[9];B[ee](;W[cc])(;W[dd]", False),
        ("(;SZ[9];B[ee](;W[cc](;B[gg])(;B[ff]))(;W[dd]))", False),
        ("(;SZ[9];B[ee](;W[cc]", True),
        ("(;SZ[9];B[ee](;W[cc]\n(;B[gg]", True),
    ],
)
def test_the_main_line_is_whole_whatever_follows_its_end(record: str, broken_off: bool) -> None:
    assert parse_game(record.encode()).broken_off is broken_off


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be", "utf-16"])
def test_utf_16_needs_no_mark(codec: str) -> None:
    text = "(;GM[1]SZ[9]CA[UTF-16]PB[古力]C[끝];B[ee];W[cc])\n(;GM[1]SZ[9];B[aa])"
    for size in (1, 5, 1 << 16):
        first, second = read(text.encode(codec), size)
        assert (first.black, first.comments[0], len(first.move_points), len(second.move_points)) == ("古力", "끝", 2, 1)
    assert parse_record(text.encode(codec), "a.sgf")[0].black == "古力"
