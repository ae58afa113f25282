"""Which players meet in the games of a match, and with which colours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True)
class Pairing:
    """A game to be played.

    Attributes:
        first: number of one player, from 0.
        second: number of the other player.
        number: of the game between these two, from 0.

    The players take turns at Black, and both get every opening with either colour.
    """

    first: int
    second: int
    number: int

    @property
    def opening(self) -> int:
        """The number of the opening."""
        return self.number // 2

    @property
    def black(self) -> int:
        """The number of the player who has Black."""
        return self.second if self.number % 2 else self.first

    @property
    def white(self) -> int:
        """The number of the player who has White."""
        return self.first if self.number % 2 else self.second


def schedule(players: Sequence[str], games: int) -> Iterator[Pairing]:
    """Yield the games of all pairs of players, `games` each, the pairs by turns."""
    for number in range(games):
        for first, second in combinations(range(len(players)), 2):
            yield Pairing(first, second, number)
