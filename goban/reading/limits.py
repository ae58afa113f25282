"""How much is read, and of what: the one table of limits."""

from typing import Final, NamedTuple

from goban.coords import MAX_SIDE


class Limit(NamedTuple):
    """The most empty points of an area that is read, and moves that are tried for one side to move first."""

    empty: int
    moves: int


SMALL_AREA: Final = Limit(8, 10_000)  # around chains that the network is not sure of
WEAK_GROUP: Final = Limit(12, 100_000)  # around groups without two eyes
WEAK_AGAIN: Final = Limit(12, 10_000)  # the same where another group of the area could not be read
NARROW: Final = Limit(9, 10_000)  # around such groups, with their living neighbours as walls
KO: Final = Limit(12, 10_000)  # around groups that live unless the other side wins every ko
NAKADE: Final = Limit(MAX_SIDE**2, 10_000)  # where the stones of a nakade stood
DEAD_GROUP: Final = Limit(8, 10_000)  # around dead chains of which the network is sure
SHORTAGE: Final = Limit(8, 1_000)  # around chains short of liberties
UNDER_THE_STONES: Final = Limit(8, 10_000)  # where captured stones stood
TEIRE: Final = Limit(MAX_SIDE**2, 2_000)  # once the dame are filled

LEAST_LIVING: Final = 5  # stones of a chain that a small area can prove to live
LEAST_READ: Final = 4  # stones of a dead chain that is read in a large territory, or of one that captures such stones
SHORT_OF_LIBERTIES: Final = 2  # of a chain that its own territory may not save
LEAST_NAKADE: Final = 3  # stones of a nakade: fewer leave no shape in which their side could play
LEAST_UNDER: Final = 3  # stones of a chain whose capture leaves room for a new stone
MOST_TERRITORY: Final = 8  # points of a group that may be weak
MOST_LOST: Final = 5  # empty points that belong to a group only because stones in it are dead
MOST_RACING: Final = 4  # liberties of a chain that may lose a race by double ko
TEIRE_INSIDE: Final = 2  # liberties in territory of a chain that may need protection
TEIRE_DAME: Final = 3  # its liberties elsewhere at one time
TEIRE_AREA: Final = 12  # points of its territory, the nearest ones, from which no more are read
TEIRE_DEPTH: Final = 8  # moves on dame
