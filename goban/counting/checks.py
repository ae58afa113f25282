"""What a count hangs on that neither the board nor reading proves: no count is safe before all of it has been asked."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY
from goban.counting.dead_stones import StatusAssignment
from goban.reading.dead_groups import read_dead_chains
from goban.reading.reader import Reader
from goban.reading.shortage import short_of_liberties
from goban.reading.weak_groups import two_eyed_stones
from goban.regions import Mask

RISK: Final = 1.0  # points that hang on an unproved chain, times the probability that it is judged wrong
_AS_LIKELY_AS_NOT: Final = 0.5


class Checks(NamedTuple):
    """The results of reading what the judgement of a finished position was sure of.

    Attributes:
        open: bool (N, N), stones whose status depends on who moves next, or on a ko.
        doubt: float32 (N, N), the probability that the status of unproved stones is wrong, where much hangs on it.
    """

    open: Mask
    doubt: NDArray[np.float32]


def check_stones(reader: Reader, status: StatusAssignment) -> Checks:
    """Return what reading has to say about stones that the judgement of a finished position was sure of.

    Dead chains are captured although their side moves first, living ones of few liberties are not although the other
    side does; else they are open. What cannot be read is in doubt as the judgement leaves it, or as likely as not if
    ownership and rollouts give the stones to different sides; doubts about few points are dropped.
    """
    verdicts = read_dead_chains(reader, status.dead)
    short = short_of_liberties(reader, status.dead, status.dead & ~(verdicts.open | verdicts.unread))
    living = (reader.stones != EMPTY) & ~status.dead
    proved = status.read | two_eyed_stones(reader, status.dead)
    unproved = (verdicts.unread & ~status.read) | status.unproved | (living & reader.contested & ~proved)
    doubt = np.where(reader.contested, _AS_LIKELY_AS_NOT, (1 - np.abs(reader.survival)) / 2)
    return Checks(verdicts.open | short | status.open, _weighty(reader, np.where(unproved, doubt, 0)))


def _weighty(reader: Reader, doubt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the doubt about those chains whose points, with their liberties, weigh RISK times as much."""
    found = np.zeros(doubt.shape, np.float32)
    for chain in reader.chains:
        chance = float(doubt.flat[chain.points[0]])
        if chance and 2 * chance * (len(chain.points) + len(chain.liberties)) >= RISK:
            found.flat[list(chain.points)] = chance
    return found
