"""The conditions of a match, and the games that it consists of."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np

from goban.clock import Clock
from goban.coords import BLACK, WHITE
from goban.errors import check_fields, cut
from goban.game import Game, Move
from goban.rulesets import RULESETS, Ruleset, fixed_handicap, wrong_rules

_TRIES: Final = 1000
_LONGEST: Final = 3  # times the points of the board


def most_opening_moves(side: int) -> int:
    """Return how many opening moves always find room on a board."""
    return math.ceil(len(_inner(side)) / 3) ** 2


def _inner(side: int) -> range:
    """Return the rows, which are also the columns, of opening moves: from the third line, on small boards lower."""
    edge = 2 if side >= 9 else 1 if side >= 3 else 0
    return range(edge, side - edge)


@dataclass(frozen=True)
class Conditions:
    """The conditions of all games of a match.

    Attributes:
        side: of the board.
        komi: points for White.
        handicap: stones for Black, 0 or from 2 up.
        rules: a name of RULESETS.
        opening: random moves with which every game begins.
        seed: of the openings.
        main_time: seconds for all moves of a player, 0 for no limit.
        period: seconds of each period after the main time, 0 for none.
        period_stones: moves to be played in a period (1: byo-yomi; more: Canadian).

    Raises:
        InputError: conditions under which no game can be played.
    """

    side: int = 9
    komi: float = 6.5
    handicap: int = 0
    rules: str = "chinese"
    opening: int = 2
    seed: int = 0
    main_time: float = 0.0
    period: float = 0.0
    period_stones: int = 1

    def __post_init__(self) -> None:
        if self.rules not in RULESETS:
            raise wrong_rules(cut(self.rules), "--rules")
        self.new_game()
        check_fields(
            self,
            {
                "opening": (0, most_opening_moves(self.side)),
                "period_stones": (1, math.inf),
                **dict.fromkeys(("seed", "main_time", "period"), (0, math.inf)),
            },
        )

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset that `rules` names."""
        return RULESETS[self.rules]

    @property
    def longest(self) -> int:
        """The moves after which a game is counted as it stands."""
        return _LONGEST * self.side**2

    def new_game(self) -> Game:
        """Return a game on the empty board, or one with handicap stones and White to move."""
        game = Game.empty(self.side, ruleset=self.ruleset, komi=self.komi)
        if not self.handicap:
            return game
        stones = dict.fromkeys(fixed_handicap(self.side, self.handicap), BLACK)
        return game.with_setup(stones, WHITE, self.handicap)

    def clock(self) -> Clock:
        """Return a player's clock at the start of a game."""
        return Clock(self.main_time, self.period, self.period_stones if self.period else 0).begun()

    def moves(self, number: int) -> list[Move]:
        """Return an opening by its number: moves away from the edge, none close to another stone.

        Handicap stones may leave room for fewer.
        """
        chance = np.random.default_rng((self.seed, number))
        position, moves = self.new_game().position, list[Move]()
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

    def to_dict(self) -> dict[str, Any]:
        """Return all conditions as JSON values."""
        return asdict(self)


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
