"""Plans of games between weak and odd players: who plays, on which board, and how the game begins."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from game_records.game_record import GameRecord
from goban.coords import BLACK, WHITE
from goban.game import Game
from goban.handicap_stones import fixed_handicap, most_handicap
from goban.rulesets import RULESETS
from ownership.selfplay.branched_game_plans import UNFINISHED, Records

_TEMPERATURES: Final = (0.3, 2.2)
_MOST_RANDOM: Final = 0.12  # of a player's moves
_PLAY_ON: Final = 1 / 3  # of the players
_FROM_RECORDS: Final = 1 / 3  # of the games, where there are records
_HANDICAP: Final = 0.15  # of the others
_RANDOM_OPENINGS: Final = 0.5
_POINTS_A_RANDOM_MOVE: Final = 12  # at the beginning: at most 30 random moves on 19x19
_ONE_COLOUR: Final = 0.25  # of the sparse games
_SPARSE_HANDICAP: Final = 0.35  # of the other ones
_MOST_MOVES: Final = 8  # of sparse games
_RULES: Final = RULESETS["area"]
_KOMI: Final = 7.0


@dataclass(frozen=True)
class WeakPlayer:
    """How one player chooses moves.

    Attributes:
        temperature: of the policy that moves are drawn from.
        random: share of the moves that are any sensible ones instead, 0..1.
        plays_on: whether it passes only when no sensible move is left; else when a pass is the policy's likeliest move.
    """

    temperature: float
    random: float
    plays_on: bool

    def __str__(self) -> str:
        plays_on = ", plays on" if self.plays_on else ""
        return f"temperature {self.temperature:.2f}, random {self.random:.0%}{plays_on}"


@dataclass(frozen=True, eq=False)
class WeakPlan:
    """How one game of weak players is played.

    Attributes:
        seed: of the run.
        number: of the game; all random choices depend on it and on `seed`.
        record: what the game begins with; without moves if that is an empty board or handicap stones.
        ply: moves of the record that are played.
        random: moves that are played at random after these.
        black, white: the players.
        longest: moves after which the game is broken off; None plays it to the end.
    """

    seed: int
    number: int
    record: GameRecord
    ply: int
    random: int
    black: WeakPlayer
    white: WeakPlayer
    longest: int | None = None

    @property
    def branch(self) -> int:
        """The number of moves that are not the players' own."""
        return self.ply

    @property
    def source(self) -> str:
        """The source of the game, as its row names it."""
        beginning = f"after {self.ply} moves of {self.record.source}" if self.ply else self.record.source
        return f"game {self.number}: Black {self.black}; White {self.white}; {beginning}, {self.random} random moves"

    def player(self, colour: int) -> WeakPlayer:
        """Return the player of a colour."""
        return self.black if colour == BLACK else self.white


class WeakGames:
    """Plans games of weak players.

    Args:
        sides: of the boards, equally frequent; one may be there several times.
        records: a third of the games begin with one of these, on its own board side; None for no such games.

    They have no target: a model's count of them cannot be trusted. A teacher labels them.
    """

    counted = False

    def __init__(self, sides: Sequence[int], records: Records | None = None) -> None:
        self._sides, self._records = tuple(sides), records

    @property
    def options(self) -> dict[str, Any]:
        """What the plans depend on, besides the seed."""
        return {
            "style": "weak",
            "sides": list(self._sides),
            "records": None if self._records is None else self._records.name,
        }

    def plan(self, seed: int, number: int) -> WeakPlan:
        """Return the plan of game `number`, the same for the same arguments."""
        chance = np.random.default_rng((seed, number))
        black, white = _weak_player(chance), _weak_player(chance)
        if self._records is not None and chance.random() < _FROM_RECORDS:
            record = self._records[int(chance.integers(len(self._records)))]
            ply = int(chance.integers(len(record.move_points), endpoint=True))
            return WeakPlan(seed, number, record, ply, 0, black, white)
        start = _start(int(chance.choice(self._sides)), chance)
        most = start.side**2 // _POINTS_A_RANDOM_MOVE
        random = int(chance.integers(most, endpoint=True)) if chance.random() < _RANDOM_OPENINGS else 0
        return WeakPlan(seed, number, start, 0, random, black, white)


class SparseGames:
    """Plans the beginnings of games, and boards with the stones of one player alone.

    Args:
        sides: of the boards, equally frequent; one may be there several times.
        records: the games whose boards lose the stones of one player.

    Of models that learned from whole games alone, an empty board gets owners. These games have no target.
    """

    counted = False

    def __init__(self, sides: Sequence[int], records: Records) -> None:
        self._sides, self._records = tuple(sides), records

    @property
    def options(self) -> dict[str, Any]:
        """What the plans depend on, besides the seed."""
        return {"style": "sparse", "sides": list(self._sides), "records": self._records.name}

    def plan(self, seed: int, number: int) -> WeakPlan:
        """Return the plan of game `number`, the same for the same arguments."""
        chance = np.random.default_rng((seed, number))
        black, white = _weak_player(chance), _weak_player(chance)
        if chance.random() < _ONE_COLOUR:
            start = _of_one_colour(self._records[int(chance.integers(len(self._records)))], chance)
        else:
            start = _start(int(chance.choice(self._sides)), chance, _SPARSE_HANDICAP)
        moves = int(chance.integers(1, _MOST_MOVES, endpoint=True))
        random = moves if chance.random() < _RANDOM_OPENINGS else 0
        return WeakPlan(seed, number, start, 0, random, black, white, moves)


def _of_one_colour(record: GameRecord, chance: np.random.Generator) -> GameRecord:
    """Return a record that begins with some stones of one player on a board of a game, the other side to move."""
    ply = int(chance.integers(len(record.move_points), endpoint=True))
    colour = int(chance.choice((BLACK, WHITE)))
    stones = np.flatnonzero(record.position(ply).stones.ravel() == colour)
    kept = chance.permutation(stones)[: int(chance.integers(len(stones), endpoint=True))]
    game = Game.empty(record.side, ruleset=_RULES, komi=_KOMI)
    game = game.with_setup(dict.fromkeys(kept.tolist(), colour), -colour)
    return GameRecord.of_game(game, f"one colour after {ply} moves of {record.source}", UNFINISHED)


def _weak_player(chance: np.random.Generator) -> WeakPlayer:
    temperature = float(np.exp(chance.uniform(*np.log(_TEMPERATURES))))
    return WeakPlayer(temperature, float(chance.uniform(0, _MOST_RANDOM)), bool(chance.random() < _PLAY_ON))


def _start(side: int, chance: np.random.Generator, handicaps: float = _HANDICAP) -> GameRecord:
    """Return a record without moves: an empty board, or handicap stones."""
    game = Game.empty(side, ruleset=_RULES, komi=_KOMI)
    most = most_handicap(side)
    if chance.random() >= handicaps or not most:
        return GameRecord.of_game(game, "empty board", UNFINISHED)
    count = int(chance.integers(2, most, endpoint=True))
    game = replace(game, komi=0.0).with_setup(dict.fromkeys(fixed_handicap(side, count), BLACK), WHITE, count)
    return GameRecord.of_game(game, f"{count} handicap stones", UNFINISHED)
