"""Images of boards turned by symmetries: requests for them, and a network's outputs turned back and averaged.

Of B positions in S symmetries there are B*S images: image i shows position i // S turned by symmetry i % S.
"""

from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.coords import destinations, sources
from ownership.inference.image_requests import ImageRequest
from ownership.inference.litert_network import NamedArrays

Indices = NDArray[np.intp]


@dataclass(frozen=True)
class TurnedRequest:
    """Images of another request, each turned by a symmetry of `goban.coords`.

    Attributes:
        request: the images as they are.
        shown: intp (I,), rising, the image of the request that each image shows.
        turns: intp (I,) in 0..7, the symmetry that each is turned by.
    """

    request: ImageRequest
    shown: Indices
    turns: Indices

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.request.side

    def __len__(self) -> int:
        return len(self.turns)

    def inputs(self, start: int, stop: int) -> NamedArrays:
        """Return the inputs of the network for some images."""
        first, last = int(self.shown[start]), int(self.shown[stop - 1])
        return turned(self.request.inputs(first, last + 1), self.shown[start:stop] - first, self.turns[start:stop])


def in_symmetries(request: ImageRequest, symmetries: int) -> ImageRequest:
    """Return the request for every image of another one in the first `symmetries` symmetries."""
    images = np.arange(len(request) * symmetries)
    return request if symmetries == 1 else TurnedRequest(request, *np.divmod(images, symmetries))


def turned(inputs: NamedArrays, positions: Indices, symmetries: Indices) -> dict[str, NDArray[Any]]:
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


def turned_back(outputs: NamedArrays, symmetries: Indices) -> dict[str, NDArray[np.float32]]:
    """Return a network's outputs for images that were turned by one symmetry each, as seen on the boards as they were.

    Args:
        outputs: float32, as far as the network has them: `ownership` (I, N, N), `policy` (I, N*N + 1), `score` (I, 2),
            `resign` (I, 1), `margin` (I, 2) and `value` (I, 3).
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


def averaged(outputs: NamedArrays, symmetries: int) -> dict[str, NDArray[np.float32]]:
    """Return the means of a network's outputs over S symmetries, for each image of a request `in_symmetries`."""
    if symmetries == 1:
        return dict(outputs)
    turns = np.arange(len(next(iter(outputs.values())))) % symmetries
    means = {}
    for name, values in turned_back(outputs, turns).items():
        images = values.reshape(-1, symmetries, values[0].size)
        means[name] = images.mean(axis=1).reshape(-1, *values.shape[1:])
    return means
