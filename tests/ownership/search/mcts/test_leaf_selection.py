"""Which moves get the visits."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from goban.coords import BLACK
from goban.game import Game
from goban.position import Position
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.search_limits import Limits
from tests.support.tree_searches import ALONE, Area, searched


class Slight(Area):
    """Black wins a little more often with a stone in the middle; all moves are as likely."""

    def _leaf(self, position: Position) -> LeafValue:
        wins = 0.52 if position.stones[1, 1] == BLACK else 0.5
        return LeafValue(0.0, np.full(10, 0.1, np.float32), 2.0, np.zeros((3, 3), np.float32), wins)


def test_the_exploration_may_follow_the_deviation_of_the_values() -> None:
    """Where they differ little, a small difference decides sooner where most visits go."""
    fixed, following = (replace(ALONE, exploration_scaling=scaling) for scaling in (0.0, 1.0))
    before, after = (share_of_the_middle(Slight(), options, 400) for options in (fixed, following))
    assert after > 2 * before > 0.2


def share_of_the_middle(knowledge: Area, options: TreeOptions, visits: int) -> float:
    """Return the share of the visits that the middle of an empty board of side 3 gets."""
    moves = searched(Game.empty(3), knowledge, options, visits=visits).result().moves
    return next(move.visits for move in moves if move.point == 4) / visits


class FarAhead(Area):
    """Black wins, by 40 points, and by 4 more with a stone in the middle; all moves are as likely."""

    def _leaf(self, position: Position) -> LeafValue:
        score = 44.0 if position.stones[1, 1] == BLACK else 40.0
        return LeafValue(score, np.full(10, 0.1, np.float32), 2.0, np.zeros((3, 3), np.float32), 0.99)


def test_a_side_far_ahead_still_plays_for_points() -> None:
    """With the score counted around the expected one; around 0, four points are little to a player who is 40 ahead."""
    around_zero, around_expected = (replace(ALONE, score_centre=centre) for centre in (0.0, 0.8))
    before, after = (share_of_the_middle(FarAhead(), options, 200) for options in (around_zero, around_expected))
    assert after > 3 * before > 0.2


def test_values_follow_the_centre_of_the_score() -> None:
    """The score that the root expects is their middle, whether visits were made before or after the root moved."""
    options = replace(ALONE, score_centre=1.0)
    search = searched(Game.empty(3), FarAhead(), options, visits=50)
    first = search.result().root
    game = Game.empty(3).play(4)
    list(search.run(game, Limits(visits=50)))
    for root in (first, search.result().root):
        assert root.value == pytest.approx(2 * 0.99 - 1, abs=0.08)
    fresh = searched(game, FarAhead(), options, visits=50).result().root
    assert search.result().root.value == pytest.approx(fresh.value, abs=1e-3)


class Worse(Area):
    """Black, to move, wins one game in four wherever he plays; all moves are as likely."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        self.sizes.append(len(positions))
        return super().evaluate(positions)

    def _leaf(self, position: Position) -> LeafValue:
        return LeafValue(0.0, np.full(10, 0.1, np.float32), 2.0, np.zeros((3, 3), np.float32), 0.25)


def test_a_visit_that_waits_counts_as_a_lost_game() -> None:
    """For a player who does not win either, so that the visits of a batch go to moves of their own."""
    knowledge = Worse()
    searched(Game.empty(3), knowledge, TreeOptions(threads=1, batch=4, waiting=1), visits=8)
    assert knowledge.sizes == [1, 1, 2, 4]
