"""Compile the kernels for this machine, once after installing.

Examples:
    ownership warm-up

See docs/install.md.
"""

import argparse

import numpy as np
from numba.core.event import install_recorder

from goban.counting.estimate import estimate
from goban.life import capture
from goban.move_flags import sensible_moves
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.search.mcts.warm_up import warm_up
from preprocessing.features.katago import katago_planes
from preprocessing.features.planes import FEATURE_SETS, describe
from preprocessing.records.sgf import parse_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership warm-up`: there are none."""


def run(arguments: argparse.Namespace) -> int:
    """Compile the kernels; return 0."""
    compile_kernels()
    return 0


def compile_kernels() -> bool:
    """Call every kernel that scoring and a GUI need, so that numba caches it; return whether any was compiled."""
    with install_recorder("numba:compile") as recorder:
        _call_kernels()
    return bool(recorder.buffer)


def _call_kernels() -> None:
    parse_game(b"(;SZ[9];B[ee])")
    position = Position.from_stones(Position.empty(9).play(40).stones)
    position.legal_moves()
    position.chains()
    sensible_moves(position)
    capture(9, position.stones.ravel().copy(), 40, np.array([39], np.int16), True, 1)
    describe([position], FEATURE_SETS["tactical"])
    katago_planes([position], [Terms(RULESETS["area"], 0.0)])
    warm_up()
    ownership = np.ones((9, 9), np.float32)
    for rules in ("area", "territory"):
        estimate(position, ownership, Terms(RULESETS[rules], 0.0))
