"""The kernels of all programs, called once each for numba to compile and keep them."""

from typing import Final

import numpy as np
from numba.core.event import install_recorder

from game_datasets.batches import replayed
from game_datasets.position_overlap import position_keys
from game_datasets.row_kernels import crowded_rows, misplayed_rows
from game_records.sgf import parse_game
from goban.coords import EMPTY
from goban.counting.estimate_position import estimate
from goban.move_effects import sensible_moves
from goban.position import Position
from goban.reading.capture_search import capture
from goban.regions import connected, protective_points
from goban.rollouts import roll_out
from goban.rulesets import RULESETS, Terms
from planes.feature_sets import FEATURE_SETS
from planes.katago_inputs import katago_planes
from planes.position_planes import planes_and_chains
from planes.replayed_planes import Draws, GameArrays

_FINISHED: Final = (0, 0, 0, -1, 1, 0, 0, 0, 0)  # each row of a board that is counted


def compile_kernels() -> bool:
    """Call every kernel of scoring, datasets, GUIs and players, for numba to cache it; return whether any compiled."""
    with install_recorder("numba:compile") as recorder:
        _call_kernels()
    return bool(recorder.buffer)


def call_scoring_kernels() -> None:
    """Call every kernel that scoring needs."""
    parse_game(b"(;SZ[9];B[ee])").position()
    position = Position.from_stones(Position.empty(9).play(40).stones)
    position.legal_points()
    position.chains()
    position.chain_at(40)
    connected(9, [40], position.flat == EMPTY, 1)
    sensible_moves(position)
    capture(9, position.flat, 40, np.array([39], np.int16), True, 1, 0)
    planes_and_chains([position], FEATURE_SETS["tactical"])
    position = Position.from_stones(np.tile(_FINISHED, (9, 1)))
    ownership = np.tile(np.sign(np.arange(9) - 3).astype(np.float32), (9, 1))  # not sure of White's chain
    for rules in ("area", "territory"):
        estimate(position, ownership, Terms(RULESETS[rules], 0.0), ended=True)


def _call_kernels() -> None:
    from ownership.search.mcts.tree_search import warm_up  # what only scores or labels needs no search

    call_scoring_kernels()
    katago_planes([Position.empty(9)], [Terms(RULESETS["area"], 0.0)])
    _check_game()
    _replay_game()
    roll_out(Position.empty(2), 1)
    warm_up()


def _check_game() -> None:
    """Check a row of a dataset, whose codes come read-only from Arrow, and the count of a finished game."""
    side, codes, ends = np.array([9]), np.array([2 * 40], np.int16), np.array([0, 1])
    codes.setflags(write=False)
    crowded_rows(side, codes, ends)
    misplayed_rows(side, codes, ends, codes, ends)
    protective_points(9, np.zeros(81, np.int8), np.zeros(81, np.int8))


def _replay_game() -> None:
    """Make the planes of a training batch, the last position of a game of one move, and the numbers of its positions.

    The arrays have the types of the arrays of `load_games`.
    """
    moves, setup, target = np.array([2 * 40], np.int16), np.zeros(0, np.int16), np.ones(81, np.int8)
    ends, branch, ranks = np.array([0, 1]), np.array([-1], np.int16), np.zeros((1, 2), np.int8)
    games = GameArrays(moves, ends, branch, setup, np.zeros(2, np.int64), target, 81 * ends, ranks)
    position_keys(games, np.array([9], np.int16))
    replayed(9, games, Draws(np.array([0]), np.array([1]), np.array([0])), FEATURE_SETS["tactical"])
