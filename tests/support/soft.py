"""Soft datasets of random positions with random labels."""

from pathlib import Path

import numpy as np

from game_datasets.columns import SOFT
from game_datasets.rows import (
    Row,
    encode_points,
    soft_ownership,
    soft_policy,
)
from game_datasets.shards import write_shard
from goban.position import Position
from goban.regions import owners
from runtime.folders import Folder
from tests.support.random_games import RandomGame, board_of, random_game


def soft_row(side: int, seed: int, *, known: bool = True) -> Row:
    """Return a row about a random position, whose points mostly go to who surrounds them; all columns if `known`."""
    random = np.random.default_rng(seed)
    game = random_game(side, seed, int(random.integers(2 * side * side)))
    position = position_of(game)
    ownership = 0.9 * owners(position.stones, np.zeros((side, side), bool)) + random.uniform(-0.1, 0.1, (side, side))
    row = {
        "source": f"random {seed}",
        "teacher": "hand",
        "side": side,
        "setup": _codes(game.setup),
        "moves": _codes(game.moves),
        "to_move": position.to_move,
        "rules": "area",
        "komi": 6.5,
        "ownership": soft_ownership(ownership),
    }
    label = {"lead": float(random.normal(0, 9)), "deviation": 5.0, "win_rate": 0.25}
    return row | ({**label, **soft_policy(random.dirichlet(np.ones(side * side + 1)))} if known else {})


def position_of(game: RandomGame) -> Position:
    """Return the last position of a game."""
    position = Position.from_stones(board_of(game.side, game.setup))
    for point, colour in game.moves:
        position = position.play(point, colour, suicide=True)
    return position


def _codes(stones: list[tuple[int, int]]) -> list[int]:
    points, colours = zip(*stones, strict=True) if stones else ((), ())
    codes: list[int] = encode_points(np.array(points, np.int16), np.array(colours, np.int8)).tolist()
    return codes


def write_soft_dataset(directory: Path, rows: list[Row]) -> Path:
    """Write rows as a soft dataset of two files."""
    directory.mkdir()
    write_shard(Folder(directory), 0, rows[: len(rows) // 2], SOFT)
    write_shard(Folder(directory), 1, rows[len(rows) // 2 :], SOFT)
    return directory
