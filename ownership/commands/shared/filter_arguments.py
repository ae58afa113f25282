"""The arguments by which a command chooses among games."""

import argparse
import re

from game_datasets.game_filter import GameFilter
from game_records.dates import Date, date_name, parse_date
from game_records.rank_property import parse_rank
from goban.coords import MAX_SIDE, MIN_SIDE
from goban.errors import InputError, cut
from goban.rulesets import RULESETS, find_rules
from runtime.command_line import Argument, declare


def add_filter_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that `game_filter` reads."""
    group = parser.add_argument_group(
        "choice of games", "An option about ranks, dates or rules leaves out the records without them."
    )
    declare(
        group,
        Argument("--min-rank RANK", str, "of both players: 9d, 1k, or 1p for professionals"),
        Argument("--since DATE", str, "2010, 2010-06 or 2010-06-15, included"),
        Argument("--until DATE", str, "the same, included"),
        Argument("--min-moves N", int, "fewest moves", least=0),
        Argument("--max-moves N", int, "most moves", least=0),
        Argument("--sides N,...", str, "board sides: 9,13"),
        Argument("--rules NAME,...", str, "rulesets: japanese,korean", completer=lambda **_: list(RULESETS)),
    )


def game_filter(arguments: argparse.Namespace) -> GameFilter:
    """Return the choice that the arguments make; raise InputError for one that cannot be."""
    chosen = GameFilter(
        min_rank=_rank(arguments.min_rank),
        since=_date("--since", arguments.since),
        until=_date("--until", arguments.until),
        min_moves=arguments.min_moves,
        max_moves=arguments.max_moves,
        sides=tuple(sorted(set(parse_sides(arguments.sides)))),
        rules=tuple(sorted({_rules(name) for name in _listed(arguments.rules)})),
    )
    if chosen.min_moves is not None and chosen.max_moves is not None and chosen.min_moves > chosen.max_moves:
        raise InputError(f"--min-moves must be at most --max-moves {chosen.max_moves}. Received: {chosen.min_moves}")
    if chosen.since and chosen.until and chosen.since[: len(chosen.until)] > chosen.until:
        raise InputError(f"--since must be at most --until {arguments.until}. Received: {arguments.since}")
    return chosen


def parse_sides(text: str | None) -> list[int]:
    """Return the board sides of an option --sides, in their order; raise InputError for a wrong one."""
    return [_side(side) for side in _listed(text)]


def _rank(text: str | None) -> int | None:
    rank = None if text is None else parse_rank(text)
    if text is not None and rank is None:
        raise InputError(f"--min-rank must be a rank such as 30k, 1k, 9d or 1p. Received: {cut(text)}")
    if rank is not None and rank > 0 and re.match(r"\s*10", str(text)):
        raise InputError(f"--min-rank must be at most 9d or 9p: 10 dan counts as 9. Received: {cut(str(text))}")
    return rank


def _date(option: str, text: str | None) -> Date | None:
    if text is None:
        return None
    date = parse_date(text)
    if date is None or date_name(date) != text:
        raise InputError(f"{option} must be a date such as 2010, 2010-06 or 2010-06-15. Received: {cut(text)}")
    return date


def _listed(text: str | None) -> list[str]:
    return [] if text is None else [item.strip() for item in text.split(",")]


def _side(text: str) -> int:
    if not text.isdecimal() or len(text) > 2 or not MIN_SIDE <= int(text) <= MAX_SIDE:
        raise InputError(f"--sides must be board sides {MIN_SIDE}..{MAX_SIDE} such as 9,13. Received: {cut(text)}")
    return int(text)


def _rules(name: str) -> str:
    return find_rules(name, "--rules").name
