"""Random legal games, and tables of games, for tests and for benchmarks where there are no real games."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.position import Position

Stone = tuple[int, int]  # (flat index, colour); a pass is N * N


RANK = 9  # dan, of all players


class RandomGame(NamedTuple):
    """A game record: board side, stones set up, moves."""

    side: int
    setup: list[Stone]
    moves: list[Stone]


def random_game(side: int, seed: int, length: int) -> RandomGame:
    """Return a legal game of at most `length` moves with set-up stones, passes, suicides and moves out of turn."""
    random = np.random.default_rng(seed)
    position, setup = _random_setup(side, random)
    moves = []
    for _ in range(length):
        colour = position.to_move if random.random() < 0.9 else -position.to_move
        legal = np.flatnonzero(position.legal_points(colour, suicide=True))
        point = int(random.choice(legal)) if random.random() < 0.97 else side * side
        position = position.play(point, colour, suicide=True)
        moves.append((point, colour))
    return RandomGame(side, setup, moves)


def _random_setup(side: int, random: np.random.Generator) -> tuple[Position, list[Stone]]:
    points = random.choice(side * side, random.integers(0, side), replace=False)
    setup = [(int(point), int(random.choice([BLACK, WHITE]))) for point in points]
    try:
        return Position.from_stones(board_of(side, setup)), setup
    except InputError:  # a chain without liberties
        return Position.empty(side), []


def board_of(side: int, stones: Sequence[Stone]) -> NDArray[np.int8]:
    """Return int8 (N, N) with those stones."""
    board = np.zeros(side * side, np.int8)
    for point, colour in stones:
        board[point] = colour
    return board.reshape(side, side)


def game_table(games: Sequence[RandomGame], seed: int = 0) -> GameTable:
    """Return a table of the games with random targets."""
    sides = [game.side for game in games]
    targets = _offsets([side * side for side in sides])
    return GameTable(
        ids=[str(row) for row in range(len(games))],
        opening=np.arange(len(games), dtype=np.uint64),
        side=np.array(sides, np.int16),
        komi=np.full(len(games), 6.5, np.float32),
        score=np.zeros(len(games), np.float32),
        move_codes=_codes([game.moves for game in games]),
        move_offset=_offsets([len(game.moves) for game in games]),
        branch=np.full(len(games), -1, np.int16),
        setup=_codes([game.setup for game in games]),
        setup_offset=_offsets([len(game.setup) for game in games]),
        target=np.random.default_rng(seed).integers(-1, 2, targets[-1], np.int8),
        target_offset=targets,
        ranks=np.full((len(games), 2), RANK, np.int8),
        resigned=np.zeros(len(games), np.int8),
        dataset=np.zeros(len(games), np.int16),
    )


def branched_games(*branches: int) -> GameTable:
    """Return a table of games of 30 moves on 5x5 with these branches, -1 for none."""
    table = game_table([random_game(5, seed, 30) for seed in range(len(branches))])
    return replace(table, branch=np.array(branches, np.int16))


def _codes(lists: Sequence[Sequence[Stone]]) -> NDArray[np.int16]:
    return np.array([2 * point + (colour == WHITE) for each in lists for point, colour in each], np.int16)


def _offsets(lengths: Sequence[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)]).astype(np.int64)
