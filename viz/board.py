"""Boards with ownership, policy, territory and marks, drawn on matplotlib axes.

The unit of both axes is the distance between two lines: (0, 0) is the lower left corner of the board, so that GTP's
numbers grow upwards, and a picture of 300 pixels looks like one of 3000.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from goban.board_colours import CROSS, LINE, OWNER_FILL, STONE_EDGE, STONE_FILL, WOOD, WRITING
from goban.coords import BLACK, EMPTY, WHITE, gtp_name
from goban.counting.expectation import LEANING
from goban.star_points import star_points
from viz import shapes
from viz.figure import new_axes
from viz.figure_colours import INK, NEUTRAL, POLICY, heat
from viz.legend import LEGEND_GAP

COLOURS = (BLACK, WHITE)
_STONE = 0.475
_EDGE = 0.035  # width of a stone's
_PALE = 0.5  # opacity of dead stones
_SQUARE = 0.62  # for a point that is certain
_SQUARE_BESIDE, _CORNER = 0.3, np.array((0.35, -0.35))  # the same beside a label, and how far from the point
_SETTLED, _OPEN = 0.42, (0.09, 0.16, 0.23)  # sides of squares, and radii of dots, those that are open longest last
_FAINT = 0.1  # ownership below which no square is drawn
_LISTED = 0.01  # probability from which a move is shown
_TEXT = 0.56
_STRIP = np.array((0.22, 0))  # from the middle of the strip below a text to its ends, which its caps lengthen

Style = Literal["squares", "all-squares", "heat"]


class Look(TypedDict, total=False):
    """Options that every picture of a board takes; each may be left out.

    Attributes:
        last: flat index of the last move, which gets a ring; None or N*N (a pass) for no ring.
        labels: text by flat index, such as move numbers, shown on stones and on empty points.
        variation: moves (colour, flat index) that follow the position, shown pale and numbered from 1.
        coordinates: whether to write GTP's letters and numbers around the board, as by default.
        ax: where to draw; None makes a new figure.
    """

    last: int | None
    labels: Mapping[int, str]
    variation: Sequence[tuple[int, int]]
    coordinates: bool
    ax: Axes | None


def draw_board(stones: NDArray[np.int8], **look: Unpack[Look]) -> Axes:
    """Draw lines, star points, coordinates and stones.

    Args:
        stones: int8 (N, N), 1 Black, -1 White, 0 empty.
        look: see `Look`.

    Returns:
        the Axes, neither shown nor saved.
    """
    axes = _prepared(len(stones), look)
    add_stones(axes, stones)
    _add_marks(axes, stones, look)
    return axes


def draw_ownership(
    stones: NDArray[np.int8],
    ownership: NDArray[np.float32],
    *,
    style: Style = "squares",
    dead: NDArray[np.bool_] | None = None,
    **look: Unpack[Look],
) -> Axes:
    """Draw a board and, on every point, who will own it.

    Args:
        stones: int8 (N, N).
        ownership: (N, N) in [-1, 1], +1 Black, -1 White.
        style: "squares", whose areas grow with the certainty, or "heat", deeper colours for more certain points; on
            stones only where they are not two to one their own colour's. "all-squares" has squares on all stones.
        dead: bool (N, N), dead stones, which are pale and get a cross.
        look: see `Look`.

    Returns:
        the Axes. Squares and colours show the ownership as it is, without a threshold for territory.
    """
    axes = _prepared(len(stones), look)
    add_stones(axes, stones, dead)
    add_ownership(axes, stones, ownership, style, look.get("labels", {}))
    if dead is not None:
        add_crosses(axes, stones, dead)
    _add_marks(axes, stones, look, dead)
    return _explained(axes, ownership_legend(stones, ownership, style, dead))


def draw_policy(stones: NDArray[np.int8], policy: NDArray[np.float32], **look: Unpack[Look]) -> Axes:
    """Draw a board and the probabilities of the next move, as discs and numbers in percent.

    Args:
        stones: int8 (N, N).
        policy: (N*N + 1,), probabilities by flat index, the last of the pass.
        look: see `Look`.

    Returns:
        the Axes. Moves of less than 1% are left out, except the likeliest.
    """
    axes = _prepared(len(stones), look)
    add_stones(axes, stones)
    add_policy(axes, stones, policy)
    _add_marks(axes, stones, look)
    return _explained(axes, ["number: chance of the next move in percent", f"pass: {policy[-1]:.0%}"])


def draw_territory(
    stones: NDArray[np.int8],
    owner: NDArray[np.int8],
    *,
    dead: NDArray[np.bool_] | None = None,
    seki: NDArray[np.bool_] | None = None,
    gaps: NDArray[np.bool_] | None = None,
    finished: bool = True,
    **look: Unpack[Look],
) -> Axes:
    """Draw a counted board: dead stones pale and crossed, territory as small squares, dame and seki marked.

    Args:
        stones: int8 (N, N).
        owner: int8 (N, N), 1 Black, -1 White, 0 neither.
        dead: bool (N, N), dead stones.
        seki: bool (N, N), stones in seki, which get a ring.
        gaps: bool (N, N), points at which borders are not closed: hollow diamonds.
        finished: whether points of neither colour are dame; while the game goes on they are open.
        look: see `Look`.

    Returns:
        the Axes. It does not count the score.
    """
    dead, seki, gaps = (np.zeros(stones.shape, np.bool_) if mask is None else mask for mask in (dead, seki, gaps))
    axes = _prepared(len(stones), look)
    add_territory(axes, stones, owner, dead, seki, gaps)
    _add_marks(axes, stones, look, dead | seki)
    neutral = (stones == EMPTY) & (owner == EMPTY)
    shown = {
        "square: territory": ((stones == EMPTY) & (owner != EMPTY)).any(),
        "cross: dead stone": dead.any(),
        f"diamond: {'dame' if finished else 'open'}": (neutral & ~gaps).any(),
        "hollow diamond: not closed": gaps.any(),
        "ring: seki": seki.any(),
    }
    return _explained(axes, [text for text, is_drawn in shown.items() if is_drawn])


def draw_settled(
    stones: NDArray[np.int8], owner: NDArray[np.int8], waits: NDArray[np.int8], **look: Unpack[Look]
) -> Axes:
    """Draw a board with the points whose owner is final, and how long the others stay open.

    Args:
        stones: int8 (N, N).
        owner: int8 (N, N), 1 Black, -1 White, of points that are settled.
        waits: int8 (N, N), 0 settled, 1 within 20 moves, 2 within 80, 3 later.
        look: see `Look`.

    Returns:
        the Axes.
    """
    side = len(stones)
    axes = _prepared(side, look)
    add_stones(axes, stones)
    final = (waits == 0).ravel()
    for colour in COLOURS:
        places = _places(np.flatnonzero(final & (owner.ravel() == colour)), side)
        shapes.squares(axes, places, _SETTLED + 0.08, STONE_FILL[WHITE], 5)
        shapes.squares(axes, places, _SETTLED, OWNER_FILL[colour], 5.1)
    for wait, radius in enumerate(_OPEN, 1):
        places = _places(np.flatnonzero(waits.ravel() == wait), side)
        shapes.discs(axes, places, radius + 0.04, STONE_FILL[WHITE], 5)
        shapes.discs(axes, places, radius, NEUTRAL, 5.1)
    _add_marks(axes, stones, look)
    shown = {
        "blue: settled, Black's": (final & (owner.ravel() == BLACK)).any(),
        "red: settled, White's": (final & (owner.ravel() == WHITE)).any(),
        "dot: later, large much later": not final.all(),
    }
    return _explained(axes, [text for text, is_drawn in shown.items() if is_drawn])


def add_wood(axes: Axes, side: int, coordinates: bool = True) -> None:
    """Set up axes for a board of a side, with lines, star points and coordinates."""
    margin = 1.45 if coordinates else 0.75
    low, high = -margin, side - 1 + margin
    axes.set(xlim=(low, high), ylim=(low, high), aspect="equal", xticks=[], yticks=[])
    axes.spines[:].set_visible(False)
    shapes.squares(axes, np.full((1, 2), (side - 1) / 2), high - low, WOOD, 0)
    at = np.arange(side)
    first, last = np.zeros(side), np.full(side, side - 1)
    starts, ends = np.column_stack([first, at]), np.column_stack([last, at])
    shapes.bars(axes, np.concatenate([starts, starts[:, ::-1]]), np.concatenate([ends, ends[:, ::-1]]), 0.045, LINE, 1)
    shapes.discs(axes, np.array(star_points(side), float).reshape(-1, 2), 0.11, LINE, 2)
    if coordinates:
        _add_coordinates(axes, side)


def add_stones(
    axes: Axes, stones: NDArray[np.int8], dead: NDArray[np.bool_] | None = None, *, alpha: float = 1
) -> None:
    """Add the stones of a board to axes that `add_wood` has set up, the dead ones pale."""
    pale = np.zeros(stones.shape, np.bool_) if dead is None else dead
    for colour in COLOURS:
        for chosen, opacity in ((~pale, alpha), (pale, _PALE)):
            places = _places(np.flatnonzero(chosen & (stones == colour)), len(stones))
            shapes.discs(axes, places, _STONE - _EDGE / 2, STONE_FILL[colour], 3, opacity)
            shapes.rings(axes, places, _STONE, _EDGE, STONE_EDGE[colour], 3.1, opacity)


def add_ownership(
    axes: Axes,
    stones: NDArray[np.int8],
    ownership: NDArray[np.float32],
    style: Style,
    labelled: Collection[int] = (),
) -> None:
    """Add the ownership as squares, or as colours below lines and stones; on labelled points beside the label."""
    shown, places = _shown(stones, ownership, style), _places(np.arange(stones.size), len(stones))
    if style == "heat":
        fills, sizes, most = heat()((1 + ownership.ravel()) / 2), np.ones(stones.size), 0.36
        shapes.squares(axes, places, 1.01, fills, 0.5)
        chosen = ((stones != EMPTY) & (shown != 0)).ravel()
    else:
        most = _SQUARE
        fills = np.where(ownership.ravel() > 0, OWNER_FILL[BLACK], OWNER_FILL[WHITE])
        sizes = np.sqrt(np.minimum(np.abs(ownership.ravel()), 1))  # so that small certainties are no specks
        chosen = (np.abs(shown) > _FAINT).ravel()
    beside = np.isin(np.arange(stones.size), list(labelled))
    for points, shift, largest, height in (
        (chosen & ~beside, 0, most, 5),
        (chosen & beside, _CORNER, _SQUARE_BESIDE, 6.6),
    ):
        if style != "heat":  # the pale rim sets large squares off from stones
            shapes.squares(axes, places[points] + shift, 1.16 * largest * sizes[points], STONE_FILL[WHITE], height)
        shapes.squares(axes, places[points] + shift, largest * sizes[points], fills[points], height + 0.1)


def ownership_legend(
    stones: NDArray[np.int8], ownership: NDArray[np.float32], style: Style, dead: NDArray[np.bool_] | None
) -> list[str]:
    """Return the legend of the marks of `draw_ownership`, without those that this board does not have."""
    values = ownership if style == "heat" else _shown(stones, ownership, style)
    coloured = (values > _FAINT).any(), (values < -_FAINT).any()
    shown = {
        "blue: Black's": coloured[0],
        "red: White's": coloured[1],
        "deeper: more certain" if style == "heat" else "larger: more certain": any(coloured),
        "cross: dead stone": dead is not None and bool((dead & (stones != EMPTY)).any()),
    }
    return [text for text, is_drawn in shown.items() if is_drawn]


def _shown(stones: NDArray[np.int8], ownership: NDArray[np.float32], style: Style) -> NDArray[np.float32]:
    """Return the ownership, 0 where a style leaves it out: on stones that are likely to stay."""
    stays = (stones * ownership >= LEANING) & (style != "all-squares")
    return np.where(stays, np.float32(0), ownership)


def add_policy(axes: Axes, stones: NDArray[np.int8], policy: NDArray[np.float32]) -> None:
    """Add a disc and the probability in percent on the likeliest move and on every point of 1% or more."""
    likeliest = np.arange(policy.size) == policy.argmax()
    points = np.flatnonzero((likeliest | (policy >= _LISTED))[:-1])
    places, chances = _places(points, len(stones)), policy[points].astype(float)
    shapes.discs(axes, places, 0.22 + 0.28 * np.sqrt(chances / chances.max(initial=_LISTED)), POLICY, 5)
    texts = [f"{100 * chance:.0f}" if chance >= _LISTED else "<1" for chance in chances]
    shapes.writing(axes, places, texts, [0.5 if len(text) < 3 else 0.42 for text in texts], "white", 6, bold=True)


def add_territory(
    axes: Axes,
    stones: NDArray[np.int8],
    owner: NDArray[np.int8],
    dead: NDArray[np.bool_],
    seki: NDArray[np.bool_],
    gaps: NDArray[np.bool_],
) -> None:
    """Add stones, the dead ones pale and crossed, and the marks of territory, dame, gaps in borders and seki."""
    side, empty = len(stones), (stones == EMPTY) | dead
    add_stones(axes, stones, dead)
    for colour in COLOURS:
        places = _places(np.flatnonzero(empty & (owner == colour)), side)
        shapes.squares(axes, places, 0.4, STONE_EDGE[colour], 5)
        shapes.squares(axes, places, 0.34, STONE_FILL[colour], 5.1)
    neutral = np.flatnonzero((stones == EMPTY) & (owner == EMPTY))
    _add_diamonds(axes, _places(neutral, side), 0.2, NEUTRAL)
    _add_diamonds(axes, _places(np.flatnonzero(gaps), side), 0.11, WOOD)
    shapes.rings(axes, _places(np.flatnonzero(seki), side), 0.3, 0.1, NEUTRAL, 5)
    add_crosses(axes, stones, dead)


def _add_diamonds(axes: Axes, places: NDArray[np.float64], reach: float, fill: str) -> None:
    """Add a diamond at every place, (P, 2); reach: from its middle to a corner."""
    diamonds = places[:, None] + reach * np.array([(0, 1), (1, 0), (0, -1), (-1, 0)])
    shapes.polygons(axes, diamonds, fill, 5)


def add_crosses(axes: Axes, stones: NDArray[np.int8], dead: NDArray[np.bool_]) -> None:
    """Add a cross on every dead stone."""
    places = _places(np.flatnonzero(dead & (stones != EMPTY)), len(stones))
    shapes.crosses(axes, places, 0.3, 0.17, INK, 6)
    shapes.crosses(axes, places, 0.3, 0.09, CROSS, 6.1)


def add_last(axes: Axes, stones: NDArray[np.int8], last: int | None) -> None:
    """Add a ring on the stone that was played last."""
    if last is not None and last < stones.size and stones.flat[last]:
        ring = STONE_FILL[-int(stones.flat[last])]
        shapes.rings(axes, _places(np.array([last]), len(stones)), 0.42, 0.07, ring, 6.2)


def _prepared(side: int, look: Look) -> Axes:
    axes = look.get("ax")
    axes = new_axes() if axes is None else axes
    add_wood(axes, side, look.get("coordinates", True))
    return axes


def _add_marks(axes: Axes, stones: NDArray[np.int8], look: Look, marked: NDArray[np.bool_] | None = None) -> None:
    add_last(axes, stones, look.get("last"))
    _add_labels(axes, stones, look.get("labels", {}), np.zeros(stones.shape, np.bool_) if marked is None else marked)
    _add_variation(axes, len(stones), look.get("variation", ()))


def _add_labels(axes: Axes, stones: NDArray[np.int8], labels: Mapping[int, str], marked: NDArray[np.bool_]) -> None:
    """Add texts, on a strip where a cross or a ring on the stone is to stay visible, else on a disc."""
    side = len(stones)
    for colour, ink in ((BLACK, STONE_FILL[WHITE]), (WHITE, STONE_FILL[BLACK]), (EMPTY, WRITING)):
        points = [point for point in labels if stones.flat[point] == colour]
        places, texts = _places(np.array(points, int), side), [labels[point] for point in points]
        sizes, on_strip = np.array([_label_size(text) for text in texts]), (marked & (stones != EMPTY)).flat[points]
        # Lines, squares and rings below the text would make it hard to read.
        radius, fill = (0.34, WOOD) if colour == EMPTY else (_STONE - _EDGE, STONE_FILL[colour])
        shapes.discs(axes, places[~on_strip], radius, fill, 6.5)
        shapes.bars(axes, places[on_strip] - _STRIP, places[on_strip] + _STRIP, 0.37, fill, 6.5)
        shapes.writing(axes, places, texts, np.where(on_strip, np.minimum(sizes, 0.46), sizes), ink, 7)


def _add_variation(axes: Axes, side: int, moves: Sequence[tuple[int, int]]) -> None:
    played = [(colour, point) for colour, point in moves if point < side * side]
    stones = np.zeros((side, side), np.int8)
    for colour, point in played:
        stones.flat[point] = colour
    add_stones(axes, stones, alpha=0.7)
    for colour in COLOURS:
        numbers = {point: str(n) for n, (c, point) in enumerate(moves, 1) if c == colour and point < side * side}
        places, texts = _places(np.array(list(numbers), int), side), list(numbers.values())
        shapes.writing(axes, places, texts, [_label_size(text) for text in texts], STONE_FILL[-colour], 7)


def _label_size(text: str) -> float:
    return {1: 0.62, 2: 0.56}.get(len(text), 1.3 / max(len(text), 3))


def _add_coordinates(axes: Axes, side: int) -> None:
    at, low, high = np.arange(side), np.full(side, -1.0), np.full(side, float(side))
    letters = [gtp_name(column, side)[0] for column in range(side)]
    numbers = [str(row + 1) for row in range(side)]
    places = [np.column_stack(each) for each in ((at, low), (at, high), (low, at), (high, at))]
    shapes.writing(axes, np.concatenate(places), 2 * letters + 2 * numbers, _TEXT, WRITING, 2)


def _explained(axes: Axes, parts: Sequence[str]) -> Axes:
    axes.set_xlabel(LEGEND_GAP.join(parts), color=INK, fontsize=13.5)
    return axes


def _places(points: NDArray[np.integer[Any]], side: int) -> NDArray[np.float64]:
    """Return (x, y), float (K, 2), of flat indices (K,)."""
    row, column = np.divmod(np.asarray(points, int), side)
    return np.column_stack([column, side - 1 - row]).astype(float)
