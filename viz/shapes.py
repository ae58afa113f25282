"""Shapes measured in lines of the board, so that a picture looks the same at any size and in any format.

Each function adds one artist to the axes and returns it. `places` are (x, y), float (K, 2).
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection, EllipseCollection, PathCollection, PolyCollection
from matplotlib.font_manager import FontProperties
from matplotlib.path import Path
from matplotlib.textpath import TextPath
from numpy.typing import ArrayLike, NDArray

Places = NDArray[np.floating[Any]]

_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def discs(axes: Axes, places: Places, radii: ArrayLike, colour: Any, zorder: float, alpha: float = 1) -> Artist:
    """Add discs, all of one radius or each of its own."""
    across = 2 * np.broadcast_to(np.asarray(radii, float), len(places))
    found = EllipseCollection(
        across, across, np.zeros(len(places)), units="xy", offsets=places, offset_transform=axes.transData
    )
    found.set(facecolor=colour, edgecolor="none", alpha=alpha)
    return _added(axes, found, zorder)


def squares(axes: Axes, places: Places, sizes: ArrayLike, colour: Any, zorder: float) -> Artist:
    """Add upright squares; `sizes`, their sides, and `colour` are one for all or one each."""
    sides = np.broadcast_to(np.asarray(sizes, float), len(places))
    corners = np.asarray(places, float)[:, None] + sides[:, None, None] * _CORNERS
    return polygons(axes, corners, colour, zorder)


def bars(axes: Axes, starts: Places, ends: Places, width: float, colour: Any, zorder: float) -> Artist:
    """Add straight bars from `starts` to `ends`, both (K, 2), with square caps."""
    starts, ends = np.asarray(starts, float).reshape(-1, 2), np.asarray(ends, float).reshape(-1, 2)
    along = (ends - starts) / np.linalg.norm(ends - starts, axis=1, keepdims=True) * width / 2
    aside = along[:, ::-1] * (-1, 1)
    first, last = starts - along, ends + along
    return polygons(axes, np.stack([first + aside, first - aside, last - aside, last + aside], 1), colour, zorder)


def crosses(axes: Axes, places: Places, arm: float, width: float, colour: Any, zorder: float) -> Artist:
    """Add diagonal crosses whose arms reach `arm` lines to each side."""
    places = np.asarray(places, float).reshape(-1, 2)
    up, down = np.array((arm, arm)), np.array((arm, -arm))
    starts, ends = np.concatenate([places - up, places - down]), np.concatenate([places + up, places + down])
    return bars(axes, starts, ends, width, colour, zorder)


def rings(
    axes: Axes, places: Places, radius: float, width: float, colour: Any, zorder: float, alpha: float = 1
) -> Artist:
    """Add rings of an outer radius and a width."""
    circle = Path.unit_circle()
    # The inner edge runs the other way round, which makes it a hole.
    ring = Path.make_compound_path(_changed(circle, radius), _changed(circle, (radius - width) * np.array((1, -1))))
    found = _paths(axes, [_changed(ring, 1, place) for place in places], colour, zorder)
    found.set(alpha=alpha)
    return found


def writing(
    axes: Axes,
    places: Places,
    texts: Sequence[str],
    sizes: ArrayLike,
    colour: Any,
    zorder: float,
    bold: bool = False,
) -> Artist:
    """Add texts centred on their places, all of one size or each of its own."""
    heights = np.broadcast_to(np.asarray(sizes, float), len(texts)).tolist()
    each = zip(texts, heights, places, strict=True)
    paths = [_changed(_glyphs(text, bold), height, place) for text, height, place in each]
    return _paths(axes, paths, colour, zorder)


def polygons(axes: Axes, corners: Places, colour: Any, zorder: float) -> Artist:
    """Add filled polygons, corners (K, V, 2)."""
    return _added(axes, PolyCollection(list(corners), facecolors=colour, edgecolors="none", linewidths=0), zorder)


def _paths(axes: Axes, paths: Sequence[Path], colour: Any, zorder: float) -> Artist:
    return _added(axes, PathCollection(paths, facecolors=colour, edgecolors="none", linewidths=0), zorder)


def _added(axes: Axes, shape: Collection, zorder: float) -> Artist:
    # Snapped to pixels, small shapes would miss their places and letters their bars.
    shape.set(zorder=zorder, snap=False)
    return axes.add_collection(shape, autolim=False)


def _changed(path: Path, scale: ArrayLike, shift: ArrayLike = 0.0) -> Path:
    return Path(np.asarray(path.vertices) * np.asarray(scale) + np.asarray(shift), path.codes)


@cache
def _glyphs(text: str, bold: bool) -> Path:
    """Return the outline of a text of size 1, centred on the origin."""
    path = TextPath(
        (0, 0), text, size=1, prop=FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    )
    box = path.get_extents()
    # The height of capitals counts, so that a row of letters and numbers shares one base line.
    return _changed(path, 1, (-(box.x0 + box.x1) / 2, -0.365))
