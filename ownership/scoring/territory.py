"""The territory that a record marks with TB and TW at its end, compared with the count."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY, colour_name, gtp_name, gtp_names
from ownership.scoring.games import ScoredGame

_MOST_NAMED: Final = 20  # points


def territory_differs(scored: ScoredGame) -> NDArray[np.bool_] | None:
    """Return bool (N, N): points that the record gives to another side, or to neither, as territory.

    None where the record marks no territory, or the position is not its last one, or not counted.
    """
    marked, answer = scored.game.territory, scored.estimate
    if marked is None or not answer.finished or scored.moves < len(scored.game.moves):
        return None
    stones = scored.position.stones
    theirs = marked.reshape(stones.shape)
    theirs = np.where(theirs == stones, EMPTY, theirs)  # some programs mark living stones too
    ours = np.where((stones == EMPTY) | answer.dead, answer.owner, EMPTY)
    return np.asarray(ours != theirs)


def territory_text(scored: ScoredGame) -> str:
    """Return a line that names the chains and points that the record judges otherwise; "" where it marks none."""
    differs = territory_differs(scored)
    if differs is None:
        return ""
    if not differs.any():
        return "Territory in the record (TB, TW): the same"
    position, named = scored.position, []
    for chain in position.chains():
        if differs.flat[chain.points[0]]:
            ours, theirs = ("dead", "alive") if scored.estimate.dead.flat[chain.points[0]] else ("alive", "dead")
            vertex = gtp_name(chain.points[0], position.side)
            named.append(f"{colour_name(chain.colour)}'s {vertex} is {theirs} there, {ours} here")
    empty = gtp_names(differs & (position.stones == EMPTY))
    if empty:
        shown = " ".join(empty) if len(empty) <= _MOST_NAMED else f"{len(empty)} empty points"
        named.append(f"other owners of {shown}")
    return f"Territory in the record (TB, TW) differs: {'; '.join(named)}"
