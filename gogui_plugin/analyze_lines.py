"""The lines about a search that Leela Zero, Sabaki and KataGo define; all numbers of one are from one player's view."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from goban.coords import gtp_name
from gogui_plugin.analyze_arguments import AnalyzeArguments
from ownership.search.mcts.root_move_choice import TreeMove
from ownership.search.mcts.tree_ownership import TreeOwnership
from ownership.search.mcts.tree_result import TreeResult
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.mcts.tree_value import TreeValue


def leela_line(arguments: AnalyzeArguments, search: TreeSearch) -> str:
    """Return one line as `lz-analyze` writes it: probabilities are whole numbers of 1/10,000."""
    return " ".join(
        _leela_move(arguments, each, order) for order, each in enumerate(_shown(arguments, search, search.result()))
    )


def sabaki_line(arguments: AnalyzeArguments, search: TreeSearch) -> str:
    """Return one line as `analyze` writes it, which Sabaki defined: that of `lz-analyze` with `scoreLead`."""
    return " ".join(
        _leela_move(arguments, each, order, f" scoreLead {_lead(each.value, arguments.colour):.2f}")
        for order, each in enumerate(_shown(arguments, search, search.result()))
    )


def _leela_move(arguments: AnalyzeArguments, each: TreeMove, order: int, score: str = "") -> str:
    return (
        f"info move {gtp_name(each.point, arguments.side)} visits {each.visits} "
        f"winrate {round(10000 * each.value.wins_for(arguments.colour))}{score} prior {round(10000 * each.prior)} "
        f"lcb {round(10000 * each.lower_bound)} order {order} pv {_names(each.line, arguments.side)}"
    )


def kata_line(arguments: AnalyzeArguments, search: TreeSearch) -> str:
    """Return one line as `kata-analyze` writes it."""
    result = search.result()
    moves = _shown(arguments, search, result)
    maps: dict[int, TreeOwnership] = {}
    whole = None
    if arguments.flags & {"ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"}:
        whole, maps = search.ownership()
    parts = [_kata_move(arguments, each, order, maps.get(each.point)) for order, each in enumerate(moves)]
    if "rootInfo" in arguments.flags:
        parts.append(f"rootInfo visits {result.root.visits} {_worth(result.root, arguments.colour)}")
        parts.append(f"lcb {result.root.wins_for(arguments.colour):.4f}")  # KataGo's is the root's win rate
    if whole is not None:
        parts += _maps(arguments, whole, "ownership", "ownershipStdev")
    return " ".join(parts) if moves else ""


def _kata_move(arguments: AnalyzeArguments, each: TreeMove, order: int, below: TreeOwnership | None) -> str:
    name, low = gtp_name(each.point, arguments.side), each.lower_bound
    utility, line_visits = each.value.value * arguments.colour, " ".join(map(str, each.line_visits))
    parts = [
        f"info move {name} visits {each.visits} {_worth(each.value, arguments.colour)} prior {each.prior:.4f} "
        f"lcb {low:.4f} utilityLcb {utility - 2 * (each.value.wins_for(arguments.colour) - low):.4f} order {order} "
        f"pv {_names(each.line, arguments.side)}"
    ]
    parts += [f"{flag} {line_visits}" for flag in ("pvVisits", "pvEdgeVisits") if flag in arguments.flags]
    if below is not None:
        parts += _maps(arguments, below, "movesOwnership", "movesOwnershipStdev")
    return " ".join(parts)


def _worth(value: TreeValue, colour: int) -> str:
    lead = _lead(value, colour)
    return (
        f"utility {value.value * colour:.4f} winrate {value.wins_for(colour):.4f} scoreMean {lead:.2f} "
        f"scoreStdev {value.deviation:.2f} scoreLead {lead:.2f} scoreSelfplay {lead:.2f}"
    )


def _lead(value: TreeValue, colour: int) -> float:
    return value.score * colour + 0.0


def _maps(arguments: AnalyzeArguments, averaged: TreeOwnership, mean: str, deviation: str) -> list[str]:
    """Return the requested maps, by the names of their flags."""
    boards = {mean: arguments.colour * averaged.mean, deviation: averaged.deviation}
    return [f"{flag} {_floats(board)}" for flag, board in boards.items() if flag in arguments.flags]


def _shown(arguments: AnalyzeArguments, search: TreeSearch, result: TreeResult) -> Sequence[TreeMove]:
    """Return the moves to show: those that were visited, then, up to `minmoves`, the likeliest of the others."""
    moves = [each for each in result.moves if arguments.allows(each.point)]
    least = max(1, arguments.numbers.get("minmoves", 1))
    if 0 < len(moves) < least:
        moves += islice(_unvisited(arguments, search, result), least - len(moves))
    return moves[: max(least, arguments.numbers.get("maxmoves", len(moves)))]


def _unvisited(arguments: AnalyzeArguments, search: TreeSearch, result: TreeResult) -> Iterator[TreeMove]:
    """Yield the moves without visits, the likeliest first, each with the value of the position."""
    policy, value = search.policy(), replace(result.root, visits=0)
    policy[[each.point for each in result.moves]] = 0
    for point in np.argsort(-policy, kind="stable").tolist():
        if policy[point] > 0 and arguments.allows(point):
            yield TreeMove(point, float(policy[point]), value, 0.0, (point,), (0,))


def _names(points: Sequence[int], side: int) -> str:
    return " ".join(gtp_name(point, side) for point in points)


def _floats(values: NDArray[np.floating]) -> str:
    return " ".join(f"{value:.3f}" for value in (values + 0.0).ravel().tolist())
