"""Requests to a network: images of boards of one side, as they are or turned by the symmetries of the board.

The inputs of images are made when a batch takes them. Of B positions and S symmetries there are B*S images: image i
shows position i // S turned by symmetry i % S.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from goban.rulesets import Terms
from goban.symmetry import destinations, sources
from ownership.inference.runtime import Arrays
from preprocessing.features.katago import katago_numbers, katago_planes
from preprocessing.features.names import RANKS
from preprocessing.features.planes import FeatureSet, describe

Indices = NDArray[np.intp]


class Request(Protocol):
    """Images of boards of one side; `len` counts them."""

    @property
    def side(self) -> int:
        """The side of all boards."""
        ...

    def __len__(self) -> int: ...

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the inputs of the network for the images from `start` up to `stop`, 0 <= start < stop <= len.

        `planes` float32 (stop - start, N, N, C) and, for networks that read them, `chains` int32 (stop - start, N, N)
        and `globals` float32 (stop - start, G).
        Several threads may call it at the same time.
        """
        ...


@dataclass(frozen=True)
class PositionRequest:
    """Positions of one board side, at least one.

    Attributes:
        positions: one image each.
        feature_set: the planes to make of them.
        reads_chains: whether the network reads chain ids too.
        rank: of the players in dan, for the planes that show it.
    """

    positions: Sequence[Position]
    feature_set: FeatureSet
    reads_chains: bool
    rank: int = RANKS

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.positions[0].side

    def __len__(self) -> int:
        return len(self.positions)

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the planes and chain ids of some positions."""
        planes, chains = describe(self.positions[start:stop], self.feature_set, self.rank)
        return {"planes": planes, "chains": chains} if self.reads_chains else {"planes": planes}


@dataclass(frozen=True)
class KataGoRequest:
    """Positions of one board side, at least one, for a network of KataGo.

    Attributes:
        positions: one image each.
        terms: of each.
        strict: see `KataGoConfig.strict_pass_alive`.
    """

    positions: Sequence[Position]
    terms: Sequence[Terms]
    strict: bool = False

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.positions[0].side

    def __len__(self) -> int:
        return len(self.positions)

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the planes and numbers of some positions."""
        positions, terms = self.positions[start:stop], self.terms[start:stop]
        return {"planes": katago_planes(positions, terms, self.strict), "globals": katago_numbers(positions, terms)}


@dataclass(frozen=True)
class PlaneRequest:
    """Planes that were made before.

    Attributes:
        planes: float32 (B, N, N, C), one image each.
        chains: int32 (B, N, N), chain ids; None for networks that read none.
    """

    planes: NDArray[np.float32]
    chains: NDArray[np.int32] | None

    @property
    def side(self) -> int:
        """The side of all boards."""
        return int(self.planes.shape[1])

    def __len__(self) -> int:
        return len(self.planes)

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return some of the planes and chain ids."""
        inputs = {"planes": self.planes[start:stop]}
        return inputs if self.chains is None else {**inputs, "chains": self.chains[start:stop]}


@dataclass(frozen=True)
class SingleTurnRequest:
    """Every image of another request, turned by one symmetry of `goban.symmetry` each: `turns`, one for each image."""

    request: Request
    turns: Sequence[int]

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.request.side

    def __len__(self) -> int:
        return len(self.request)

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the inputs of the network for some images."""
        inputs = self.request.inputs(start, stop)
        return turned(inputs, np.arange(stop - start), np.array(self.turns[start:stop], np.intp))


@dataclass(frozen=True)
class TurnedRequest:
    """Every image of another request in several symmetries: image i is its image i // S turned by symmetry i % S.

    Attributes:
        request: the images as they are.
        symmetries: S, the number of symmetries of `goban.symmetry`, from the first.
    """

    request: Request
    symmetries: int

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.request.side

    def __len__(self) -> int:
        return len(self.request) * self.symmetries

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the inputs of the network for some images."""
        first, last = start // self.symmetries, (stop - 1) // self.symmetries
        images, symmetries = np.divmod(np.arange(start, stop), self.symmetries)
        return turned(self.request.inputs(first, last + 1), images - first, symmetries)


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
