"""The pictures that are kept as references; `python -m tests.support.gallery` draws them again."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from goban.coords import parse_gtp
from goban.position import Position
from tests.support.paths import DATA
from viz.board import draw_board, draw_ownership, draw_policy, draw_territory
from viz.curves import draw_accuracy, draw_calibration, draw_training
from viz.figure import add_heading, figure_of, new_axes, save
from viz.game_graphs import draw_score_graph

FOLDER = DATA / "pictures"
WIDTH = 300  # pixels

STONES = Position.from_diagram(
    """
    . . . X O . . . .
    . X . X O . O . .
    . . X O O . . O .
    . X X O . . O . .
    X O X X O O O X O
    X O O X X X O X .
    . . O O . X X O O
    . O . O X X . X .
    . . O O X . X X X
    """
).stones


def _points(*vertices: str) -> list[int]:
    return [parse_gtp(vertex, 9) for vertex in vertices]


def _mask(*vertices: str) -> NDArray[np.bool_]:
    return np.isin(np.arange(81), _points(*vertices)).reshape(9, 9)


def _slope() -> NDArray[np.float32]:
    """Black's on the left, White's on the right, less and less in between."""
    return np.linspace(1, -1, 81, dtype=np.float32).reshape(9, 9).T


def _owner() -> NDArray[np.int8]:
    owner = np.where(np.arange(9) < 4, 1, -1) * np.ones((9, 1))
    owner[_mask("E4", "J4", "F2")] = 0
    return owner.astype(np.int8)


def _policy() -> NDArray[np.float32]:
    policy = np.full(82, 0.001, np.float32)
    policy[_points("F9", "G9", "A3", "pass")] = 0.55, 0.2, 0.04, 0.12
    return policy


def _histories() -> dict[str, list[dict[str, float]]]:
    steps = np.arange(1, 9)
    curves = zip(steps, 0.8 - 0.3 / steps, 0.78 - 0.2 / steps, strict=True)
    records = [
        {"samples": 1000.0 * n, "accuracy": float(seen), "validation_accuracy": float(new)} for n, seen, new in curves
    ]
    return {"residual": records, "classic5": records[:4]}


def _headed() -> Axes:
    axes = draw_board(STONES, ax=new_axes(7.2, 8.0))
    add_heading(axes, r"$\frac Ķę Жу <b>9d</b>", "not a formula: $x$")  # letters that matplotlib brings itself
    return axes


def _scores() -> Axes:
    moves = np.arange(120)
    mean = 30 * np.sin(moves / 25) * moves / 120
    return draw_score_graph(mean, mean - 20 + moves / 8, mean + 20 - moves / 8)


PICTURES: dict[str, Callable[[], Axes]] = {
    "squares": lambda: draw_ownership(STONES, _slope(), dead=_mask("B5", "B4", "C4"), last=parse_gtp("H5", 9)),
    "all-squares": lambda: draw_ownership(STONES, _slope(), style="all-squares"),
    "heat": lambda: draw_ownership(STONES, _slope(), style="heat", dead=_mask("H5", "H4")),
    "policy": lambda: draw_policy(STONES, _policy(), last=parse_gtp("E9", 9)),
    "territory": lambda: draw_territory(
        STONES, _owner(), dead=_mask("H5", "H4"), seki=_mask("E5", "F5", "G5", "D4", "E4", "F4")
    ),
    "labels": lambda: draw_board(
        STONES,
        labels=dict(zip(_points("D9", "E9", "D8", "A1"), ("1", "22", "133", "A"), strict=True)),
        variation=[(1, parse_gtp("F9", 9)), (-1, parse_gtp("G9", 9)), (1, parse_gtp("pass", 9))],
        coordinates=False,
    ),
    "large": lambda: draw_board(Position.empty(25).play(60).stones, last=60),
    "heading": _headed,
    "score": _scores,
    "accuracy": lambda: draw_accuracy({"one": ([0, 50, 100], [0.5, 0.7, 0.8]), "two": ([0, 50], [0.6, 0.8])}),
    "calibration": lambda: draw_calibration({"a": ([0.1, 0.5, 0.9], [0.2, 0.5, 0.8], [30, 10, 30])}),
    "training": lambda: draw_training(_histories(), "accuracy"),
}


def draw(name: str, path: Path) -> None:
    """Draw a picture, `WIDTH` pixels wide."""
    axes = PICTURES[name]()
    save(axes, path, dpi=WIDTH / figure_of(axes).get_size_inches()[0])


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        draw(picture, FOLDER / f"{picture}.png")
