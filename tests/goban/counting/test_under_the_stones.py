"""Chains in atari that live by stones played where they stood."""

import numpy as np

from goban.counting.under_the_stones import living_under_the_stones
from goban.position import Position
from tests.support.finished_positions import finished_positions


def test_three_points_without_capturing() -> None:
    [torazu] = [each for each in finished_positions() if each.theme == "torazu_sanmoku"]
    stones = torazu.position.stones
    dead = np.zeros(stones.shape, np.bool_)
    dead[:2, 1:3] = True
    for turns in range(4):
        turned, expected = Position.from_stones(-np.rot90(stones, turns)), np.rot90(dead, turns)
        np.testing.assert_array_equal(living_under_the_stones(turned, expected), expected)


def test_stones_that_the_model_calls_alive_are_left_alone() -> None:
    [torazu] = [each for each in finished_positions() if each.theme == "torazu_sanmoku"]
    assert not living_under_the_stones(torazu.position, np.zeros((9, 9), np.bool_)).any()


def test_no_dead_chain_of_the_drawn_positions_lives_so() -> None:
    assert not any(living_under_the_stones(each.position, each.dead).any() for each in finished_positions())
