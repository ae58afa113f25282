"""Pictures: what lands on the axes, and that files come out."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection

from goban.errors import InputError
from goban.position import Position
from viz.board import draw_board, draw_ownership, star_points
from viz.curves import draw_accuracy, draw_calibration, draw_frontier
from viz.figure import new_axes, new_row, save

STONES = Position.from_diagram(". X O / . X O / . . .").stones
OWNERSHIP = np.array([[1, 0.5, -1], [1, 1, -1], [0, -0.25, 0]], np.float32)


def squares(axes: Axes) -> list[tuple[float, float, float]]:
    """Return (x, y, size) of every ownership square, Black's before White's."""
    found = []
    for collection in axes.collections:
        if collection.get_zorder() == 5:
            boxes = [path.get_extents() for path in collection.get_paths()]
            found += [(round(box.x0 + box.width / 2, 3), round(box.y0 + box.height / 2, 3), box.width) for box in boxes]
    return found


def test_a_square_is_where_its_point_is_and_as_large_as_it_is_sure() -> None:
    found = squares(draw_ownership(STONES, OWNERSHIP))
    assert [(x, y) for x, y, _ in found] == [(0, 2), (1, 2), (0, 1), (1, 1), (2, 2), (2, 1), (1, 0)]
    sizes = [size / found[0][2] for _, _, size in found]
    np.testing.assert_allclose(sizes, [1, 0.5, 1, 1, 1, 1, 0.25], atol=1e-6)


def test_blacks_and_whites_squares_differ_in_colour() -> None:
    axes = draw_ownership(STONES, OWNERSHIP)
    black, white = (each.get_facecolor()[0] for each in axes.collections if each.get_zorder() == 5)
    assert np.abs(black - white).max() > 0.5


@pytest.mark.parametrize("side", [2, 3, 9, 13, 19, 25])
def test_coordinates_of_any_side(side: int) -> None:
    axes = draw_board(Position.empty(side).stones)
    # One set of labels stands on either side of the board.
    assert [label.get_text() for label in axes.get_xticklabels()] == 2 * list("ABCDEFGHJKLMNOPQRSTUVWXYZ"[:side])
    assert [label.get_text() for label in axes.get_yticklabels()] == 2 * [str(row + 1) for row in range(side)]


@pytest.mark.parametrize(("side", "number"), [(2, 0), (5, 0), (7, 5), (8, 4), (9, 5), (13, 5), (19, 9), (20, 4)])
def test_star_points(side: int, number: int) -> None:
    points = star_points(side)
    assert len(set(points)) == len(points) == number
    assert {(side - 1 - x, y) for x, y in points} == set(points)


def test_dead_stones_are_crossed_and_the_last_move_ringed() -> None:
    plain = draw_ownership(STONES, OWNERSHIP)
    dead = np.zeros((3, 3), np.bool_)
    dead[0, 2] = dead[2, 2] = True  # a stone, and an empty point that gets no cross
    marked = draw_ownership(STONES, OWNERSHIP, dead=dead, last=1)
    assert len(marked.collections[-1].get_paths()) == 2
    assert len(marked.patches) == len(plain.patches) + 1
    assert len(draw_board(STONES, last=9).patches) == len(draw_board(STONES).patches)


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_saves(ending: str, start: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"board.{ending}"
    save(draw_board(STONES), path)
    assert path.read_bytes().startswith(start)


def test_refuses_other_endings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"board.gif: expected a picture file ending in .png, .svg, .pdf"):
        save(new_axes(), tmp_path / "board.gif")


def test_curves_show_their_data() -> None:
    left, right = new_row(2)
    assert draw_accuracy({"one": ([0, 50], [0.5, 0.7]), "two": ([0, 50], [0.6, 0.8])}, ax=left) is left
    assert [np.asarray(line.get_ydata()).tolist() for line in left.lines] == [[0.5, 0.7], [0.6, 0.8]]
    assert left.get_legend_handles_labels()[1] == ["one", "two"]
    assert draw_calibration([0.1, 0.9], [0.2, 0.8], [30, 10], ax=right) is right
    np.testing.assert_array_equal(right.collections[0].get_offsets(), [[0.1, 0.2], [0.9, 0.8]])
    discs = right.collections[0]
    assert isinstance(discs, PathCollection)
    assert discs.get_sizes()[0] > discs.get_sizes()[1]


def test_the_frontier_shows_speed_on_a_logarithmic_scale() -> None:
    axes = draw_frontier({"small": (4000, 0.79), "large": (900, 0.82)}, "accuracy")
    shown = [np.asarray(collection.get_offsets()).tolist() for collection in axes.collections]
    assert shown == [[[4000, 0.79]], [[900, 0.82]]]
    assert axes.get_xscale() == "log"
    assert {text.get_text() for text in axes.texts} == {"small", "large"}
