"""The moves near a group, and a policy of them."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.coords import EMPTY
from goban.position import Position
from goban.regions import points_beside

_NEAR: Final = 2  # rows and columns from the group, and from chains beside it that have few liberties
_FEW: Final = 3  # liberties of such a chain
_EVEN: Final = 0.25  # share of an even distribution in the policy
_PASS: Final = 0.05  # probability of a pass, against that of all moves near the group


def near_group(position: Position, point: int) -> Mask:
    """Return bool (N*N,): the empty points near the chain at a point, or near where it was."""
    chain = position.chain_at(point)
    stones = {point}
    if chain is not None:
        beside = {each for own in chain.points for each in points_beside(position.side)[own]}
        stones = {*chain.points, *chain.liberties}
        for other in position.chains():
            if other.colour != chain.colour and len(other.liberties) <= _FEW and not beside.isdisjoint(other.points):
                stones |= {*other.points, *other.liberties}
    around = np.zeros((position.side, position.side), np.bool_)
    for each in stones:
        row, column = divmod(each, position.side)
        around[max(row - _NEAR, 0) : row + _NEAR + 1, max(column - _NEAR, 0) : column + _NEAR + 1] = True
    near: Mask = (around & (position.stones == EMPTY)).ravel()
    return near


def policy_near(position: Position, point: int, policy: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return float32 (N*N + 1,), a network's policy near the group at a point mixed with an even one there."""
    near = np.append(near_group(position, point), True) & position.legal_points()
    even = near / near.sum()
    local = np.where(near, policy, 0)
    local[-1] = 0
    local[-1] = _PASS * max(float(local.sum()), _PASS)
    mixed: NDArray[np.float32] = ((1 - _EVEN) * local / local.sum() + _EVEN * even).astype(np.float32)
    return mixed
