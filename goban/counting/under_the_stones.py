"""Under the stones: chains that live, though they are in atari, by what their side plays where they stood."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.score import Mask, owners
from goban.counting.weak_groups import captured_in_return
from goban.kernels import label
from goban.life import capture
from goban.position import Chain, Position
from goban.search_stack import SAFE

LEAST_STONES: Final = 3  # of a chain, whose capture leaves room for a new stone
MOST_EMPTY: Final = 8  # points of the territory around it, once it is captured
MOST_MOVES: Final = 10_000  # tried for a new stone


def living_under_the_stones(position: Position, dead: Mask, ownership: NDArray[np.float32]) -> Mask:
    """Return bool (N, N): the chains in atari that live because capturing them enables a stone that cannot be captured.

    Japanese rules of 1989, Article 7.1; three points without capturing (torazu sanmoku) is the best known case. In
    hanezeki the chains that capture would be captured in return.

    Args:
        position: a finished one, N by N.
        dead: bool (N, N), stones that seem to be dead.
        ownership: float32 (N, N), divides empty areas that both colours touch.
    """
    found = np.zeros(dead.shape, np.bool_)
    territory = (dead | (position.stones == EMPTY)) * owners(position.stones, dead)
    regions = label(position.side, territory.ravel())
    for chain in position.chains():
        if dead.flat[chain.points[0]] and len(chain.liberties) == 1:
            region = np.flatnonzero(regions == regions[chain.points[0]]).tolist()
            if _enables_a_stone(position, chain, region) or captured_in_return(position, ownership, chain):
                found.flat[list(chain.points)] = True
    return found


def _enables_a_stone(position: Position, chain: Chain, region: list[int]) -> bool:
    """Return whether the chain's side can play a stone that cannot be captured, once the chain is captured."""
    if len(chain.points) < LEAST_STONES or len(region) > MOST_EMPTY:
        return False
    [liberty] = chain.liberties
    captured = position.play(liberty, -chain.colour)
    inside = set(region)
    weak = (each.points for each in captured.chains() if inside.issuperset(each.liberties))
    area = np.array(sorted(inside.union(*weak)), np.int16)
    new = (captured.play(point, chain.colour) for point in chain.points if captured.is_legal(point, chain.colour))
    return any(
        capture(position.side, after.stones.ravel().copy(), after.recent[0], area, True, MOST_MOVES) == SAFE
        for after in new
    )
