"""Dead chains that live under the stones: by what their side plays where they stood, once they are captured."""

from typing import Final

import numpy as np

from goban.array_types import Mask
from goban.position import Chain
from goban.reading.capture_search import Limit, read_capture, with_chains_inside
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import SAFE
from goban.reading.weak_groups import captured_in_return

_UNDER_THE_STONES: Final = Limit(8, 10_000)  # where captured stones stood
_LEAST_UNDER: Final = 3  # stones of a chain whose capture leaves room for a new stone


def living_under_the_stones(reader: PositionReader, dead: Mask) -> Mask:
    """Return bool (N, N): the chains in atari that live because capturing them enables a stone that cannot be captured.

    Japanese rules of 1989, Article 7.1; three points without capturing (torazu sanmoku) is the best known case. In
    hanezeki the chains that capture would be captured in return.

    Args:
        reader: of the position, N by N; its ownership divides empty areas that both colours touch.
        dead: bool (N, N), stones that seem to be dead.
    """
    in_atari = (chain for chain in reader.chains if len(chain.liberties) == 1 and dead.flat[chain.points[0]])
    return reader.mask(
        [chain for chain in in_atari if _enables_a_stone(reader, chain, dead) or captured_in_return(reader, chain)]
    )


def _enables_a_stone(reader: PositionReader, chain: Chain, dead: Mask) -> bool:
    """Return whether the chain's side can play a stone that cannot be captured, once the chain is captured."""
    if len(chain.points) < _LEAST_UNDER:
        return False
    regions = reader.groups(dead & (reader.stones == chain.colour)).territory  # what captures it lives
    region = np.flatnonzero(regions == regions[chain.points[0]]).tolist()
    if len(region) > _UNDER_THE_STONES.empty:
        return False
    [liberty] = chain.liberties
    captured = reader.position.play(liberty, -chain.colour)
    area = with_chains_inside(set(region), captured.chains())
    new = (captured.play(point, chain.colour) for point in chain.points if captured.is_legal(point, chain.colour))
    return any(read_capture(after.stones, after.recent[0], area, True, _UNDER_THE_STONES) == SAFE for after in new)
