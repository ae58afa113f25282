"""What players say about the chains of a position, by vertices."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY, gtp_name, parse_gtp, pass_point
from goban.counting.claims import Claims
from goban.errors import InputError
from goban.position import Position


@dataclass(frozen=True)
class VertexClaims:
    """Chains that the players call dead, alive or in seki, each by a GTP vertex of one of its stones."""

    dead: Sequence[str] = ()
    alive: Sequence[str] = ()
    seki: Sequence[str] = ()

    def __bool__(self) -> bool:
        """Return whether anything is claimed."""
        return bool(self.dead or self.alive or self.seki)

    def on(self, position: Position) -> Claims:
        """Return the claims about a position; raise InputError for a vertex without a stone, or contradictions."""
        claims = Claims(*(_chains_at(position, vertices) for vertices in (self.dead, self.alive, self.seki)))
        contradicted = np.flatnonzero(claims.dead & (claims.alive | claims.seki))
        if contradicted.size:
            vertex = gtp_name(int(contradicted[0]), position.side)
            raise InputError(f"expected one claim about each chain. Received: {vertex} dead and alive")
        return claims


def _chains_at(position: Position, vertices: Sequence[str]) -> NDArray[np.bool_]:
    """Return bool (N, N): the stones of the chains that have a stone at one of the vertices; raise InputError."""
    ids = position.chain_ids()
    found = np.zeros(ids.shape, np.bool_)
    for vertex in vertices:
        point = parse_gtp(vertex, position.side)
        if point == pass_point(position.side) or position.stones.flat[point] == EMPTY:
            raise InputError(f"expected a vertex with a stone. Received: {vertex}")
        found |= ids == ids.flat[point]
    return found
