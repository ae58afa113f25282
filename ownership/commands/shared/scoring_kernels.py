"""The kernels that scoring needs, called once, so that a command says when they compile."""

from typing import Final

import numpy as np

from game_records.sgf import parse_game
from goban.coords import EMPTY
from goban.counting.estimate import estimate
from goban.position import Position
from goban.reading.reader import capture
from goban.regions import connected
from goban.rulesets import RULESETS, Terms
from goban.tactics import sensible_moves
from ownership.server.json_answers import describe
from planes.feature_sets import FEATURE_SETS

_FINISHED: Final = (0, 0, 0, -1, 1, 0, 0, 0, 0)  # each row of a board that is counted


def call_scoring_kernels() -> None:
    """Call every kernel that scoring needs."""
    parse_game(b"(;SZ[9];B[ee])").position()
    position = Position.from_stones(Position.empty(9).play(40).stones)
    position.legal_moves()
    position.chains()
    position.chain_at(40)
    connected(9, [40], position.flat == EMPTY, 1)
    sensible_moves(position)
    capture(9, position.flat, 40, np.array([39], np.int16), True, 1, 0)
    describe([position], FEATURE_SETS["tactical"])
    position = Position.from_stones(np.tile(_FINISHED, (9, 1)))
    ownership = np.tile(np.sign(np.arange(9) - 3).astype(np.float32), (9, 1))  # not sure of White's chain
    for rules in ("area", "territory"):
        estimate(position, ownership, Terms(RULESETS[rules], 0.0), ended=True)
