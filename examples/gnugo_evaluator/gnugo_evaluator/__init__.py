"""GNU Go as an evaluator: it plays a position to the end by area rules and removes the dead stones."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban.regions import owners
from ownership import Game, Prediction
from preprocessing.gnugo import GnuGo, GnuGoError


class GnuGoEvaluator:
    """The owner of each point at the end of GNU Go's play against itself.

    It plays at level 10 up to 11x11 and at level 1 on larger boards. A position that it does not finish in 30 seconds
    of processor time has no owners, nor has an empty board.
    """

    def evaluate(self, positions, *, terms):
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            return [Prediction(ownership=each) for each in pool.map(self._owners, positions, terms)]

    def _owners(self, position, terms):
        stones = position.stones
        if not stones.any():
            return np.zeros(stones.shape)
        setup = {point: colour for point, colour in enumerate(stones.ravel().tolist()) if colour}
        game = Game.empty(position.side, ruleset="area", komi=terms.komi).with_setup(setup, position.to_move)
        try:
            end = GnuGo(level=10 if position.side < 13 else 1).finish(
                GameRecord.of_game(game, "a position", parse_result(""))
            )
        except GnuGoError:
            return np.zeros(stones.shape)
        return owners(end, np.zeros(end.shape, np.bool_))
