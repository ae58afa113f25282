"""Which games are wanted: a choice by rank, date, length, board side and rules."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from game_records.dates import Date, date_name, parse_date
from game_records.game_record import GameRecord
from game_records.rank_property import parse_rank, rank_name
from goban.errors import InputError, plural


class Traits(NamedTuple):
    """The properties by which games are chosen; a dataset's row holds all of it.

    Attributes:
        side: of the board.
        moves: their number.
        rules: name of a ruleset, "" when unknown.
        black_rank: as written.
        white_rank: as written.
        date: as written.
    """

    side: int
    moves: int
    rules: str
    black_rank: str
    white_rank: str
    date: str

    @classmethod
    def of(cls, game: GameRecord) -> "Traits":
        """Return the traits of a game record."""
        return cls(game.side, len(game.move_points), game.rules, game.black_rank, game.white_rank, game.date)


@dataclass(frozen=True)
class GameFilter:
    """A choice of games; None or () chooses everything.

    Attributes:
        min_rank: of both players, as from `parse_rank`.
        since, until: both included, as from `parse_date`; only the parts that both dates have are compared.
        min_moves, max_moves: both included.
        sides: of the board.
        rules: names of rulesets.
    """

    min_rank: int | None = None
    since: Date | None = None
    until: Date | None = None
    min_moves: int | None = None
    max_moves: int | None = None
    sides: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()

    def refusal(self, traits: Traits) -> str:
        """Return "" for a game that is wanted, else what was found and expected, such as "side 13, expected 19".

        A game without a rank, date or rules is left out where these are chosen.
        """
        return next(self._refusals(traits), "")

    def describe(self) -> dict[str, Any]:
        """Return the options that are given by name, for JSON; ranks and dates are spelled out."""
        options = {
            "min_rank": None if self.min_rank is None else rank_name(self.min_rank),
            "since": _spelled(self.since),
            "until": _spelled(self.until),
            "min_moves": self.min_moves,
            "max_moves": self.max_moves,
            "sides": list(self.sides) or None,
            "rules": list(self.rules) or None,
        }
        return {name: value for name, value in options.items() if value is not None}

    def options(self) -> str:
        """Return the options as commands take them, such as "--min-rank 5d --sides 9,13"."""
        values = {
            name: ",".join(map(str, value)) if isinstance(value, list) else value
            for name, value in self.describe().items()
        }
        return " ".join(f"--{name.replace('_', '-')} {value}" for name, value in values.items())

    def on(self, side: int) -> "GameFilter":
        """Return the same choice for a network of one board side; raise InputError where it leaves that side out."""
        if self.sides and side not in self.sides:
            raise InputError(
                f"--sides must include {side}, the only side of this network. Received: {_any_of(self.sides)}"
            )
        return replace(self, sides=(side,))

    def _refusals(self, traits: Traits) -> Iterator[str]:
        if self.sides and traits.side not in self.sides:
            yield f"side {traits.side}, expected {_any_of(self.sides)}"
        if not _is_within(traits.moves, self.min_moves, self.max_moves):
            yield f"{plural(traits.moves, 'move')}, expected {_span(self.min_moves, self.max_moves, 'more', 'fewer')}"
        if self.rules and traits.rules not in self.rules:
            yield f"rules {traits.rules or 'missing'}, expected {_any_of(self.rules)}"
        if self.min_rank is not None:
            for player, rank in (("Black", traits.black_rank), ("White", traits.white_rank)):
                if not _is_strong(rank, self.min_rank):
                    yield f"rank of {player} {rank or 'missing'}, expected {rank_name(self.min_rank)} or more"
        if (self.since or self.until) and not _is_between(traits.date, self.since or (), self.until or ()):
            period = _span(_spelled(self.since), _spelled(self.until), "later", "earlier")
            yield f"date {traits.date or 'missing'}, expected {period}"


EVERY_GAME = GameFilter()


def _is_within(number: int, least: int | None, most: int | None) -> bool:
    return (least is None or number >= least) and (most is None or number <= most)


def _is_strong(written: str, least: int) -> bool:
    rank = parse_rank(written)
    return rank is not None and rank >= least


def _is_between(written: str, since: Date, until: Date) -> bool:
    date = parse_date(written)
    return date is not None and since[: len(date)] <= date[: len(since)] and date[: len(until)] <= until[: len(date)]


def _spelled(date: Date | None) -> str | None:
    return date_name(date) if date else None


def _span(least: object, most: object, up: str, down: str) -> str:
    """Return "5 to 9", or "5 or more" and "9 or fewer" where one end is None."""
    if least is None:
        return f"{most} or {down}"
    return f"{least} or {up}" if most is None else f"{least} to {most}"


def _any_of(values: tuple[object, ...]) -> str:
    return " or ".join(map(str, values))
