"""Requests to a network: images of boards of one side, whose planes are made when a batch takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.runtime import Arrays
from ownership.inference.symmetries import turned
from preprocessing.features.katago import katago_numbers, katago_planes
from preprocessing.features.names import RANKS
from preprocessing.features.planes import FeatureSet, describe


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
