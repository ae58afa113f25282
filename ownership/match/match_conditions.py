"""The conditions of a match: board, rules, komi, handicap, openings and time."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from goban.clock import Clock
from goban.coords import BLACK, WHITE
from goban.errors import check_fields, cut
from goban.game import Game
from goban.handicap_stones import fixed_handicap
from goban.move_notation import IndexedMove
from goban.rulesets import RULESETS, Ruleset, wrong_rules
from ownership.match.random_openings import most_opening_moves, random_opening

_LONGEST: Final = 3  # times the points of the board


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

    def moves(self, number: int) -> list[IndexedMove]:
        """Return an opening by its number; see `random_opening`."""
        return random_opening(self.new_game().position, self.opening, (self.seed, number))

    def to_dict(self) -> dict[str, Any]:
        """Return all conditions as JSON values."""
        return asdict(self)
