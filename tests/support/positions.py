"""Positions, network inputs and datasets for tests of networks and of training."""

import itertools
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from game_datasets.rows import Label, accepted_row
from game_datasets.shards import write_shard
from game_records.game_record import GameRecord
from game_records.result_property import Result
from goban.coords import BLACK
from goban.position import Position
from goban.regions import owners
from ownership.inference.network_config import NetworkConfig
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes_and_chains
from runtime.folders import Folder
from tests.support.random_games import RandomGame, board_of, random_game

Inputs = dict[str, NDArray[Any]]


def random_positions(side: int, count: int) -> list[Position]:
    """Positions reached by random games of different lengths."""
    games = (random_game(side, seed, side * side * seed // count) for seed in range(count))
    return [_last(game) for game in games]


def ko_positions(side: int, count: int) -> list[Position]:
    """Positions of random games in which a ko forbids a move."""
    games = (random_game(side, seed, 2 * side * side) for seed in itertools.count())
    kos = (position for game in games for position in _played(game) if position.ko >= 0)
    return list(itertools.islice(kos, count))


def _last(game: RandomGame) -> Position:
    return deque(_played(game), 1)[0]


def _played(game: RandomGame) -> Iterator[Position]:
    position = Position.from_stones(board_of(game.side, game.setup))
    yield position
    for point, colour in game.moves:
        position = position.play(point, colour, suicide=True)
        yield position


def inputs(config: NetworkConfig, side: int, count: int) -> Inputs:
    """What a network of `config` reads for `count` random positions."""
    planes, chains = planes_and_chains(random_positions(side, count), parse_feature_set(config.feature_set))
    return {"planes": planes, "chains": chains} if config.reads_chains else {"planes": planes}


def write_dataset(directory: Path, side: int = 7, games: int = 12, tests: int = 0) -> Path:
    """A dataset of random games, each point owned by the player who surrounds it; the last 4 for validation, `tests`
    before these for the test."""
    directory.mkdir()
    rows = []
    for seed in range(games):
        game = random_game(side, seed, 2 * side * side)
        position = _last(game)
        target = owners(position.stones, np.zeros((side, side), bool))
        label = Label(target.astype(np.int8), float(target.sum()) - 6.5, "stones")
        split = "validation" if seed >= games - 4 else "test" if seed >= games - 4 - tests else "train"
        rows.append(accepted_row(_record(game, seed), label) | {"split": split})
    write_shard(Folder(directory), 0, rows)
    return directory


def _record(game: RandomGame, seed: int) -> GameRecord:
    points, colours = zip(*game.moves, strict=True)
    return GameRecord(
        source=f"random {seed}",
        side=game.side,
        setup=board_of(game.side, game.setup).ravel(),
        to_move=BLACK,
        move_points=np.array(points, np.int16),
        move_colours=np.array(colours, np.int8),
        komi=6.5,
        handicap=0,
        rules="area",
        result=Result(0, None, "unknown", ""),
    )
