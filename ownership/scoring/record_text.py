"""A count compared with the result and the territory in the record, as text."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY, colour_name, gtp_name, gtp_names
from goban.errors import plural
from ownership.scoring.record_comparison import territory_differs
from ownership.scoring.score_figures import winning_side
from ownership.scoring.scored_game import ScoredGame

_EXACTLY = {
    "komi": ", exactly the komi",
    "twice the komi": ", exactly twice the komi",
    "handicap": ", exactly White's points for handicap stones",
    "territory marks": ", as the territory marked in the record (TB, TW) counts",
    None: "",
}
_MOST_NAMED: Final = 20  # points


def record_line(scored: ScoredGame) -> str:
    """Return a line that compares with the result in the record, which is about the end of the game only."""
    text, found = scored.game.result.text, scored.comparison
    if text == "?":
        return "Recorded result: unknown"
    if found is None:
        return f"Recorded result: {text}"
    compared = f"Recorded result: {text}, the same"
    if found.difference:
        better, points = winning_side(found.difference), plural(abs(found.difference), "point")
        compared = f"Recorded result: {text}; this count gives {better} {points} more{_EXACTLY[found.reason]}"
    if found.terms == scored.estimate.terms:
        return compared
    return f"{compared} by the record's terms ({found.terms.ruleset.name} rules, komi {found.terms.komi:g})"


def differing_territory(scored: ScoredGame) -> NDArray[np.bool_] | None:
    """Return the points of `territory_differs`; None where the position is not the last one, or not counted."""
    if not scored.estimate.finished or scored.move < len(scored.game.move_points):
        return None
    return territory_differs(scored.game, scored.estimate)


def territory_line(scored: ScoredGame) -> str:
    """Return a line that names the chains and points that the record judges otherwise; "" where it marks none."""
    differs = differing_territory(scored)
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
