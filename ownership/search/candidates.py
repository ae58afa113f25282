"""Which moves a search tries."""

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.move_flags import ATARIS, CAPTURES, OWN_EYE, SAVES, VITAL, move_flags
from goban.position import Position
from ownership.search.options import SearchOptions

Policy = NDArray[np.float32] | None
Marks = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Moves = NDArray[np.intp]


def candidates(position: Position, policy: Policy, options: SearchOptions, ply: int, passes: int) -> list[int]:
    """Return the moves to try as flat indices, a pass as N*N, the likeliest first, then forcing and vital ones.

    Args: `policy` float32 (N*N + 1), None if all moves are alike; `ply`, moves since the root; `passes`, how many of
    the last moves were passes. No move fills an eye of one's own, unless that saves a chain. A pass is a candidate
    where it is likely enough, answers a pass, or is all that is left. Knows simple ko only, and no suicide.
    """
    marks = _marks(position)
    likely = _by_chance(_sensible(position, marks), policy, passing=True)
    width = options.width_at(ply)
    chosen, rest = likely[:width].tolist(), likely[width:]
    rest = rest[rest < len(marks)]  # a pass is of no kind
    if options.uses("forcing"):
        chosen += _of_kinds(rest, marks, CAPTURES | SAVES | ATARIS)[: options.forcing]
    if options.uses("vital"):
        chosen += [move for move in _of_kinds(rest, marks, VITAL) if move not in chosen][: options.vital]
    wants_pass = passes > 0 and pass_point(position.side) not in chosen
    return [*chosen, pass_point(position.side)] if wants_pass else chosen


def unsettled_moves(position: Position, policy: Policy, options: SearchOptions) -> list[int]:
    """Return the captures and escapes from atari, ko included, the likeliest first: none in a quiet position."""
    marks = _marks(position)
    urgent = _sensible(position, marks) & ((marks & (CAPTURES | SAVES)) != 0)
    moves: list[int] = _by_chance(urgent, policy, passing=False)[: options.forcing].tolist()
    return moves


def sensible_moves(position: Position) -> list[int]:
    """Return the legal moves that fill no eye of the mover's own, unless that saves a chain, as flat indices.

    Knows simple ko only, and no suicide whatever the rules.
    """
    return np.flatnonzero(_sensible(position, _marks(position))).tolist()


def _marks(position: Position) -> Marks:
    return move_flags(position.side, position.stones.ravel().copy(), position.to_move)


def _sensible(position: Position, marks: Marks) -> Mask:
    sensible: Mask = position.legal_moves()[:-1] & ((marks & (OWN_EYE | SAVES)) != OWN_EYE)
    return sensible


def _of_kinds(moves: Moves, marks: Marks, kinds: int) -> list[int]:
    found: list[int] = moves[(marks[moves] & kinds) != 0].tolist()
    return found


def _by_chance(points: Mask, policy: Policy, passing: bool) -> Moves:
    """Return the points, and a pass, in the order of the policy, the likeliest first."""
    moves = np.flatnonzero(np.append(points, passing))
    return moves if policy is None else moves[np.argsort(-policy[moves], kind="stable")]
