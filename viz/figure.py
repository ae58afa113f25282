"""Figures without matplotlib's global state: nothing here opens a window or remembers a picture."""

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from goban.errors import InputError

FORMATS = ("png", "svg", "pdf")


def new_axes(width: float = 7.2, height: float = 7.6) -> Axes:
    """Return the only Axes of a new figure of `width` by `height` inches."""
    return _new_figure(width, height).add_subplot()


def new_row(number: int, width: float = 5.6, height: float = 4.6) -> list[Axes]:
    """Return `number` Axes side by side in one new figure, each `width` by `height` inches."""
    figure = _new_figure(number * width, height)
    return [figure.add_subplot(1, number, place + 1) for place in range(number)]


def new_grid(number: int, columns: int, width: float = 5.6, height: float = 6.2) -> list[Axes]:
    """Return `number` Axes row by row in one new figure, each `width` by `height` inches, `columns` side by side."""
    rows = -(-number // columns)
    figure = _new_figure(columns * width, rows * height)
    return [figure.add_subplot(rows, columns, place + 1) for place in range(number)]


def save(axes: Axes, path: str | Path, dpi: int = 120) -> None:
    """Write the figure that `axes` belongs to; the ending of `path` is one of `FORMATS`, else InputError is raised."""
    check_picture(path)
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.savefig(path, dpi=dpi)


def check_picture(path: str | Path) -> None:
    """Raise InputError unless the ending of `path` is one of `FORMATS`."""
    if Path(path).suffix.lower().removeprefix(".") not in FORMATS:
        endings = ", ".join(f".{name}" for name in FORMATS)
        raise InputError(f"{path}: expected a picture file ending in {endings}")


def _new_figure(width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    FigureCanvasAgg(figure)
    return figure
