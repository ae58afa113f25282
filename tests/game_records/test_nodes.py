"""The moves of a node: their order, and the names of their properties."""

import pytest

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from game_records.sgf_tree import read_tree, write_tree
from goban.coords import BLACK, WHITE, gtp_name

ORDERS = [
    (";Black[aa]White[ba];Black[bb]White[ab]", ["X A3", "O B3", "X B2", "O A2"]),
    (";White[aa]Black[ba]", ["O A3", "X B3"]),
    (";W[aa]Bl[ba]", ["O A3", "X B3"]),
    (";BLack[aa]W[ba]", ["O B3"]),  # BL is Black's time
    (";W[aa]B[ba]W[ca]", ["O A3", "X B3", "O C3"]),
    (";B[aa]Black[ba]", ["X A3", "X B3"]),
    (";AddBlack[bb]Black[aa]", ["X A3"]),
    (";Black[aa]C[said]White[ba]", ["X A3", "O B3"]),
]


def moves(game: GameRecord) -> list[str]:
    played = zip(game.move_colours.tolist(), game.move_points.tolist(), strict=True)
    return [f"{'X' if colour == BLACK else 'O'} {gtp_name(point, game.side)}" for colour, point in played]


@pytest.mark.parametrize(("nodes", "expected"), ORDERS)
def test_moves_are_played_in_the_written_order(nodes: str, expected: list[str]) -> None:
    game = parse_game(f"(;SZ[3]{nodes})".encode())
    assert moves(game) == expected
    assert moves(parse_game(write_tree(read_tree(f"(;SZ[3]{nodes})".encode())))) == expected


def test_stones_by_a_long_name_are_set_up() -> None:
    game = parse_game(b"(;GaMe[1]FileFormat[3]SiZe[3]AddBlack[bb]AddWhite[aa]PlayerBlack[An];White[ca])")
    assert game.position(0).stones.tolist() == [[WHITE, 0, 0], [0, BLACK, 0], [0, 0, 0]]
    assert (game.black, moves(game)) == ("An", ["O C3"])


@pytest.mark.parametrize("name", ["l2SZ", "a1B", "x9AB"])
def test_what_is_no_name_becomes_no_other_one_when_it_is_written(name: str) -> None:
    data = f"(;SZ[5]{name}[9];B[ee])".encode()
    game, again = parse_game(data), parse_game(write_tree(read_tree(data)))
    assert (game.side, moves(game)) == (again.side, moves(again)) == (5, ["X E1"])
    assert f"{name}[9]" in game.notes[0]
