"""Which moves a search tries."""

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.coords import pass_point
from goban.move_effects import ATARIS, CAPTURES, SAVES, VITAL, Flags, flags_of, sensible
from goban.position import Position
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions

Policy = NDArray[np.float32] | None
_Moves = NDArray[np.intp]


def moves_to_try(position: Position, policy: Policy, options: AlphaBetaOptions, ply: int, passes: int) -> list[int]:
    """Return the moves to try as flat indices, a pass as N*N, the likeliest first, then forcing and vital ones.

    Args:
        position: side N.
        policy: float32 (N*N + 1), None if all moves are alike.
        options: how many of each.
        ply: moves since the root.
        passes: how many of the last moves were passes.

    No move fills an eye of the mover's own, unless that saves a chain. A pass is a candidate where it is likely enough,
    answers a pass, or is the only move left. Checks simple ko only, and excludes suicide.
    """
    flags = flags_of(position)
    likely = _by_probability(sensible(position, flags), policy, passing=True)
    width = options.width_at(ply)
    chosen, rest = likely[:width].tolist(), likely[width:]
    rest = rest[rest < len(flags)]  # without the pass
    if options.uses("forcing"):
        chosen += _flagged(rest, flags, CAPTURES | SAVES | ATARIS)[: options.forcing]
    if options.uses("vital"):
        chosen += [move for move in _flagged(rest, flags, VITAL) if move not in chosen][: options.vital]
    wants_pass = passes > 0 and pass_point(position.side) not in chosen
    return [*chosen, pass_point(position.side)] if wants_pass else chosen


def unsettled_moves(position: Position, policy: Policy, options: AlphaBetaOptions) -> list[int]:
    """Return the captures and escapes from atari, ko included, the likeliest first: none in a quiet position.

    Args as for `moves_to_try`.
    """
    flags = flags_of(position)
    urgent = sensible(position, flags) & ((flags & (CAPTURES | SAVES)) != 0)
    moves: list[int] = _by_probability(urgent, policy, passing=False)[: options.forcing].tolist()
    return moves


def _flagged(moves: _Moves, flags: Flags, wanted: int) -> list[int]:
    found: list[int] = moves[(flags[moves] & wanted) != 0].tolist()
    return found


def _by_probability(points: Mask, policy: Policy, passing: bool) -> _Moves:
    """Return the points, and a pass if `passing`, in the order of the policy, the likeliest first."""
    moves = np.flatnonzero(np.append(points, passing))
    return moves if policy is None else moves[np.argsort(-policy[moves], kind="stable")]
