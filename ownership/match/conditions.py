"""What all games of a match have in common, and which games there are."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from goban.clock import Clock
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.handicap import fixed_handicap
from goban.position import Position
from goban.rulesets import RULESETS, Ruleset
from ownership.players.base import Move

_TRIES: Final = 1000
_LONGEST: Final = 3  # times the points of the board


def most_opening_moves(side: int) -> int:
    """Return for how many opening moves there is room, wherever they are played."""
    return math.ceil(len(_inner(side)) / 3) ** 2


def _inner(side: int) -> range:
    """Return the rows, which are also the columns, of opening moves: from the third line up, on small boards less."""
    edge = 2 if side >= 9 else 1 if side >= 3 else 0
    return range(edge, side - edge)


@dataclass(frozen=True)
class Conditions:
    """How the games are played.

    komi: points for White. handicap: stones for Black, 0 or from 2 up. rules: a name of RULESETS. opening: moves drawn
    by chance that every game begins with. seed: of these. main_time: seconds for a player's game, 0 for no such limit.
    move_time: seconds for each move after the main time, 0 for no such limit.
    Raises InputError for what cannot be played.
    """

    side: int = 9
    komi: float = 6.5
    handicap: int = 0
    rules: str = "chinese"
    opening: int = 2
    seed: int = 0
    main_time: float = 0.0
    move_time: float = 0.0

    def __post_init__(self) -> None:
        self.start()
        if self.rules not in RULESETS:
            raise InputError(f"--rules must be one of {', '.join(RULESETS)}. Received: {self.rules}")
        most = most_opening_moves(self.side)
        if not 0 <= self.opening <= most:
            raise InputError(f"--opening must be 0..{most} on {self.side}x{self.side}. Received: {self.opening}")
        if min(self.main_time, self.move_time) < 0:
            raise InputError(f"expected times from 0 up. Received: {min(self.main_time, self.move_time):g}")

    @property
    def ruleset(self) -> Ruleset:
        """What the name of the rules stands for."""
        return RULESETS[self.rules]

    @property
    def longest(self) -> int:
        """The moves after which a game is counted as it stands."""
        return _LONGEST * self.side**2

    def start(self) -> Position:
        """Return the empty board, or the handicap stones with White to move."""
        empty = Position.empty(self.side)
        if not self.handicap:
            return empty
        stones = np.zeros(self.side**2, np.int8)
        stones[fixed_handicap(self.side, self.handicap)] = BLACK
        return Position.from_stones(stones.reshape(self.side, self.side), WHITE)

    def clock(self) -> Clock:
        """Return a player's clock at the start of a game."""
        return Clock(self.main_time, self.move_time, 1 if self.move_time else 0).begun()

    def moves(self, number: int) -> list[Move]:
        """Return an opening by its number: moves away from the edge, none close to another stone.

        Handicap stones may leave room for fewer.
        """
        chance = np.random.default_rng((self.seed, number))
        position, moves = self.start(), list[Move]()
        inner = _inner(self.side)
        for _ in range(_TRIES):
            if len(moves) == self.opening:
                break
            row, column = (int(each) for each in chance.choice(inner, 2))
            around = position.stones[max(0, row - 1) : row + 2, max(0, column - 1) : column + 2]
            if not around.any():
                moves.append((position.to_move, row * self.side + column))
                position = position.play(moves[-1][1])
        return moves

    def describe(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)


@dataclass(frozen=True)
class Pairing:
    """One game to be played: the numbers of both players, and of the game between these two.

    They take turns at Black, and both get every opening with either colour.
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
