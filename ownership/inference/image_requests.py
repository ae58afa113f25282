"""Requests to a network: images of boards, whose inputs are made when a batch takes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.litert_network import NamedArrays
from planes.feature_sets import FeatureSet
from planes.katago_inputs import katago_numbers, katago_planes
from planes.plane_names import RANKS
from planes.position_planes import planes_and_chains


class ImageRequest(Protocol):
    """Images of boards of one side; `len` counts them."""

    @property
    def side(self) -> int:
        """The side of all boards."""
        ...

    def __len__(self) -> int: ...

    def inputs(self, start: int, stop: int) -> NamedArrays:
        """Return the inputs of the network for the images from `start` up to `stop`, 0 <= start < stop <= len.

        `planes` float32 (stop - start, N, N, C) and, for networks that read them, `chains` int32 (stop - start, N, N)
        and `globals` float32 (stop - start, G).
        Several threads may call it at the same time.
        """
        ...


@dataclass(frozen=True)
class _Positions:
    """Positions of one board side, at least one, with an image each."""

    positions: Sequence[Position]

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.positions[0].side

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True)
class PositionRequest(_Positions):
    """Positions for a network of this project.

    Attributes:
        feature_set: the planes to make of them.
        reads_chains: whether the network reads chain ids too.
        rank: of the players in dan, for the planes that show it.
    """

    feature_set: FeatureSet
    reads_chains: bool
    rank: int = RANKS

    def inputs(self, start: int, stop: int) -> NamedArrays:
        """Return the planes and chain ids of some positions."""
        planes, chains = planes_and_chains(self.positions[start:stop], self.feature_set, self.rank)
        return {"planes": planes, "chains": chains} if self.reads_chains else {"planes": planes}


@dataclass(frozen=True)
class KataGoRequest(_Positions):
    """Positions for a network of KataGo.

    Attributes:
        terms: of each.
        strict: see `KataGoConfig.strict_pass_alive`.
    """

    terms: Sequence[Terms]
    strict: bool = False

    def inputs(self, start: int, stop: int) -> NamedArrays:
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

    def inputs(self, start: int, stop: int) -> NamedArrays:
        """Return some of the planes and chain ids."""
        inputs = {"planes": self.planes[start:stop]}
        return inputs if self.chains is None else {**inputs, "chains": self.chains[start:stop]}
