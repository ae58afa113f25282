"""The answer about one position, as an object for JSON."""

from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import SYMMETRIES, apply_symmetry, colour_letter, gtp_name
from goban.game import Game
from goban.position import Position
from ownership.katago_protocol.query import Query
from ownership.search.mcts.root_move_choice import TreeMove
from ownership.search.mcts.tree_ownership import TreeOwnership
from ownership.search.mcts.tree_result import TreeResult
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.mcts.tree_value import TreeValue

_UNKNOWN: Final = -1.0  # what KataGo writes for numbers that a network does not give
_DIGITS: Final = 6
_LEAST: Final = 10.0**-_DIGITS  # of an ownership
_MAPS: Final = {"ownership": "Ownership", "ownershipStdev": "OwnershipStdev"}


def answer(query: Query, game: Game, search: TreeSearch, during: bool) -> dict[str, Any]:
    """Return the result of a search of the position of a game; `during`: whether it is still running."""
    position = game.position
    sign = query.perspective or position.to_move
    result = search.result()
    found: dict[str, Any] = {
        "id": query.id,
        "turnNumber": len(game.indexed_moves),
        "isDuringSearch": during,
        "moveInfos": [
            move_info(each, order, position, sign, query.line_length) for order, each in enumerate(result.moves)
        ],
        "rootInfo": root_info(position, result, sign),
    }
    if "includePVVisits" in query.included:
        for info, each in zip(found["moveInfos"], result.moves, strict=True):
            info["pvVisits"] = info["pvEdgeVisits"] = list(each.line_visits[: query.line_length])
    if "includeNoResultValue" in query.included:
        for info in found["moveInfos"]:
            info["noResultValue"] = 0.0
    if query.included & {"include" + prefix + name for name in _MAPS.values() for prefix in ("", "Moves")}:
        whole, below = search.ownership()
        found |= _maps(query, whole, "include", sign)
        for info, each in zip(found["moveInfos"], result.moves, strict=True):
            info |= _maps(query, below[each.point], "includeMoves", sign)
    if "includePolicy" in query.included:
        found["policy"] = _rounded(np.where(game.legal_points(), search.policy(), -1))
    return found


def no_results(query: Query, turn: int) -> dict[str, Any]:
    """Return the answer about a position that was not searched."""
    return {"id": query.id, "turnNumber": turn, "isDuringSearch": False, "noResults": True}


def move_info(each: TreeMove, order: int, position: Position, sign: int, line_length: int) -> dict[str, Any]:
    """Return the values that KataGo's protocol reports about a move.

    Args:
        each: the move.
        order: its place among the moves, from 0 for the best.
        position: the position before it.
        sign: the player whose numbers are reported.
        line_length: moves of its variation, at most.
    """
    # The bound is on the mover's side of the win rate, from whichever side numbers are reported.
    bound = each.lower_bound if sign == position.to_move else 1 - each.lower_bound
    wins, utility = each.value.wins_for(sign), each.value.value * sign
    return {
        "move": gtp_name(each.point, position.side),
        "visits": each.visits,
        "edgeVisits": each.visits,
        "weight": float(each.visits),
        "edgeWeight": float(each.visits),
        "playSelectionValue": float(each.visits),
        **_worth(each.value, sign),
        "prior": round(each.prior, _DIGITS),
        "lcb": round(bound, _DIGITS),
        "utilityLcb": round(utility + 2 * (bound - wins), _DIGITS),
        "order": order,
        "pv": [gtp_name(point, position.side) for point in each.line[:line_length]],
    }


def root_info(position: Position, result: TreeResult, sign: int) -> dict[str, Any]:
    """Return the values that KataGo's protocol reports about the position at the root, for the player `sign`."""
    root, own = result.root, result.own
    lead = round(own.score * sign + 0.0, _DIGITS)
    hashes = [_hash(position, k) for k in SYMMETRIES]
    return {
        **_worth(root, sign),
        "lcb": round(root.wins_for(sign), _DIGITS),  # KataGo's is the root's win rate
        "visits": root.visits,
        "weight": float(root.visits),
        "currentPlayer": colour_letter(position.to_move),
        "thisHash": hashes[0],
        "symHash": min(hashes),
        "rawWinrate": round(own.wins_for(sign), _DIGITS),
        "rawLead": lead,
        "rawScoreSelfplay": lead,
        "rawScoreSelfplayStdev": round(own.deviation, _DIGITS),
        "rawNoResultProb": 0.0,
        "rawStWrError": _UNKNOWN,
        "rawStScoreError": _UNKNOWN,
        "rawVarTimeLeft": _UNKNOWN,
    }


def _worth(value: TreeValue, sign: int) -> dict[str, float]:
    lead = round(value.score * sign + 0.0, _DIGITS)
    return {
        "winrate": round(value.wins_for(sign), _DIGITS),
        "utility": round(value.value * sign + 0.0, _DIGITS),
        "scoreLead": lead,
        "scoreMean": lead,
        "scoreSelfplay": lead,
        "scoreStdev": round(value.deviation, _DIGITS),
    }


def _maps(query: Query, averaged: TreeOwnership, prefix: str, sign: int) -> dict[str, list[float]]:
    """Return the requested maps, rows from the top left."""
    boards = {"ownership": sign * without_zero(averaged.mean, _LEAST), "ownershipStdev": averaged.deviation}
    return {name: _rounded(boards[name]) for name, flag in _MAPS.items() if prefix + flag in query.included}


def without_zero(ownership: NDArray[np.floating], least: float) -> NDArray[np.floating]:
    """Return ownership at least `least` away from 0: KaTrain fails on exactly 0."""
    return np.where(np.abs(ownership) < least, np.copysign(least, ownership), ownership)


def _rounded(values: NDArray[np.floating]) -> list[float]:
    return [round(value, _DIGITS) for value in (values + 0.0).ravel().tolist()]


def _hash(position: Position, k: int) -> str:
    ko = apply_symmetry(np.arange(position.side**2).reshape(position.side, -1) == position.ko, k)
    data = apply_symmetry(position.stones, k).tobytes() + ko.tobytes() + bytes([position.to_move + 1])
    return blake2b(data, digest_size=16).hexdigest().upper()
