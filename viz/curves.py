"""Curves that say how good predictions are."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from viz.figure import new_axes

_COLOURS = ("#16439c", "#d1361f", "#2a9d5c", "#8a4fbf", "#c98a00")
_GREY = "#8a8a8a"


def draw_accuracy(curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, ax: Axes | None = None) -> Axes:
    """Draw accuracy by move number, one curve a model.

    Args:
        curves: label to (move numbers, accuracies from 0 to 1), both of one length.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes. The y axis runs from 50% to 100%: one half is what a coin reaches.
    """
    axes = new_axes(6.4, 4.8) if ax is None else ax
    for number, (label, (moves, accuracies)) in enumerate(curves.items()):
        axes.plot(moves, accuracies, color=_COLOURS[number % len(_COLOURS)], linewidth=2, label=label)
    axes.set(
        xlabel="move number", ylabel="accuracy over decided points", ylim=(0.5, 1.0), title="Accuracy by move number"
    )
    axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.legend(loc="lower right", frameon=False)
    _tidy(axes)
    return axes


def draw_calibration(
    predicted: Sequence[float], observed: Sequence[float], points: Sequence[int], *, ax: Axes | None = None
) -> Axes:
    """Draw how often points came true against how likely they were called; on the diagonal they agree.

    Args:
        predicted, observed: mean probability and share that came true of each bin, 0 to 1.
        points: number of points of each bin; a disc's area shows its share of all.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes.
    """
    axes = new_axes(4.8, 4.8) if ax is None else ax
    axes.plot((0, 1), (0, 1), color=_GREY, linewidth=1, linestyle="--", label="perfect")
    sizes = [12 + 500 * count / sum(points) for count in points]
    axes.plot(predicted, observed, color=_COLOURS[0], linewidth=1.2)
    axes.scatter(predicted, observed, s=sizes, color=_COLOURS[0], alpha=0.75, edgecolor="white", zorder=3)
    axes.set(xlabel="predicted probability", ylabel="share that came true", title="Calibration", aspect="equal")
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    _tidy(axes)
    return axes


def draw_frontier(
    models: Mapping[str, tuple[float, float]], quality: str, *, percent: bool = True, ax: Axes | None = None
) -> Axes:
    """Draw how good models are against how fast they are.

    Args:
        models: label to (positions a second, value), both above 0.
        quality: what the values are, such as "accuracy".
        percent: whether values from 0 to 1 are shown as percentages.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes. Speed is on a logarithmic scale.
    """
    axes = new_axes(6.4, 4.8) if ax is None else ax
    for number, (label, (speed, value)) in enumerate(models.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        axes.scatter([speed], [value], s=60, color=colour, edgecolor="white", zorder=3)
        axes.annotate(label, (speed, value), xytext=(6, 6), textcoords="offset points", color=colour)
    axes.set(xlabel="positions a second", ylabel=quality, title=f"{quality.capitalize()} and speed", xscale="log")
    axes.margins(0.25)
    if percent:
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=1))
    _tidy(axes)
    return axes


def _tidy(axes: Axes) -> None:
    axes.grid(color="#e4e4e4", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_GREY)
    axes.tick_params(color=_GREY)
