"""Whether the stones that are shown in seki are those whose eyes territory rules do not count."""

from typing import Final

import numpy as np

from goban.array_types import Mask
from goban.chain_kernels import label
from goban.coords import EMPTY
from goban.counting.counted_score import count
from goban.position import Position
from goban.regions import owners
from goban.rulesets import RULESETS, Terms

AREA: Final = Terms(RULESETS["area"], 0)
TERRITORY: Final = Terms(RULESETS["territory"], 0)


def disputed_seki(position: Position, dead: Mask) -> Mask:
    """Return bool (N, N): stones and eyes of groups that only a count by area, or by territory, has in seki."""
    by_area, by_territory = (count(position, dead, terms) for terms in (AREA, TERRITORY))
    groups = label(position.side, owners(position.stones, dead).ravel()).reshape(dead.shape)
    left = np.where(dead, EMPTY, position.stones)
    eyes = (left == EMPTY) & (by_area.owner != EMPTY)
    uncounted = by_area.owner != by_territory.owner
    in_seki = np.isin(groups, groups[by_area.seki])
    found: Mask = by_area.seki != by_territory.seki
    found |= uncounted != eyes & in_seki
    found |= by_area.seki != (left != EMPTY) & in_seki
    return found
