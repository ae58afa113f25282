"""The property KT of SGF nodes, in which KaTrain keeps its analysis of a position."""

import base64
import gzip
import json
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK
from ownership.analysis.answer import move_info, root_info, without_zero
from ownership.review.positions import ReviewedPosition

VERSION: Final = "1.0"
"""The value of KTV at the root: the version of the format."""

_MOST_MOVES: Final = 8
_LINE_LENGTH: Final = 10
_STEP: Final = 1 / 64  # of ownership; exact as a half-precision float
_LEAST: Final = 1 / 1024  # of ownership
_LEAST_CHANCE: Final = 0.0005


def katrain_values(position: ReviewedPosition) -> list[str]:
    """Return the values of KT: ownership, policy, and moves with the position's own numbers, compressed.

    Source: `analysis_dumps` and `load_analysis` in KaTrain 1.17, katrain/core/game_node.py.
    """
    ownership = without_zero(np.round(position.ownership / _STEP) * _STEP, _LEAST)
    legal = position.scored.position.legal_moves(suicide=position.scored.estimate.terms.ruleset.suicide)
    policy = np.where(position.policy >= _LEAST_CHANCE, position.policy, 0)
    rest = json.dumps(_analysis(position), separators=(",", ":")).encode()
    packed = (_halves(ownership), _halves(np.where(legal, policy, -1)), rest)
    return [base64.standard_b64encode(gzip.compress(part, mtime=0)).decode() for part in packed]


def _halves(values: NDArray[np.floating]) -> bytes:
    return values.astype("<f2").tobytes()


def _analysis(position: ReviewedPosition) -> dict[str, Any]:
    board, search = position.scored.position, position.search
    if search is None:
        root = {"winrate": position.black_wins, "scoreLead": position.score, "visits": 1}
        return {"moves": {}, "root": root, "completed": True}
    best = enumerate(search.moves[:_MOST_MOVES])
    infos = [move_info(move, order, board, BLACK, _LINE_LENGTH) for order, move in best]
    return {"moves": {info["move"]: info for info in infos}, "root": root_info(board, search, BLACK), "completed": True}
