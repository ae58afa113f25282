"""Values that a range, a type or a choice allows."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.errors import (
    ABOVE_ZERO,
    BELOW_ONE,
    InputError,
    check_choice,
    check_fields,
    check_number,
    check_whole,
    fields_of,
    parse_number,
    parse_whole,
)


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_whole_numbers(number: int) -> None:
    assert parse_whole(str(number)) == check_whole(number) == number
    with pytest.raises(InputError):
        check_whole(number, number + 1)
    with pytest.raises(InputError):
        parse_whole(str(number), number - 2, number - 1)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers(number: float) -> None:
    assert parse_number(repr(number)) == check_number(number) == number


@given(st.text(max_size=8) | st.sampled_from(["nan", "inf", "1_0", "１", "1e999", "0x1", "+-1", ".", "1e", " 1"]))
def test_texts_that_are_no_numbers(text: str) -> None:
    try:
        assert math.isfinite(parse_number(text))
    except InputError as error:
        assert str(error).startswith("expected a number. Received: ")
    else:
        assert set(text) <= set("0123456789+-.eE")


@pytest.mark.parametrize(
    ("least", "most", "value", "message"),
    [
        (1, 5, 7, "expected a whole number 1..5. Received: 7"),
        (1, math.inf, 0, "expected a whole number from 1 up. Received: 0"),
        (-math.inf, math.inf, True, "expected a whole number. Received: True"),
        (1, 5, 2.0, "expected a whole number 1..5. Received: 2.0"),
        (1, 5, None, "expected a whole number 1..5. Received: nothing"),
    ],
)
def test_messages_name_the_range(least: float, most: float, value: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_whole(value, least, most)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("least", "most", "message"),
    [
        (ABOVE_ZERO, math.inf, "expected a number above 0. Received: 0"),
        (ABOVE_ZERO, 9, "expected a number above 0, at most 9. Received: 0"),
        (0.5, BELOW_ONE, "expected a number from 0.5 to less than 1. Received: 0"),
    ],
)
def test_messages_name_bounds_that_are_left_out(least: float, most: float, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check_number(0, least, most)
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, True, "1", None])
def test_values_that_are_no_numbers(value: object) -> None:
    with pytest.raises(InputError, match=r"expected a number\. Received: "):
        check_number(value)


@dataclass(frozen=True)
class Options:
    width: int
    share: float = 0.5
    depth: int | None = None
    fast: bool = True
    name: str = "a"
    layers: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        check_fields(
            self, {"width": (1, 9), "share": (0, 1), "depth": (0, math.inf), "layers": (1, 99)}, {"name": "ab"}
        )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "width: expected a value. Received: nothing"),
        ({"width": 0}, "width: expected a whole number 1..9. Received: 0"),
        ({"width": None}, "width: expected a whole number 1..9. Received: nothing"),
        ({"width": 1, "share": "x"}, "share: expected a number 0..1. Received: 'x'"),
        ({"width": 1, "depth": -1}, "depth: expected a whole number from 0 up. Received: -1"),
        ({"width": 1, "fast": 1}, "fast: expected true or false. Received: 1"),
        ({"width": 1, "name": "c"}, "name: expected one of a, b. Received: 'c'"),
        ({"width": 1, "layers": 3}, "layers: expected a list. Received: 3"),
        ({"width": 1, "layers": [[3]]}, "layers: expected a list of 2. Received: (3,)"),
        ({"width": 1, "layers": [[3, 100]]}, "layers: expected a whole number 1..99. Received: 100"),
        ({"height": 1}, "expected options with the fields width, share, depth, fast, name, layers. Received: height"),
        ([], "expected options, a mapping. Received: []"),
    ],
)
def test_fields_are_checked_by_their_types_and_ranges(values: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        Options(**fields_of(Options, values, "options"))
    assert str(caught.value) == message


def test_fields_that_are_right() -> None:
    given = {"width": np.int64(9), "share": 1, "depth": None, "fast": False, "name": "b", "layers": [[3, 5], [8, 1]]}
    assert Options(**fields_of(Options, given, "options")).layers == ((3, 5), (8, 1))


@pytest.mark.parametrize(("value", "allowed"), [(1, True), (2, True), (True, False), (1.0, False), ([], False)])
def test_choices_are_of_their_type(value: object, allowed: bool) -> None:
    if allowed:
        check_choice(value, (1, 2))
        return
    with pytest.raises(InputError, match=r"expected one of 1, 2\. Received: "):
        check_choice(value, (1, 2))
