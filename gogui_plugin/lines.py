"""The lines of an analysis, as `lz-analyze` and `kata-analyze` write them: all numbers from one player's view."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from goban.coords import gtp_name
from gogui_plugin.analysis_request import Request
from ownership.search.mcts.result import TreeMove, TreeOwnership, TreeResult, Value
from ownership.search.mcts.search import TreeSearch

Writer = Callable[[Request, TreeSearch], str]
"""Returns a line about what a search has found; an empty one where no move may be shown."""


def leela_line(request: Request, search: TreeSearch) -> str:
    """Return one line as `lz-analyze` writes it: probabilities are whole numbers of 1/10,000."""
    return " ".join(
        f"info move {gtp_name(each.point, request.side)} visits {each.visits} "
        f"winrate {round(10000 * each.value.wins_for(request.colour))} prior {round(10000 * each.prior)} "
        f"lcb {round(10000 * each.lower_bound)} order {order} pv {_names(each.line, request.side)}"
        for order, each in enumerate(_shown(request, search.result()))
    )


def kata_line(request: Request, search: TreeSearch) -> str:
    """Return one line as `kata-analyze` writes it."""
    result = search.result()
    moves = _shown(request, result)
    maps: dict[int, TreeOwnership] = {}
    whole = None
    if request.flags & {"ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"}:
        whole, maps = search.ownership()
    parts = [_kata_move(request, each, order, maps.get(each.point)) for order, each in enumerate(moves)]
    if "rootInfo" in request.flags:
        parts.append(f"rootInfo visits {result.root.visits} {_worth(result.root, request.colour)}")
    if whole is not None:
        parts += _maps(request, whole, "ownership", "ownershipStdev")
    return " ".join(parts) if moves else ""


def _kata_move(request: Request, each: TreeMove, order: int, below: TreeOwnership | None) -> str:
    name, low = gtp_name(each.point, request.side), each.lower_bound
    utility, line_visits = each.value.value * request.colour, " ".join(map(str, each.line_visits))
    parts = [
        f"info move {name} visits {each.visits} {_worth(each.value, request.colour)} prior {each.prior:.4f} "
        f"lcb {low:.4f} utilityLcb {utility - 2 * (each.value.wins_for(request.colour) - low):.4f} order {order} "
        f"pv {_names(each.line, request.side)}"
    ]
    parts += [f"{flag} {line_visits}" for flag in ("pvVisits", "pvEdgeVisits") if flag in request.flags]
    if below is not None:
        parts += _maps(request, below, "movesOwnership", "movesOwnershipStdev")
    return " ".join(parts)


def _worth(value: Value, colour: int) -> str:
    lead = value.score * colour + 0.0
    return (
        f"utility {value.value * colour:.4f} winrate {value.wins_for(colour):.4f} scoreMean {lead:.2f} "
        f"scoreStdev {value.deviation:.2f} scoreLead {lead:.2f} scoreSelfplay {lead:.2f}"
    )


def _maps(request: Request, averaged: TreeOwnership, mean: str, deviation: str) -> list[str]:
    """Return the requested maps, by the names of their flags."""
    boards = {mean: request.colour * averaged.mean, deviation: averaged.deviation}
    return [f"{flag} {_floats(board)}" for flag, board in boards.items() if flag in request.flags]


def _shown(request: Request, result: TreeResult) -> Sequence[TreeMove]:
    moves = [each for each in result.moves if request.allows(each.point)]
    most = request.numbers.get("maxmoves", len(moves))
    return moves[: max(most, request.numbers.get("minmoves", 1), 1)]


def _names(points: Sequence[int], side: int) -> str:
    return " ".join(gtp_name(point, side) for point in points)


def _floats(values: NDArray[np.floating]) -> str:
    return " ".join(f"{value:.3f}" for value in (values + 0.0).ravel().tolist())
