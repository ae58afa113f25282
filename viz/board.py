"""Boards, and who owns each of their points, drawn on matplotlib axes.

A board of side N covers x and y from 0.5 below the first line to 0.5 above the last; line 0 is the left one in x
and the lowest one in y, so that GTP numbers grow upwards.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.patches import Circle, Rectangle
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE, gtp_name
from viz.figure import new_axes

WOOD = "#e3bd78"
LINE = "#6b5228"
STONE_FILL = {BLACK: "#1c1c1e", WHITE: "#fbfaf6"}
STONE_EDGE = {BLACK: "#000000", WHITE: "#55524c"}
OWNER_FILL = {BLACK: "#2f6bdc", WHITE: "#d1361f"}
_MARGIN = 0.75
_STONE = 0.46
_SQUARE = 0.62  # of the distance between lines, for a point that is certain
_FAINT = 0.06  # ownership below which no square is drawn


def draw_board(stones: NDArray[np.int8], *, last: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw lines, star points, coordinates and stones.

    Args:
        stones: int8 (N, N), 1 Black, -1 White, 0 empty.
        last: flat index of the last move, which gets a ring; None or N*N (a pass) for none.
        ax: where to draw; None makes a new figure.

    Returns:
        the Axes. It neither shows nor saves them.
    """
    axes = new_axes() if ax is None else ax
    side = len(stones)
    _draw_wood(axes, side)
    for colour in (BLACK, WHITE):
        circles = [Circle(_place(point, side), _STONE) for point in np.flatnonzero(stones == colour).tolist()]
        fill, edge = STONE_FILL[colour], STONE_EDGE[colour]
        axes.add_collection(PatchCollection(circles, facecolor=fill, edgecolor=edge, linewidth=0.8, zorder=3))
    if last is not None and last < side * side and stones.flat[last]:
        ring = Circle(_place(last, side), 0.3, fill=False, linewidth=1.5, zorder=4)
        ring.set_edgecolor(STONE_FILL[-int(stones.flat[last])])
        axes.add_patch(ring)
    return axes


def draw_ownership(
    stones: NDArray[np.int8],
    ownership: NDArray[np.float32],
    *,
    dead: NDArray[np.bool_] | None = None,
    last: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a board with a square on every point: its colour says who will own it, its size how surely.

    Args:
        stones: int8 (N, N).
        ownership: (N, N) in [-1, 1], +1 Black, -1 White.
        dead: bool (N, N), stones that get a cross.
        last, ax: as for `draw_board`.

    Returns:
        the Axes. It decides nothing: the squares show the ownership as it is.
    """
    axes = draw_board(stones, last=last, ax=ax)
    for colour in (BLACK, WHITE):
        squares = [
            _square(point, len(stones), abs(float(ownership.flat[point])))
            for point in np.flatnonzero(ownership * colour > _FAINT).tolist()
        ]
        # The pale edge sets large squares off from stones; on small ones it would be all there is to see.
        widths = [0.9 * square.get_width() / _SQUARE for square in squares]
        fill, edge = OWNER_FILL[colour], STONE_FILL[WHITE]
        axes.add_collection(PatchCollection(squares, facecolor=fill, edgecolor=edge, linewidths=widths, zorder=5))
    if dead is not None:
        _draw_crosses(axes, stones, dead)
    axes.set_xlabel("blue: Black's   red: White's   the larger, the surer   cross: dead stone", color="#333333")
    return axes


def _draw_wood(axes: Axes, side: int) -> None:
    low, high = -_MARGIN, side - 1 + _MARGIN
    axes.add_patch(Rectangle((low, low), high - low, high - low, facecolor=WOOD, edgecolor="none", zorder=0))
    lines = [((0, at), (side - 1, at)) for at in range(side)] + [((at, 0), (at, side - 1)) for at in range(side)]
    axes.add_collection(LineCollection(lines, colors=LINE, linewidths=0.8, zorder=1, capstyle="projecting"))
    stars = [Circle(place, 0.09) for place in star_points(side)]
    axes.add_collection(PatchCollection(stars, facecolor=LINE, edgecolor="none", zorder=2))
    axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")
    axes.set_xticks(range(side), [gtp_name(column, side)[0] for column in range(side)])
    axes.set_yticks(range(side), [str(row + 1) for row in range(side)])
    size = 9 if side <= 19 else 7
    axes.tick_params(length=0, pad=2, labelsize=size, labelcolor="#333333", labeltop=True, labelright=True)
    axes.spines[:].set_visible(False)


def star_points(side: int) -> list[tuple[int, int]]:
    """Return the lines (x, y) of the star points: corners from 7x7 on, with centre if odd, edges from 15x15 on."""
    if side < 7:
        return []
    edge = 3 if side > 12 else 2
    corners, middle = (edge, side - 1 - edge), side // 2
    points = [(x, y) for x in corners for y in corners]
    if side % 2:
        points.append((middle, middle))
    if side % 2 and side >= 15:
        points += [(x, middle) for x in corners] + [(middle, y) for y in corners]
    return points


def _place(point: int, side: int) -> tuple[int, int]:
    row, column = divmod(point, side)
    return column, side - 1 - row


def _square(point: int, side: int, certainty: float) -> Rectangle:
    x, y = _place(point, side)
    size = _SQUARE * min(certainty, 1.0)
    return Rectangle((x - size / 2, y - size / 2), size, size)


def _draw_crosses(axes: Axes, stones: NDArray[np.int8], dead: NDArray[np.bool_]) -> None:
    arm = 0.33
    crosses = []
    for point in np.flatnonzero(dead & (stones != EMPTY)).tolist():
        x, y = _place(point, len(stones))
        crosses += [((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))]
    axes.add_collection(LineCollection(crosses, colors="#ffd23f", linewidths=1.8, zorder=6, capstyle="round"))
