"""The score of a board once its dead stones are taken off and its open borders are closed."""

import numpy as np

from goban.array_types import Mask
from goban.counting.claims import Claims
from goban.counting.counted_score import Score, count
from goban.counting.open_borders import divide_open_areas
from goban.reading.position_reader import PositionReader
from goban.rulesets import Terms


def count_without(
    dead: Mask, reader: PositionReader, terms: Terms, claims: Claims | None = None, in_seki: Mask | None = None
) -> tuple[Score, Mask]:
    """Return the score without the dead stones, and bool (N, N): the points that close open borders.

    Args:
        dead: bool (N, N), stones to take off.
        reader: of the position and its ownership, which divides open areas.
        terms: what is counted.
        claims: the players' claims about chains.
        in_seki: bool (N, N), living stones that reading finds in seki; None for none.
    """
    ownership, sharing = reader.ownership, None
    if claims:
        in_seki = claims.seki if in_seki is None else claims.seki | in_seki
        sharing = claims.seki & (reader.survival < 0)
        ownership = np.where(claims.dead, -reader.stones, ownership).astype(np.float32)
    owner, gaps = divide_open_areas(reader.groups(dead).left, ownership, sharing)
    return count(reader.position, dead, terms, seki=in_seki, divided=owner), gaps
