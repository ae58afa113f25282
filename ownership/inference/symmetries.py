"""Inputs of a network turned by the symmetries of the board, and its outputs turned back and averaged.

Of B positions and S symmetries there are B*S images: image i shows position i // S turned by symmetry i % S.
"""

from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.symmetry import destinations, sources
from ownership.inference.runtime import Arrays

Indices = NDArray[np.intp]


def turned(inputs: Arrays, positions: Indices, symmetries: Indices) -> dict[str, NDArray[Any]]:
    """Return the inputs of a network for I images of B positions.

    Args:
        inputs: of the positions: `planes` (B, N, N, C) and, if the network reads them, `chains` (B, N, N) and `globals`
            (B, G).
        positions: intp (I,), index of the position that each image shows.
        symmetries: integers (I,) in 0..7, the symmetry that each image is turned by.

    A chain id is the flat index of a point of the chain, so it becomes the index to which that point goes.
    """
    planes = inputs["planes"]
    _, side, _, channels = planes.shape
    points = side * side
    origins = sources(side)[symmetries, :points] + positions[:, None] * points  # in all boards, one after the other
    images = {"planes": planes.reshape(-1, channels).take(origins, axis=0).reshape(-1, side, side, channels)}
    if "chains" in inputs:
        ids = inputs["chains"].take(origins)
        images["chains"] = destinations(side)[symmetries[:, None], ids].astype(np.int32).reshape(-1, side, side)
    if "globals" in inputs:
        images["globals"] = inputs["globals"][positions]
    return images


def averaged(outputs: Arrays, symmetries: int) -> dict[str, NDArray[np.float32]]:
    """Return the means over the first `symmetries` symmetries of a network's outputs for all images.

    Args:
        outputs: float32, as far as the network has them: `ownership` (B*S, N, N), `policy` (B*S, N*N + 1), `score`
            (B*S, 2), `resign` (B*S, 1) and `value` (B*S, 3).
        symmetries: S, 1..8.

    Returns:
        the same arrays with B for B*S.
    """
    if symmetries == 1:
        return dict(outputs)
    means = {}
    for name, values in outputs.items():
        images = values.reshape(-1, symmetries, values[0].size)
        if name in ("ownership", "policy"):
            side = isqrt(values[0].size)
            images = np.take_along_axis(images, destinations(side)[None, :symmetries, : images.shape[-1]], axis=2)
        means[name] = images.mean(axis=1).reshape(-1, *values.shape[1:])
    return means


def turned_back(outputs: Arrays, symmetries: Indices) -> dict[str, NDArray[np.float32]]:
    """Return a network's outputs for images that were turned by one symmetry each, as seen on the boards as they were.

    Args:
        outputs: of I images, as for `averaged`.
        symmetries: integers (I,) in 0..7.
    """
    turned = {}
    for name, values in outputs.items():
        images = values.reshape(len(values), -1)
        if name in ("ownership", "policy"):
            places = destinations(isqrt(values[0].size))[symmetries, : images.shape[1]]
            images = images.take(places + np.arange(0, images.size, images.shape[1])[:, None])
        turned[name] = images.reshape(values.shape)
    return turned
