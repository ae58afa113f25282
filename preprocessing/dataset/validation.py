"""Shards are checked when they are read, before any kernel sees them: kernels trust their arguments.

Games are not replayed: an illegal move ends the replay that meets it.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, get_args

import numpy as np

from goban.coords import MAX_SIDE, MIN_SIDE
from goban.rulesets import RULESETS
from preprocessing.dataset.columns import (
    Fault,
    Int64,
    bools,
    bytes_of,
    code_fault,
    lists,
    numbers,
    raise_first,
    setup_fault,
    typed,
    valid,
)
from preprocessing.dataset.rows import SPLITS, schema
from preprocessing.records.game import MAX_MOVES, Kind

_MOST_POINTS: Final = 2000.0  # more than any margin and komi of a record
_ALWAYS: Final = ("source", "reason")
_OF_GAMES: Final = (
    "id",
    "opening",
    "komi",
    "rules",
    "handicap",
    "result",
    "ending",
    "black_rank",
    "white_rank",
    "date",
)
_POINTS: Final = ("komi", "recorded_score", "counted_score")
_OF_TARGETS: Final = ("counted_score", "scorer", "moves")
_HASHES: Final = ("id", "opening")
_VALUES: Final = {"rules": ("", *RULESETS), "ending": get_args(Kind), "split": SPLITS}


def checked(table: Any, name: str) -> Any:
    """Return a shard's table, or some of its columns, side among them, with the types of the schema.

    Args:
        table: an Arrow table.
        name: of the shard, for the message.

    Raises:
        DatasetError: a value that no dataset holds; it names shard, row (from 0), field and value.
    """
    table = typed(table, schema(), name)
    raise_first(_faults(table), table, name)
    return table


def _faults(table: Any) -> Iterator[Fault]:
    """Yield what may be wrong with the columns that are there, each check trusting those before it."""
    present = set(table.column_names)
    side = numbers(table, "side")
    is_game = valid(table, "side")
    yield Fault("side", is_game & ((side < MIN_SIDE) | (side > MAX_SIDE)), f"a board side {MIN_SIDE}..{MAX_SIDE}")
    for name in _present(table, ("setup", "moves", "target")):
        yield Fault("side", valid(table, name) & ~is_game, f"a board side with {name}")
    for name in _present(table, _ALWAYS):
        yield Fault(name, ~valid(table, name), "a text")
    for name in _present(table, _OF_GAMES):
        yield Fault(name, is_game & ~valid(table, name), "a value")
    for name in _present(table, _POINTS):
        yield Fault(name, ~(np.abs(numbers(table, name)) <= _MOST_POINTS), "a number of points")
    if "handicap" in present:
        yield Fault("handicap", numbers(table, "handicap") < 0, "0 or more")
    yield from _text_faults(table)
    yield from _board_faults(table, present, side)


def _present(table: Any, names: Sequence[str]) -> list[str]:
    return [name for name in names if name in table.column_names]


def _text_faults(table: Any) -> Iterator[Fault]:
    import pyarrow as pa
    import pyarrow.compute as pc

    for name in _present(table, _HASHES):
        good = pc.match_substring_regex(table[name], "^[0-9a-f]{16}$")
        yield Fault(name, ~bools(good.fill_null(True)), "16 hexadecimal digits")
    for name in _present(table, list(_VALUES)):
        values = _VALUES[name]
        good = pc.or_(pc.is_null(table[name]), pc.is_in(table[name], value_set=pa.array(values)))
        yield Fault(name, ~bools(good), f"one of {', '.join(filter(None, values))}")


def _board_faults(table: Any, present: set[str], side: Int64) -> Iterator[Fault]:
    points = side**2
    if "setup" in present:
        setup = lists(table, "setup")
        yield code_fault("setup", setup, 2 * points)
        yield setup_fault(side, setup)
    if "moves" in present:
        moves = lists(table, "moves")
        yield code_fault("moves", moves, 2 * points + 2)
        yield Fault("moves", moves.lengths > MAX_MOVES, f"at most {MAX_MOVES} moves")
        if "branch" in present:
            branch = numbers(table, "branch")
            yield Fault("branch", (branch < 0) | (branch > moves.lengths), "a number of moves of the game")
    if "target" in present:
        yield from _target_faults(table, present, points)
    if {"setup", "moves"} <= present:
        yield Fault("setup", valid(table, "setup") != valid(table, "moves"), "set-up stones with moves")


def _target_faults(table: Any, present: set[str], points: Int64) -> Iterator[Fault]:
    import pyarrow.compute as pc

    there = valid(table, "target")
    owners = bytes_of(table, "target")
    yield Fault("target", there & (owners.lengths != points), "a byte for each point of the board")
    outside = (owners.values < -1) | (owners.values > 1)
    yield Fault("target", owners.any_in_row(outside), "owners 1, 0 and -1")
    for name in _present(table, _OF_TARGETS):
        yield Fault(name, there & ~valid(table, name), "a value with a target")
    if "reason" in present:
        accepted = bools(pc.equal(table["reason"], ""))
        yield Fault("reason", there & ~accepted, "no reason with a target")
        yield Fault("target", ~there & accepted, "a target without a reason")
