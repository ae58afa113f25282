"""The players' claims about chains, each by a vertex of one of its stones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY, parse_gtp, pass_point
from goban.counting.claims import Claims
from goban.errors import InputError, cut, shown, wrong_type
from goban.position import Position


@dataclass(frozen=True)
class VertexClaims:
    """Chains that the players call dead, alive or in seki, each by a GTP vertex of one of its stones.

    Raises:
        InputError: a single text in the place of a list.
        TypeError: no list, or a vertex that is no text.
    """

    dead: Sequence[str] = ()
    alive: Sequence[str] = ()
    seki: Sequence[str] = ()

    def __post_init__(self) -> None:
        for kind, vertices in vars(self).items():
            if isinstance(vertices, str):
                raise InputError(f"{kind}: expected a list of vertices. Received: {shown(vertices)}")
            if not isinstance(vertices, Iterable):
                raise wrong_type(f"{kind} as a list of vertices", vertices)
            for vertex in vertices:
                if not isinstance(vertex, str):
                    raise TypeError(f"{kind}: expected vertices such as D4. Received: {shown(vertex)}")

    def __bool__(self) -> bool:
        """Return whether anything is claimed."""
        return bool(self.dead or self.alive or self.seki)

    def on(self, position: Position) -> Claims:
        """Return the claims about a position; raise InputError for a vertex without a stone, or contradictions."""
        chains = {kind: _chains(position, kind, vertices) for kind, vertices in vars(self).items()}
        for dead, points in chains["dead"].items():
            for kind in ("alive", "seki"):
                for vertex, others in chains[kind].items():
                    if points & others:
                        received = f"{kind} {vertex} as well"
                        raise InputError(f"dead {dead}: expected one mark for each chain. Received: {received}")
        return Claims(*(_mask(position, found.values()) for found in chains.values()))


def _chains(position: Position, kind: str, vertices: Sequence[str]) -> dict[str, frozenset[int]]:
    """Return the points of the chain with a stone at each vertex; raise InputError, which names kind and vertex."""
    chains = {}
    for vertex in vertices:
        try:
            point = parse_gtp(vertex, position.side)
        except InputError:
            received = f"no vertex of a {position.side}x{position.side} board"
            raise InputError(f"{kind} {cut(vertex)}: expected a vertex with a stone. Received: {received}") from None
        if point == pass_point(position.side) or position.stones.flat[point] == EMPTY:
            raise InputError(f"{kind} {vertex}: expected a vertex with a stone. Received: an empty point")
        ids = position.chain_ids().ravel()
        chains[vertex] = frozenset(np.flatnonzero(ids == ids[point]).tolist())
    return chains


def _mask(position: Position, chains: Iterable[frozenset[int]]) -> NDArray[np.bool_]:
    """Return bool (N, N): the points of some chains."""
    found = np.zeros(position.stones.shape, np.bool_)
    for points in chains:
        found.flat[list(points)] = True
    return found
