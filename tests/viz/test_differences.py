"""Differences with two intervals each."""

from math import nan

import numpy as np

from viz.curves import draw_differences


def test_intervals_that_are_known_are_drawn_around_the_difference() -> None:
    axes = draw_differences([("32 - 16", 0.25, 0.125, nan), ("max - off", -0.5, 0.25, 0.375)], "accuracy", percent=True)
    assert [label.get_text() for label in axes.get_yticklabels()] == ["32 - 16", "max - off"]
    assert axes.get_title() == "accuracy"
    games, trainings = (bars[0] for _, _, bars in axes.containers)
    ends = [np.array(segment)[:, 0].tolist() for segment in games.get_segments()]
    assert ends == [[0.125, 0.375], [-0.75, -0.25]]
    assert [np.array(segment)[:, 0].tolist() for segment in trainings.get_segments()] == [[-0.875, -0.125]]
