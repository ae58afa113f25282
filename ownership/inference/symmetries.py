"""What a network reads turned by the symmetries of the board, and what it answers turned back and averaged.

Of B positions and S symmetries there are B*S images: image i shows position i // S turned by symmetry i % S.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from goban import symmetry
from ownership.inference.runtime import Arrays

Indices = NDArray[np.intp]


def turned(inputs: Arrays, positions: Indices, symmetries: Indices) -> Arrays:
    """Return what a network reads for some images.

    Args:
        inputs: of each position: `planes` (B, N, N, C) and, if the network reads them, `chains` (B, N, N).
        positions: index into the inputs, one for each image. symmetries: 0..7, one for each image.

    A chain id is the index of a point of the chain: it is renamed to the index of that point's image.
    """
    side = inputs["planes"].shape[1]
    points = side * side
    sources = positions[:, None] * points + _sources(side)[symmetries, :points]
    planes = inputs["planes"].reshape(-1, inputs["planes"].shape[-1])
    images = {"planes": planes.take(sources, axis=0).reshape(len(positions), side, side, -1)}
    if "chains" in inputs:
        ids = np.take_along_axis(_images(side)[symmetries], inputs["chains"].take(sources), axis=1)
        images["chains"] = ids.astype(np.int32).reshape(-1, side, side)
    return images


def averaged(outputs: Arrays, symmetries: int) -> dict[str, NDArray[np.float32]]:
    """Return the means over the first `symmetries` symmetries of a network's outputs for all images.

    outputs: `ownership` (B*S, N, N) and, where the network has them, `policy` (B*S, N*N + 1) and `score` (B*S, 2);
    float32, as the means, which have B for B*S.
    """
    if symmetries == 1:
        return dict(outputs)
    side = outputs["ownership"].shape[-1]
    means = {}
    for name, values in outputs.items():
        images = values.reshape(-1, symmetries, values[0].size)
        if name != "score":
            images = np.take_along_axis(images, _images(side)[None, :symmetries, : images.shape[-1]], axis=2)
        means[name] = images.mean(axis=1).reshape(-1, *values.shape[1:])
    return means


@cache
def _sources(side: int) -> Indices:
    """Return (8, N*N + 1): for each symmetry the point from which each point's content comes, a pass from a pass."""
    points = np.arange(side * side).reshape(side, side)
    return np.array([[*symmetry.apply(points, k).ravel(), side * side] for k in symmetry.SYMMETRIES], np.intp)


@cache
def _images(side: int) -> Indices:
    """Return (8, N*N + 1): for each symmetry the point to which each point goes, a pass to a pass."""
    return np.argsort(_sources(side), axis=1)
