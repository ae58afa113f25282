"""Values that a range, a type or a choice allows, as values and as text; the message about others says what it is."""

import math
import re
import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from types import UnionType
from typing import Any, Final, get_args, get_origin

import numpy as np

from goban.errors import InputError, cut, shown

ABOVE_ZERO: Final = 1e-9  # the least of numbers above 0
BELOW_ONE: Final = 0.999999  # the most of shares below 1

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?")
_LARGEST: Final = sys.float_info.max


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Let the message of an InputError in the block begin with the option, field or other argument at fault."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def check_whole(value: object, least: float = -math.inf, most: float = math.inf) -> int:
    """Return a whole number from `least` to `most`; raise InputError for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise _wrong("a whole number", least, most, value)
    return int(value)


def check_number(value: object, least: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number from `least` to `most`; raise InputError for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise _wrong("a number", least, most, value)
    if not max(least, -_LARGEST) <= value <= min(most, _LARGEST):
        raise _wrong("a number", least, most, value)
    return float(value)


def check_flag(value: object) -> bool:
    """Return true or false; raise InputError for anything else."""
    if not isinstance(value, bool):
        raise InputError(f"expected true or false. Received: {shown(value)}")
    return value


def check_choice(value: object, choices: Collection[object]) -> None:
    """Raise InputError for a value that is none of the choices; 1.0 and true are not 1."""
    fits = any(value == each and isinstance(value, type(each)) for each in choices)
    if not fits or isinstance(value, bool):
        raise InputError(f"expected one of {', '.join(map(str, choices))}. Received: {shown(value)}")


def check_fields(
    record: Any,
    ranges: Mapping[str, tuple[float, float]] | None = None,
    choices: Mapping[str, Collection[object]] | None = None,
) -> None:
    """Check the fields of a dataclass: numbers, true or false, texts, tuples of them, and choices.

    Args:
        record: the dataclass.
        ranges: the least and the largest that the numbers of a field may be, by name; by default any.
        choices: what a field may be, by name.

    Raises:
        InputError: a value of another type or out of range; the message begins with the name of the field.
    """
    for each in fields(record):
        value, bounds = getattr(record, each.name), (ranges or {}).get(each.name, (-math.inf, math.inf))
        with naming(each.name):
            if choices and each.name in choices and value is not None:
                check_choice(value, choices[each.name])
            else:
                _check(value, each.type, *bounds)


def _check(value: object, kind: Any, least: float, most: float) -> None:
    """Raise InputError unless a value is of the type of a field and its numbers are in a range."""
    if isinstance(kind, UnionType):
        if value is None:
            return
        kind = get_args(kind)[0]
    if kind is bool:
        check_flag(value)
    elif kind is int:
        check_whole(value, least, most)
    elif kind is float:
        check_number(value, least, most)
    elif kind is str and not isinstance(value, str):
        raise InputError(f"expected a text. Received: {shown(value)}")
    elif get_origin(kind) is tuple:
        part, *rest = get_args(kind)
        if not isinstance(value, tuple) or (Ellipsis not in rest and len(value) != len(rest) + 1):
            count = "" if Ellipsis in rest else f" of {len(rest) + 1}"
            raise InputError(f"expected a list{count}. Received: {shown(value)}")
        for each in value:
            _check(each, part, least, most)


def fields_of(kind: type, values: object, what: str) -> dict[str, Any]:
    """Return the fields of a dataclass `kind` that JSON values give by name, with tuples for lists.

    Raises InputError for another value, an unknown name, or a field without a default that is missing.
    """
    if not isinstance(values, Mapping):
        raise InputError(f"expected {what}, a mapping. Received: {shown(values)}")
    known = {each.name: each.default is MISSING and each.default_factory is MISSING for each in fields(kind)}
    for name in values:
        if name not in known:
            raise InputError(f"expected {what} with the fields {', '.join(known)}. Received: {cut(str(name))}")
    for name, needed in known.items():
        if needed and name not in values:
            raise InputError(f"{name}: expected a value. Received: nothing")
    return {name: _as_tuple(value) for name, value in values.items()}


def _as_tuple(value: object) -> object:
    return tuple(map(_as_tuple, value)) if isinstance(value, list | tuple) else value


def parse_whole(text: str, least: float = -math.inf, most: float = math.inf) -> int:
    """Return the whole number from `least` to `most` that a text is; raise InputError."""
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        raise _wrong("a whole number", least, most, text)
    return int(text)


def parse_number(text: str, least: float = -math.inf, most: float = math.inf) -> float:
    """Return the finite number from `least` to `most` that a text is; raise InputError."""
    number = float(text) if _NUMBER.fullmatch(text) else math.nan
    if not (math.isfinite(number) and least <= number <= most):
        raise _wrong("a number", least, most, text)
    return number


def _wrong(expected: str, least: float, most: float, value: object) -> InputError:
    return InputError(f"expected {expected}{_range(least, most)}. Received: {shown(value)}")


def _range(least: float, most: float) -> str:
    """Return the words for a range, "" for that of all numbers."""
    if math.isinf(least):
        return ""
    if least == ABOVE_ZERO:
        return " above 0" + ("" if math.isinf(most) else f", at most {_short(most)}")
    if most == BELOW_ONE:
        return f" from {_short(least)} to less than 1"
    return f" from {_short(least)} up" if math.isinf(most) else f" {_short(least)}..{_short(most)}"


def _short(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"
