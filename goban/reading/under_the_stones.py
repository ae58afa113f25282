"""Under the stones: chains that live, though they are in atari, by what their side plays where they stood."""

import numpy as np

from goban.position import Chain
from goban.reading.limits import LEAST_UNDER, UNDER_THE_STONES
from goban.reading.reader import Reader, outcome
from goban.reading.search_stack import SAFE
from goban.reading.weak_groups import captured_in_return
from goban.regions import Mask


def living_under_the_stones(reader: Reader, dead: Mask) -> Mask:
    """Return bool (N, N): the chains in atari that live because capturing them enables a stone that cannot be captured.

    Japanese rules of 1989, Article 7.1; three points without capturing (torazu sanmoku) is the best known case. In
    hanezeki the chains that capture would be captured in return.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), stones that seem to be dead.
    """
    living = []
    for chain in reader.chains:
        short = dead.flat[chain.points[0]] and len(chain.liberties) == 1
        if short and (_enables_a_stone(reader, chain, dead) or captured_in_return(reader, chain)):
            living.append(chain)
    return reader.mask(living)


def _enables_a_stone(reader: Reader, chain: Chain, dead: Mask) -> bool:
    """Return whether the chain's side can play a stone that cannot be captured, once the chain is captured."""
    if len(chain.points) < LEAST_UNDER:
        return False
    regions = reader.groups(dead & (reader.stones == chain.colour)).territory  # what captures it lives
    region = np.flatnonzero(regions == regions[chain.points[0]]).tolist()
    if len(region) > UNDER_THE_STONES.empty:
        return False
    [liberty] = chain.liberties
    captured = reader.position.play(liberty, -chain.colour)
    inside = set(region)
    weak = (each.points for each in captured.chains() if inside.issuperset(each.liberties))
    area = np.array(sorted(inside.union(*weak)), np.int16)
    new = (captured.play(point, chain.colour) for point in chain.points if captured.is_legal(point, chain.colour))
    return any(outcome(after.stones, after.recent[0], area, True, UNDER_THE_STONES) == SAFE for after in new)
