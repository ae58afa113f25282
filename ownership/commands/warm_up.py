"""`ownership warm-up`: compile the rules once, so that no later command has to."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""


def run(_: argparse.Namespace) -> int:
    """Do once what scoring a game and serving a GUI does, so that numba writes the compiled kernels into its cache."""
    import numpy as np

    from goban.counting.estimate import estimate
    from goban.life import capture
    from goban.position import Position
    from goban.rulesets import RULESETS, Terms
    from ownership.search.candidates import sensible_moves
    from preprocessing.features.planes import FEATURE_SETS, describe
    from preprocessing.records.sgf import parse_game

    parse_game(b"(;SZ[9];B[ee])")
    position = Position.from_stones(Position.empty(9).play(40).stones)
    position.legal_moves()
    position.chains()
    sensible_moves(position)
    capture(9, position.stones.ravel().copy(), 40, np.array([39], np.int16), True, 1)
    describe([position], FEATURE_SETS["tactical"])
    ownership = np.ones((9, 9), np.float32)
    for rules in ("area", "territory"):
        estimate(position, ownership, Terms(RULESETS[rules], 0.0))
    return 0
