"""Which moves a search tries."""

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.position import Position
from ownership.search.options import SearchOptions
from ownership.search.survey import ATARIS, CAPTURES, OWN_EYE, SAVES, VITAL, survey

Policy = NDArray[np.float32] | None


def candidates(position: Position, policy: Policy, options: SearchOptions, ply: int, passes: int) -> list[int]:
    """Return the moves to try as flat indices, a pass as N*N, the likeliest first, then forcing and vital ones.

    Args: `policy` float32 (N*N + 1), None if all moves are alike; `ply`, moves since the root; `passes`, how many of
    the last moves were passes. No move fills an eye of one's own, unless that saves a chain. A pass is a candidate
    where it is likely enough, answers a pass, or is all that is left. Knows simple ko only, and no suicide.
    """
    marks = _marks(position)
    likely = _by_chance(_sensible(position, marks, passing=True), policy)
    chosen = likely[: options.width_at(ply)]
    if options.uses("forcing"):
        chosen += _others(likely, chosen, marks, CAPTURES | SAVES | ATARIS)[: options.forcing]
    if options.uses("vital"):
        chosen += _others(likely, chosen, marks, VITAL)[: options.vital]
    wants_pass = passes > 0 and pass_point(position.side) not in chosen
    return [*chosen, pass_point(position.side)] if wants_pass else chosen


def unsettled_moves(position: Position, policy: Policy, options: SearchOptions) -> list[int]:
    """Return the captures and escapes from atari, ko included, the likeliest first: none in a quiet position."""
    marks = _marks(position)
    urgent = [move for move in _sensible(position, marks, passing=False) if _is(marks, move, CAPTURES | SAVES)]
    return _by_chance(urgent, policy)[: options.forcing]


def sensible_moves(position: Position) -> list[int]:
    """Return the legal moves that fill no eye of the mover's own, unless that saves a chain, as flat indices.

    Knows simple ko only, and no suicide whatever the rules.
    """
    return _sensible(position, _marks(position), passing=False)


def _marks(position: Position) -> NDArray[np.uint8]:
    return survey(position.side, position.stones.ravel().copy(), position.to_move)


def _others(likely: list[int], chosen: list[int], marks: NDArray[np.uint8], kinds: int) -> list[int]:
    """Return the moves of some kinds that are not chosen yet, the likeliest first."""
    return [move for move in likely if move not in chosen and _is(marks, move, kinds)]


def _is(marks: NDArray[np.uint8], move: int, kinds: int) -> bool:
    return move < len(marks) and bool(marks[move] & kinds)


def _sensible(position: Position, marks: NDArray[np.uint8], passing: bool) -> list[int]:
    legal = position.legal_moves()
    legal[:-1] &= (marks & (OWN_EYE | SAVES)) != OWN_EYE
    legal[-1] = passing
    return np.flatnonzero(legal).tolist()


def _by_chance(moves: list[int], policy: Policy) -> list[int]:
    return moves if policy is None else sorted(moves, key=lambda move: -float(policy[move]))
