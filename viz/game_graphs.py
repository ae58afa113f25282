"""Graphs of a game by move: its score with an interval, and the share of the board that is settled."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter
from numpy.typing import ArrayLike

from goban.board_colours import OWNER_FILL
from goban.coords import BLACK, WHITE
from viz.figure import new_axes, tidy
from viz.figure_colours import CURVES, GREY, INK

_LEAST_RANGE = 12  # points on either side of 0 that the axis of the score always shows


def draw_score_graph(
    score: ArrayLike, low: ArrayLike, high: ArrayLike, *, moves: ArrayLike | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the expected score of a game by move, with its 90% interval.

    Args:
        score, low, high: expected score, Black minus White with komi, and the ends of its interval, K numbers each.
        moves: K move numbers; None for 0, 1, 2 ...
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes. Black's lead goes up, and the ticks read as results do: B+10, W+10.
    """
    axes = new_axes(5.4, 2.4) if ax is None else ax
    means = np.asarray(score, float)
    numbers = np.arange(len(means)) if moves is None else np.asarray(moves)
    axes.fill_between(numbers, low, high, color=GREY, alpha=0.25, linewidth=0, label="90% interval")
    for colour, side in ((BLACK, means > 0), (WHITE, means < 0)):
        axes.fill_between(
            numbers, 0, means, where=side, interpolate=True, color=OWNER_FILL[colour], alpha=0.35, linewidth=0
        )
    axes.axhline(0, color=GREY, linewidth=1)
    axes.plot(numbers, means, color=INK, linewidth=1.8, label="expected score")
    bounds = np.abs([np.asarray(low, float), np.asarray(high, float)])
    most = 1.05 * max(_LEAST_RANGE, float(bounds.max(initial=0)))
    axes.set(xlabel="move", ylim=(-most, most), xlim=(numbers[0], max(numbers[-1], numbers[0] + 1)))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(_result))
    tidy(axes)
    return axes


def _result(value: float, _: int) -> str:
    return f"{'B' if value > 0 else 'W'}+{abs(value):g}" if value else "0"


def draw_settled_graph(
    settled: Sequence[float], soon: Sequence[float], *, moves: Sequence[int] | None = None, ax: Axes | None = None
) -> Axes:
    """Draw which share of the board is settled, and will be in 20 moves, by move.

    Args:
        settled, soon: shares from 0 to 1, K numbers each.
        moves: K move numbers; None for 0, 1, 2 ...
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes.
    """
    axes = new_axes(5.4, 2.8) if ax is None else ax
    numbers = range(len(settled)) if moves is None else moves
    axes.fill_between(numbers, 0, settled, color=CURVES[0], alpha=0.2, linewidth=0)
    axes.plot(numbers, settled, color=CURVES[0], linewidth=1.8, label="settled")
    axes.plot(numbers, soon, color=GREY, linewidth=1.4, linestyle="--", label="settled in 20 moves")
    axes.set(xlabel="move", ylabel="share of the board", ylim=(0, 1))
    axes.set_xlim(numbers[0], max(numbers[-1], numbers[0] + 1))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.legend(frameon=False)
    tidy(axes)
    return axes
