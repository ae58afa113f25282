"""A position that is judged by an ownership: its chains and groups, and facts that need no reading of moves."""

from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.chain_kernels import label
from goban.coords import EMPTY
from goban.pass_alive import pass_alive
from goban.position import Chain, Position
from goban.regions import region_owners
from goban.two_eyes import two_eyed, weak_points

_OWNED: Final = 0.9  # |ownership| from which an empty point beside both colours belongs to one of them
_MOST_TERRITORY: Final = 8  # points of a group that may be weak


class RolledOut(NamedTuple):
    """The mean owners of the points at the ends of rollouts, and their share in judging stones, float32 (N, N) each."""

    ownership: NDArray[np.float32]
    share: NDArray[np.float32]


class Groups:
    """The stones that are left once dead ones are gone, who owns each point, and what the points of one owner connect.

    Attributes:
        left: int8 (N, N), the living stones.
        owner: int8 (N, N), of `region_owners`.
        ids: int32 (N*N,), the first point of each point's group; dame have groups of their own.
    """

    def __init__(self, stones: Stones, dead: Mask, ownership: NDArray[np.float32]) -> None:
        """Find the groups of stones, int8 (N, N), without the dead ones, bool (N, N); the ownership divides."""
        self.left: Stones = np.where(dead, EMPTY, stones).astype(np.int8)
        self.owner = region_owners(len(stones), self.left.ravel()).reshape(stones.shape)
        self.ids = label(len(stones), self.owner.ravel())
        self._ownership = ownership

    @cached_property
    def weak(self) -> Mask:
        """bool (N*N,): the points of groups with little territory, not all of whose stones live unconditionally."""
        return weak_points(self.left.ravel(), self.owner.ravel(), self.ids, self.pass_alive, _MOST_TERRITORY)

    @cached_property
    def territory(self) -> NDArray[np.int32]:
        """int32 (N*N,): the first point of each region of territory, dead stones in it included."""
        return label(len(self.left), np.where(self.left == EMPTY, self.owner, EMPTY).ravel())

    @cached_property
    def pass_alive(self) -> Stones:
        """int8 (N*N,): the colour that owns a point even if it always passes, without dead stones (Benson, 1976)."""
        return pass_alive(len(self.left), self.left.ravel())

    @cached_property
    def two_eyed(self) -> Mask:
        """bool (N*N,): the stones of groups with two eyes that can be seen; the ownership divides shared areas."""
        divided = (self.owner == EMPTY) & (np.abs(self._ownership) >= _OWNED)
        shared = np.where(divided, np.sign(self._ownership), self.owner).astype(np.int8)
        return two_eyed(len(self.left), self.left.ravel(), shared.ravel())


class PositionReader:
    """A finished position, the ownership of its points, and facts that follow without reading.

    Attributes:
        position: N by N.
        ownership: float32 (N, N) in [-1, 1].
        judged: float32 (N, N), the ownership with that of rollouts mixed in, by which stones are judged.
    """

    def __init__(
        self, position: Position, ownership: NDArray[np.float32] | None = None, rollouts: RolledOut | None = None
    ) -> None:
        """Read a position, by an ownership that divides what both colours touch, None for one of zeros."""
        self.position = position
        self.ownership = np.zeros(position.stones.shape, np.float32) if ownership is None else ownership
        self.judged, self._rollouts = self.ownership, rollouts
        if rollouts is not None:
            self.judged = (1 - rollouts.share) * self.ownership + rollouts.share * rollouts.ownership
        self._groups: dict[bytes, Groups] = {}

    @property
    def side(self) -> int:
        """The N of an N by N board."""
        return self.position.side

    @property
    def stones(self) -> Stones:
        """int8 (N, N)."""
        return self.position.stones

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        """All chains, in the order of their first points."""
        return self.position.chains()

    @cached_property
    def means(self) -> NDArray[np.float32]:
        """float32 (N, N): the ownership, that of stones averaged over their chains."""
        return self.position.chain_means(self.ownership)

    @cached_property
    def survival(self) -> NDArray[np.float32]:
        """float32 (N, N): from -1 for stones judged to be surely dead to 1 for living ones, the same for a chain."""
        return self.stones * self.position.chain_means(self.judged)

    @cached_property
    def contested(self) -> Mask:
        """bool (N, N): stones that ownership and rollouts, if these are asked about them, give to different sides."""
        if self._rollouts is None:
            return np.zeros(self.stones.shape, np.bool_)
        asked = np.abs(self.stones) * self._rollouts.share
        return self.means * self.position.chain_means(self._rollouts.ownership) * asked < 0

    @cached_property
    def pass_alive(self) -> Stones:
        """int8 (N, N): the colour that owns a point even if it always passes (Benson, 1976), else 0."""
        return pass_alive(self.side, self.position.flat).reshape(self.stones.shape)

    def groups(self, dead: Mask) -> Groups:
        """Return the groups once dead stones, bool (N, N), are gone."""
        key = dead.tobytes()
        if key not in self._groups:
            self._groups[key] = Groups(self.stones, dead, self.ownership)
        return self._groups[key]

    def mask(self, chains: list[Chain]) -> Mask:
        """Return bool (N, N): the stones of some chains."""
        found = np.zeros(self.stones.shape, np.bool_)
        for chain in chains:
            found.flat[list(chain.points)] = True
        return found
