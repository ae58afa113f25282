"""A position and a judgement that tests of reading and of scoring share."""

import numpy as np

from goban.coords import EMPTY
from goban.position import Position
from goban.reading.life_and_death import read_out
from goban.reading.reader import Reader
from goban.regions import Mask, Stones

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
    return read_out(Reader(position), status, ~dead & (position.stones != EMPTY))
