"""Positions, network inputs and datasets for tests of networks and of training."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.counting.score import owners
from goban.position import Position
from ownership.inference.config import NetworkConfig
from preprocessing.dataset.rows import encode
from preprocessing.dataset.shards import write_shard
from preprocessing.features.planes import describe, parse_feature_set
from preprocessing.storage import Folder
from tests.support.random_games import board_of, random_game

Inputs = dict[str, NDArray[Any]]


def random_positions(side: int, count: int) -> list[Position]:
    """Positions reached by random games of different lengths."""
    positions = []
    for seed in range(count):
        game = random_game(side, seed, side * side * seed // count)
        position = Position.from_stones(board_of(side, game.setup))
        for point, colour in game.moves:
            position = position.play(point, colour, suicide=True)
        positions.append(position)
    return positions


def inputs(config: NetworkConfig, side: int, count: int) -> Inputs:
    """What a network of `config` reads for `count` random positions."""
    planes, chains = describe(random_positions(side, count), parse_feature_set(config.feature_set))
    return {"planes": planes, "chains": chains} if config.reads_chains else {"planes": planes}


def write_dataset(directory: Path, side: int = 7, games: int = 12) -> Path:
    """A dataset of random games, each point owned by the player who surrounds it; the last 4 for validation."""
    directory.mkdir()
    rows = []
    for seed in range(games):
        game = random_game(side, seed, 2 * side * side)
        position = Position.from_stones(board_of(side, game.setup))
        for point, colour in game.moves:
            position = position.play(point, colour, suicide=True)
        target = owners(position.stones, np.zeros((side, side), bool))
        rows.append(
            {
                "id": f"{seed:016x}",
                "side": side,
                "komi": 6.5,
                "counted_score": float(target.sum()) - 6.5,
                "setup": encode(*_columns(game.setup)),
                "moves": encode(*_columns(game.moves)),
                "target": target.astype(np.int8).tobytes(),
                "split": "validation" if seed >= games - 4 else "train",
                "reason": "",
            }
        )
    write_shard(Folder(directory), 0, rows)
    return directory


def _columns(stones: list[tuple[int, int]]) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    points, colours = zip(*stones, strict=True) if stones else ((), ())
    return np.array(points, np.int16), np.array(colours, np.int8)
