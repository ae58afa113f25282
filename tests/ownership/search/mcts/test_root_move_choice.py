"""The order of moves by lower confidence bounds."""

import numpy as np

from goban.coords import BLACK
from goban.game import Game
from goban.position import Position
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.mcts.tree_options import TreeOptions
from tests.support.positions import random_positions
from tests.support.tree_searches import Area, game_of, searched


def test_the_lower_bound_may_decide() -> None:
    game = game_of(random_positions(5, 4)[2])
    moves = searched(game, Area(noise=1.0), TreeOptions(threads=1, batch=1, choice="lcb"), visits=200).result().moves
    often = [each.lower_bound for each in moves if each.visits >= 0.1 * max(each.visits for each in moves)]
    assert often == sorted(often, reverse=True)
    assert all(0 <= bound <= 1 for bound in often)


class LateWin(Area):
    """Black wins by playing at A3, which the policy hardly suggests: it plays in the middle."""

    def _leaf(self, position: Position) -> LeafValue:
        policy = np.zeros(10, np.float32)
        policy[[0, 4]] = 0.03, 0.97
        wins = 1.0 if position.stones[0, 0] == BLACK else 0.5
        return LeafValue(0.0, policy, 2.0, np.zeros((3, 3), np.float32), wins)


def test_a_lower_bound_of_few_visits_does_not_decide() -> None:
    options = TreeOptions(threads=1, batch=1, choice="lcb")
    found = (searched(Game.empty(3), LateWin(), options, visits=visits).result().moves for visits in range(60, 200))
    often, seldom = next(moves for moves in found if len(moves) == 2 and min(move.visits for move in moves) == 3)
    assert (often.point, seldom.point) == (4, 0)
    assert seldom.lower_bound > often.lower_bound
