"""Figures without matplotlib's global state: nothing here opens a window or keeps a picture."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any
from unicodedata import east_asian_width

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from goban.errors import InputError
from viz.figure_colours import GREY, GRID, INK
from viz.fonts import families

PICTURE_FORMATS = ("png", "svg", "pdf")
STONES = ("● ", "○ ")  # before the names of Black and White


def new_axes(width: float = 7.2, height: float = 7.6) -> Axes:
    """Return the only Axes of a new figure of `width` by `height` inches."""
    return add_axes(new_figure(width, height), 1, 1, 1)


def new_row(number: int, width: float = 5.6, height: float = 4.6) -> list[Axes]:
    """Return `number` Axes side by side in one new figure, each `width` by `height` inches."""
    return new_grid(number, number, width, height)


def new_grid(number: int, columns: int, width: float = 5.6, height: float = 6.2) -> list[Axes]:
    """Return `number` Axes row by row in one new figure, each `width` by `height` inches, `columns` side by side."""
    rows = -(-number // columns)
    figure = new_figure(columns * width, rows * height)
    return [add_axes(figure, rows, columns, place + 1) for place in range(number)]


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure of `width` by `height` inches."""
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    FigureCanvasAgg(figure)
    return figure


def add_axes(figure: Figure, rows: int, columns: int, place: int) -> Axes:
    """Return new Axes at a place, counted from 1, of a grid in a figure; text on them is not parsed as formulas."""
    with matplotlib.rc_context({"text.parse_math": False}):
        return figure.add_subplot(rows, columns, place)


def add_heading(axes: Axes, first: str, second: str = "") -> None:
    """Write a bold line, and a plain one below it, above axes, smaller where they would not fit the figure.

    Neither is parsed as a formula.
    """
    pad = 34 if second else 10
    look: dict[str, Any] = {"fontfamily": families(first), "fontweight": "bold", "color": INK}
    axes.set_title(first, loc="left", fontsize=fitting_size(axes, first, 19), pad=pad, **look)
    if second:
        place: dict[str, Any] = {"xycoords": "axes fraction", "xytext": (0, 10), "textcoords": "offset points"}
        size = fitting_size(axes, second, 13.5)
        look = {"fontfamily": families(second), "color": INK, "parse_math": False}
        axes.annotate(second, (0, 1), **place, fontsize=size, **look)


def fitting_size(axes: Axes, text: str, size: float) -> float:
    """Return a font size in points, at most `size`, at which a line fits the width of the figure."""
    points = 72 * float(figure_of(axes).get_size_inches()[0])
    ems = sum(1.0 if east_asian_width(letter) in "WF" else 0.66 for letter in text)
    return min(size, 0.96 * points / max(ems, 1))


def figure_of(axes: Axes) -> Figure:
    """Return the figure that axes belong to."""
    figure = axes.get_figure(root=True)
    assert figure is not None
    return figure


@contextmanager
def boxes_for_missing_letters() -> Iterator[None]:
    """Draw boxes for letters that no font of this machine has, without a warning for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")
        yield


def save(axes: Axes, path: str | Path, dpi: float = 120) -> None:
    """Write the figure that `axes` belongs to, the same bytes for the same picture.

    Args:
        axes: any axes of the figure.
        path: a file with an ending in `PICTURE_FORMATS`.
        dpi: pixels an inch, for PNG.

    Raises:
        InputError: another ending.

    Characters that no font on this machine has become boxes.
    """
    check_picture(path)
    ending = Path(path).suffix.lower()
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(ending)
    look = {"svg.hashsalt": "ownership", "pdf.fonttype": 42}  # publishers take no Type 3 fonts, which are the default
    with matplotlib.rc_context(look), boxes_for_missing_letters():
        figure_of(axes).savefig(path, dpi=dpi, metadata=undated)


def as_svg(axes: Axes) -> bytes:
    """Return the figure that `axes` belongs to as an SVG document, the same bytes for the same picture."""
    document = BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "ownership"}), boxes_for_missing_letters():
        figure_of(axes).savefig(document, format="svg", metadata={"Date": None, "Creator": None})
    return document.getvalue()


def check_picture(path: str | Path) -> None:
    """Raise InputError unless the ending of `path` is one of `PICTURE_FORMATS`."""
    if Path(path).suffix.lower().removeprefix(".") not in PICTURE_FORMATS:
        endings = ", ".join(f".{name}" for name in PICTURE_FORMATS)
        raise InputError(f"{path}: expected a picture file ending in {endings}")


def tidy(axes: Axes) -> None:
    """Give axes the look of all curves: a grid behind them, and no frame above and on the right."""
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(GREY)
    axes.tick_params(color=GREY)
