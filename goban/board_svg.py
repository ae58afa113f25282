"""Boards as SVG, without any package: for positions in Jupyter, and under the drawings of web pages.

One unit is the distance between two lines; x is the column and y the row, so that the upper left point is (0, 0). Each
kind of thing is a group with a class of its own, in this order: `lines`, `coordinates`, `shades`, `stones`, `values`,
`marks`. `board.js` of the web pages draws into the same groups, and in the same way.
"""

from collections.abc import Iterable, Iterator
from html import escape

import numpy as np
import numpy.typing as npt

from goban.board_colours import (
    CROSS,
    DARK_WOOD,
    LIGHT_WOOD,
    LINE,
    SHADOW,
    STONE_EDGE,
    STONE_FILL,
    STONE_GRADIENT,
    WOOD,
    WRITING,
)
from goban.coords import BLACK, EMPTY, WHITE, gtp_name
from goban.star_points import star_points

_FAINT = 0.1  # value below which nothing is drawn
_STAYS = 0.33  # value from which a stone gets no square, two to one
_SQUARE = 0.42
_DARKEST = 0.5  # opacity of the shade of a certain point
_PALE = 0.5  # opacity of a dead stone


def render_svg(
    stones: npt.NDArray[np.int8],
    *,
    last: int | None = None,
    values: npt.NDArray[np.float32] | None = None,
    crossed: npt.NDArray[np.bool_] | None = None,
    label: str = "Go board",
    pixels: int = 480,
) -> str:
    """Return a board as an SVG element.

    Args:
        stones: int8 (N, N), 1 Black, -1 White, 0 empty.
        last: flat index of the last move, which gets a ring; None or N*N (a pass) for none.
        values: (N, N) in [-1, 1], +1 Black's, -1 White's; shades, the deeper the surer, and squares on stones that are
            not likely to stay.
        crossed: bool (N, N), dead stones, which are pale and have a cross.
        label: the description for screen readers.
        pixels: width and height where the page does not set them.
    """
    side = len(stones)
    groups = {
        "lines": _lines(side),
        "coordinates": _coordinates(side),
        "shades": [] if values is None else _shades(values),
        "stones": _stones(stones, crossed),
        "values": [] if values is None else _squares(stones, values),
        "marks": [*_ring(stones, last), *([] if crossed is None else _crosses(crossed))],
    }
    drawn = "".join(f'<g class="{name}"{_ATTRIBUTES[name]}>{"".join(parts)}</g>' for name, parts in groups.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.5 -1.5 {side + 2} {side + 2}" width="{pixels}" '
        f'height="{pixels}" role="img" aria-label="{escape(label)}">'
        f"<defs>{_DEFINITIONS}</defs>"
        f'<rect class="wood" x="-1.5" y="-1.5" width="{side + 2}" height="{side + 2}" fill="url(#wood)"/>{drawn}</svg>'
    )


_ATTRIBUTES = {
    "lines": f' stroke="{LINE}" stroke-width=".045" stroke-linecap="square" fill="{LINE}"',
    "coordinates": f' fill="{WRITING}" font-family="sans-serif" font-size=".55" text-anchor="middle"',
    "shades": ' shape-rendering="crispEdges"',
    "stones": "",
    "values": "",
    "marks": ' fill="none"',
}


def _lines(side: int) -> Iterator[str]:
    rows = "".join(f"M0 {at}H{side - 1}M{at} 0V{side - 1}" for at in range(side))
    yield f'<path d="{rows}"/>'
    yield from (f'<circle cx="{x}" cy="{y}" r=".09" stroke="none"/>' for x, y in star_points(side))


def _coordinates(side: int) -> Iterator[str]:
    for at in range(side):
        letter, number = gtp_name(at, side)[0], side - at
        for x, y, text in ((at, -1, letter), (at, side, letter), (-1, at, number), (side, at, number)):
            yield f'<text x="{x}" y="{y + 0.2:g}">{text}</text>'


def _gradient(colour: int) -> str:
    stops = "".join(f'<stop offset="{at:g}" stop-color="{fill}"/>' for at, fill in STONE_GRADIENT[colour])
    shadow = "".join(
        f'<stop offset="{at}" stop-color="{SHADOW}" stop-opacity="{dark}"/>' for at, dark in (("0.94", 0.5), ("1", 0))
    )
    return (
        f'<radialGradient id="{_STONE_ID[colour]}" cx=".5" cy=".5" r=".5" fx=".36" fy=".3">{stops}{shadow}'
        "</radialGradient>"
    )


_STONE_ID = {BLACK: "black-stone", WHITE: "white-stone"}
_GRAIN = (
    f'<linearGradient id="wood" x2="1" y2=".25"><stop offset="0" stop-color="{LIGHT_WOOD}"/>'
    f'<stop offset=".5" stop-color="{WOOD}"/><stop offset="1" stop-color="{DARK_WOOD}"/></linearGradient>'
)
_DEFINITIONS = _gradient(BLACK) + _gradient(WHITE) + _GRAIN


def _stones(stones: npt.NDArray[np.int8], crossed: npt.NDArray[np.bool_] | None) -> Iterator[str]:
    for colour in (BLACK, WHITE):
        for x, y in _places(stones == colour):
            pale = "" if crossed is None or not crossed[y, x] else f' opacity="{_PALE}"'
            yield f'<circle cx="{x}" cy="{y}" r=".5" fill="url(#{_STONE_ID[colour]})"{pale}/>'


def _shades(values: npt.NDArray[np.float32]) -> Iterator[str]:
    for x, y in _places(np.abs(values) > _FAINT):
        look = f'fill="{_owner_fill(values[y, x])}" opacity="{_DARKEST * min(abs(float(values[y, x])), 1):.2g}"'
        yield f'<rect x="{x - 0.5:g}" y="{y - 0.5:g}" width="1" height="1" {look}/>'


def _squares(stones: npt.NDArray[np.int8], values: npt.NDArray[np.float32]) -> Iterator[str]:
    for x, y in _places((stones != EMPTY) & (np.abs(values) > _FAINT) & (stones * values < _STAYS)):
        corner, look = _SQUARE / 2, f'fill="{_owner_fill(values[y, x])}" stroke="{LINE}" stroke-width=".04"'
        place = f'x="{x - corner:g}" y="{y - corner:g}" width="{_SQUARE}" height="{_SQUARE}"'
        yield f'<rect {place} {look} opacity="{max(0.4, min(abs(float(values[y, x])), 1)):.2g}"/>'


def _owner_fill(value: float) -> str:
    return STONE_FILL[BLACK if value > 0 else WHITE]


def _ring(stones: npt.NDArray[np.int8], last: int | None) -> Iterator[str]:
    if last is not None and last < stones.size and stones.flat[last] != EMPTY:
        y, x = divmod(last, len(stones))
        yield f'<circle cx="{x}" cy="{y}" r=".38" stroke="{STONE_FILL[-int(stones.flat[last])]}" stroke-width=".07"/>'


def _crosses(crossed: npt.NDArray[np.bool_]) -> Iterator[str]:
    path = "".join(f"M{x - 0.3:g} {y - 0.3:g}l.6 .6m0 -.6l-.6 .6" for x, y in _places(crossed))
    if path:
        yield f'<path d="{path}" stroke="{STONE_EDGE[BLACK]}" stroke-width=".17"/>'
        yield f'<path d="{path}" stroke="{CROSS}" stroke-width=".09"/>'


def _places(chosen: npt.NDArray[np.bool_]) -> Iterable[tuple[int, int]]:
    """Return (x, y) of the points that are true."""
    rows, columns = np.nonzero(chosen)
    return zip(columns.tolist(), rows.tolist(), strict=True)
