"""A position and a judgement that tests of reading and of scoring share."""

import numpy as np

from goban.array_types import Mask, Stones
from goban.coords import EMPTY
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.reading.unsure_chains import read_unsure_chains

# D4 saves or captures C5 and C4.
TWO_STONES = """
. X X X O O O . O
X . X O O O . O O
X X O X X O O O .
X O O X X O . O O
O O X . X O O O O
O O X . . X O O .
. O O X X X O O O
O . O X X X X X O
O O O X . X . X O
"""


def judged(position: Position, unsure: Mask, dead: Mask) -> Stones:
    """Return what reading says when all other stones are known to be dead or alive."""
    status = np.where(unsure | (position.stones == EMPTY), 0, np.where(dead, -1, 1)).astype(np.int8)
    return read_unsure_chains(PositionReader(position), status, ~dead & (position.stones != EMPTY))
