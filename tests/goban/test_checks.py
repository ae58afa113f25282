"""Numbers in a range, as values and as text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.checks import check_number, check_whole, parse_number, parse_whole
from goban.errors import InputError


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


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, True, "1", None])
def test_values_that_are_no_numbers(value: object) -> None:
    with pytest.raises(InputError, match=r"expected a number\. Received: "):
        check_number(value)
