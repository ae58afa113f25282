"""Curves of training, accuracy and calibration; and differences with their intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from viz.figure import new_axes, tidy
from viz.figure_colours import CURVES, GREY

_MEASURES = {"brier": "Brier score", "policy_accuracy": "accuracy of moves"}


def draw_training(
    histories: Mapping[str, Sequence[Mapping[str, float]]], measure: str, *, ax: Axes | None = None
) -> Axes:
    """Draw a measure by the positions trained on, one colour a model: on validation games, and pale on training games.

    Args:
        histories: by label, the records of a `history.json`: "samples", the measure on training games and, with the
            prefix "validation_", on validation games.
        measure: "accuracy", "brier" or "policy_accuracy"; records without it are left out.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes.
    """
    axes = new_axes(4.8, 3.6) if ax is None else ax
    for number, (label, history) in enumerate(histories.items()):
        colour = CURVES[number % len(CURVES)]
        for name, look in ((measure, {"alpha": 0.35}), (f"validation_{measure}", {"label": label})):
            known = [record for record in history if name in record]
            columns = ([record[key] for record in known] for key in ("samples", name))
            marker = "o" if len(known) == 1 else None  # a line through one point is not visible
            axes.plot(*columns, color=colour, linewidth=2, marker=marker, **look)
    named = _MEASURES.get(measure, measure)
    axes.set(xlabel="positions trained on", ylabel=named, title=f"Training: {named}, pale on the training games")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    if measure.endswith("accuracy"):
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.legend(frameon=False)
    tidy(axes)
    return axes


def draw_accuracy(curves: Mapping[str, tuple[Sequence[float], ...]], *, ax: Axes | None = None) -> Axes:
    """Draw accuracy by move number, one curve a model.

    Args:
        curves: by label, (move numbers, accuracies from 0 to 1), or these and their standard errors, which become a
            band; all of one length.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes. The y axis runs from 50%, the accuracy of a coin flip, to 100%.
    """
    banded = any(len(curve) > 2 for curve in curves.values())
    title = f"Accuracy by move number{', ± standard error' if banded else ''}"
    axes = _draw_shares(curves, ax, xlabel="move number", ylabel="accuracy over decided points", title=title)
    axes.set(xlim=(0, None), ylim=(0.5, 1.0))
    return axes


def draw_top(curves: Mapping[str, tuple[Sequence[float], ...]], *, ax: Axes | None = None) -> Axes:
    """Draw how often the next move is among the likeliest n of a policy, one curve a model.

    Args:
        curves: by label, (shares of moves among the first 1, 2 ... choices,), or these and their standard errors, which
            become a band; NaN where one is not known.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes.
    """
    counted = {label: (range(1, len(curve[0]) + 1), *curve) for label, curve in curves.items()}
    title = "Moves among the likeliest choices"
    axes = _draw_shares(counted, ax, xlabel="choices", ylabel="next move among them", title=title)
    axes.set(ylim=(0, 1))
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    return axes


def _draw_shares(curves: Mapping[str, tuple[Sequence[float], ...]], ax: Axes | None, **texts: str) -> Axes:
    """Draw curves of shares, 0 to 1, as percentages, with a legend and with bands of errors where given."""
    axes = new_axes(4.8, 3.6) if ax is None else ax
    for number, (label, (across, shares, *errors)) in enumerate(curves.items()):
        colour = CURVES[number % len(CURVES)]
        axes.plot(across, shares, color=colour, linewidth=2, label=label)
        for error in errors:
            ends = (np.asarray(shares) + sign * np.asarray(error) for sign in (-1, 1))
            axes.fill_between(across, *ends, color=colour, alpha=0.2, linewidth=0)
    axes.set(**texts)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    axes.legend(loc="lower right", frameon=False)
    tidy(axes)
    return axes


def draw_calibration(
    curves: Mapping[str, tuple[Sequence[float], ...]], *, title: str = "Calibration", ax: Axes | None = None
) -> Axes:
    """Draw a reliability diagram, one curve a model: the observed share of each bin by its mean probability.

    Args:
        curves: by label, (mean probability of each bin, share of its points where it came true, number of its points),
            or these and the distance from the share to the ends of its 90% band, NaN where none is known; the area of
            a disc grows with the bin's share of all points.
        title: what is predicted.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes.
    """
    axes = new_axes(4, 4) if ax is None else ax
    axes.plot((0, 1), (0, 1), color=GREY, linewidth=1, linestyle="--", label="perfect")
    banded = any(len(curve) > 3 for curve in curves.values())
    for number, (label, (predicted, observed, points, *bands)) in enumerate(curves.items()):
        colour = CURVES[number % len(CURVES)]
        sizes = [12 + 500 * count / sum(points) for count in points]
        axes.plot(predicted, observed, color=colour, linewidth=1.2, label=label)
        axes.scatter(predicted, observed, s=sizes, color=colour, alpha=0.75, edgecolor="white", zorder=3)
        for band in bands:
            ends = (np.clip(np.asarray(observed) + sign * np.asarray(band), 0, 1) for sign in (-1, 1))
            axes.fill_between(predicted, *ends, color=colour, alpha=0.2, linewidth=0)
    axes.legend(loc="lower right", frameon=False)
    axes.set(xlabel="predicted probability", ylabel="share that came true", aspect="equal")
    axes.set(title=f"{title}{', 90% band' if banded else ''}")
    axes.set(xlim=(-0.03, 1.03), ylim=(-0.03, 1.03))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=0))
    tidy(axes)
    return axes


def draw_differences(
    rows: Sequence[tuple[str, float, float, float]],
    figure: str,
    *,
    percent: bool = False,
    named: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw differences of a figure as points with two intervals each, one below the other.

    Args:
        rows: name, difference, half of its interval over games and half of that over trainings; NaN draws none.
        figure: its name.
        percent: whether it is a share.
        named: whether to write the names of the rows, and the legend.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes. An interval that crosses the line at 0 leaves open which is better.
    """
    axes = new_axes(5.6, 1.6 + 0.45 * len(rows)) if ax is None else ax
    places = np.arange(len(rows), dtype=float)
    values = np.array([row[1] for row in rows])
    axes.axvline(0, color=GREY, linewidth=1)
    for number, (column, label) in enumerate(((2, "over games"), (3, "over trainings"))):
        halves = np.array([row[column] for row in rows], float)
        known = np.isfinite(halves)
        look: dict[str, Any] = {"color": CURVES[number], "fmt": "o", "markersize": 5, "linewidth": 2, "capsize": 3}
        axes.errorbar(values[known], places[known] + 0.12 * (2 * number - 1), xerr=halves[known], label=label, **look)
    axes.set_yticks(places, [row[0] for row in rows] if named else [""] * len(rows))
    axes.set(title=figure, xlabel="difference, 95% intervals", ylim=(len(rows) - 0.4, -0.6))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    if percent:
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
    if named:
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, -0.28), ncols=2)
    tidy(axes)
    return axes
