"""Legends below boards: their parts in one line, or in several where they do not fit."""

import textwrap
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes

from viz.figure import figure_of, fitting_size
from viz.figure_colours import INK
from viz.fonts import families

LEGEND_GAP = "   "  # between the parts of a legend
_LEGEND, _LEAST_LEGEND = 13.5, 11.0  # font sizes in points
_MOST_LINES = 3


def add_to_legend(axes: Axes, parts: Sequence[str]) -> None:
    """Write further parts of the legend below axes, on lines of their own where one line does not hold all.

    The last of these lines names the number of the parts for which there is no place.
    """
    legend = axes.get_xlabel()
    line = LEGEND_GAP.join(filter(None, (legend, ", ".join(parts))))
    size = fitting_size(axes, line, _LEGEND)
    if size < _LEAST_LEGEND:
        lines = _wrapped(parts, int(100 * fitting_size(axes, 100 * "x", np.inf) / _LEAST_LEGEND))
        line, size, figure = "\n".join([legend, *lines]), _LEAST_LEGEND, figure_of(axes)
        figure.set_figheight(figure.get_figheight() + len(lines) * _LEAST_LEGEND / 60)
    axes.set_xlabel(line, color=INK, fontsize=size)


def _wrapped(parts: Sequence[str], columns: int) -> list[str]:
    """Return parts as at most _MOST_LINES lines of as many letters; the last names how many are left out."""
    unbroken = [part.replace(" ", "\xa0") for part in parts]
    for shown in range(len(parts), 0, -1):
        more = f" and\xa0{len(parts) - shown}\xa0more" if shown < len(parts) else ""
        lines = textwrap.wrap(", ".join(unbroken[:shown]) + more, columns)
        if len(lines) <= _MOST_LINES:
            break
    return lines


def add_sheet_text(axes: Sequence[Axes], heading: str) -> None:
    """Write a heading above the axes of a figure and one legend below them, which takes the place of their own."""
    legends = sorted((each.get_xlabel().split(LEGEND_GAP) for each in axes), key=len, reverse=True)
    parts = [part for legend in legends for part in legend if part]
    for each in axes:
        each.set_xlabel("")
    figure, look = figure_of(axes[0]), {"color": INK, "parse_math": False}
    figure.suptitle(heading, fontsize=14, fontweight="bold", fontfamily=families(heading), **look)
    legend = LEGEND_GAP.join(dict.fromkeys(parts))
    figure.supxlabel(legend, fontsize=fitting_size(axes[0], legend, 12), **look)
