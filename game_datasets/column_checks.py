"""Checks of the values of a column, which `columns` declares with it.

Checks come before any kernel sees the values: kernels trust their arguments.
"""

from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.arrow_to_numpy import Lists, has_value, list_column, number_column
from game_datasets.rows import decode_points
from game_records.game_identity import game_id
from goban.array_types import Bool

FaultFinder = Callable[[Any, str], Bool]


class Check(NamedTuple):
    """What a column is expected to have. It may trust the board side, the columns before its own and earlier checks.

    Attributes:
        expected: in words.
        bad: returns the rows that do not have it, bool (R,), given an Arrow table and the column's name.
        beside: other columns that it reads, the board side apart.
    """

    expected: str
    bad: FaultFinder
    beside: tuple[str, ...] = ()


def expect_value(expected: str = "a value", beside: str | None = None) -> Check:
    """Expect a value in each row, or in those that have one in the column `beside`."""
    if beside is None:
        return Check(expected, lambda table, name: ~has_value(table, name))
    return Check(expected, lambda table, name: ~has_value(table, name) & has_value(table, beside), (beside,))


def expect_within(least: float, most: float, expected: str) -> Check:
    """Expect null, or a number between two, both included."""
    return Check(
        expected, lambda table, name: has_value(table, name) & ~between(least, number_column(table, name), most)
    )


def expect_texts(expected: str, good: Callable[[str], Any]) -> Check:
    """Expect null, or a text that is good."""

    def bad(table: Any, name: str) -> Bool:
        return np.array([text is not None and not good(text) for text in table[name].to_pylist()], np.bool_)

    return Check(expected, bad)


def expect_one_of(values: Collection[str]) -> Check:
    """Expect null, or one of some texts."""
    return expect_texts(f"one of {', '.join(filter(None, values))}", lambda text: text in values)


def expect_items(expected: str, good: Callable[[Any, Any], Bool]) -> Check:
    """Expect lists of items that are good, given the items of all rows and the board side of each."""

    def bad(table: Any, name: str) -> Bool:
        found = list_column(table, name)
        return found.any_in_row(~good(found.values, number_column(table, "side")[found.rows]))

    return Check(expected, bad)


def expect_codes(per_point: int, others: int = 0) -> Check:
    """Expect lists of codes: `per_point` for each point of the board, then `others`, such as a pass."""
    return expect_items(
        "codes of points on the board", lambda codes, side: between(0, codes, per_point * side**2 + others - 1)
    )


def expect_bytes(most: int, expected: str) -> tuple[Check, Check]:
    """Expect null, or a byte from -most to most for each point of the board."""

    def misfit(table: Any, name: str) -> Bool:
        unlike: Bool = list_column(table, name).lengths != number_column(table, "side") ** 2
        return has_value(table, name) & unlike

    return (
        Check("a byte for each point of the board", misfit),
        expect_items(expected, lambda values, side: between(-most, values, most)),
    )


def expect_at_most(most: int, expected: str) -> Check:
    """Expect at most `most` items; `expected` names them in words."""
    return Check(expected, lambda table, name: list_column(table, name).lengths > most)


def between(least: Any, values: Any, most: Any) -> Any:
    """Return which values lie between two, both included."""
    return (values >= least) & (values <= most)


def is_accepted(table: Any) -> Bool:
    """Return which rows have a target, as they have no reason, bool (R,)."""
    return np.array([reason == "" for reason in table["reason"].to_pylist()], np.bool_)


def unlike_their_id(table: Any, name: str) -> Bool:
    """Return which rows have moves that, with side and set-up stones, do not match their id, bool (R,)."""
    known, sides = has_value(table, name).tolist(), number_column(table, "side").tolist()
    boards, moves = _boards(sides, list_column(table, "setup")), list_column(table, name)
    points, colours = decode_points(moves.values)
    rows = zip(known, sides, boards, pairwise(moves.offset.tolist()), table["id"].to_pylist(), strict=True)
    unlike = (
        there and game_id(side, board, points[a:b], colours[a:b]) != id for there, side, board, (a, b), id in rows
    )
    return np.fromiter(unlike, np.bool_, len(sides))


def _boards(sides: list[int], setup: Lists) -> Iterator[NDArray[np.int8]]:
    """Yield the set-up stones of each row as a record has them, int8 (side * side,)."""
    empty = {side: np.zeros(side * side, np.int8) for side in set(sides)}
    points, colours = decode_points(setup.values)
    for side, (start, end) in zip(sides, pairwise(setup.offset.tolist()), strict=True):
        stones = empty[side] if start == end else empty[side].copy()
        stones[points[start:end]] = colours[start:end]
        yield stones


def has_doubled(table: Any, name: str) -> Bool:
    """Return which rows have a value twice, bool (R,)."""
    moves = list_column(table, name)
    order = np.lexsort((moves.values, moves.rows))
    twice = (np.diff(moves.rows[order]) == 0) & (np.diff(moves.values[order]) == 0)
    doubled = np.zeros(len(order), np.bool_)
    doubled[order[1:][twice]] = True
    return moves.any_in_row(doubled)
