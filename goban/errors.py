"""The one base class of every error that a user's input can cause, the checks that raise it, and words of messages."""

import json
import math
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import MISSING, fields
from json import JSONDecodeError
from numbers import Integral, Real
from operator import index
from types import UnionType
from typing import Any, Final, get_args, get_origin

ABOVE_ZERO: Final = 1e-9  # the least of numbers above 0
BELOW_ONE: Final = 0.999999  # the most of shares below 1

_LONGEST_SHOWN: Final = 60  # characters of input in a message
_ALIKE: Final = 0.7  # of two words, from which one may be meant by the other; "klingon" and "inggoe" have 0.62
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?")
_LARGEST: Final = sys.float_info.max


class InputError(ValueError):
    """Invalid input; the message names the expected and the received value."""


class FieldError(InputError):
    """Invalid input whose message begins with where it stands.

    Attributes:
        field: the option, field or other argument at fault.
        fault: the rest of the message.
    """

    def __init__(self, field: str, fault: str) -> None:
        super().__init__(field, fault)
        self.field, self.fault = field, fault

    def __str__(self) -> str:
        """Return the message."""
        return f"{self.field}: {self.fault}"


def cut(text: str) -> str:
    """Return a text as a message shows it: of a long one only the beginning."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def shown(value: object) -> str:
    """Return a value as a message shows it: quoted and cut; None, which stands for a missing one, as "nothing"."""
    try:
        return "nothing" if value is None else cut(repr(value))
    except ValueError:  # Python writes no whole number above 4,300 digits
        return "a whole number with too many digits"


def wrong_type(expected: str, value: object) -> TypeError:
    """Return the error about a value that is not of the expected type."""
    given = "None" if value is None else shown(value)
    return TypeError(f"expected {expected}. Received: {type(value).__name__} {given}")


def require_type(kind: type | UnionType, expected: str, value: object) -> None:
    """Raise TypeError, which names the expected type, unless a value is of that type."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {expected}. Received: {type(value).__name__}")


def as_whole(name: str, value: object) -> int:
    """Return a whole number of any type but bool as an int; raise TypeError, which names it, for anything else."""
    try:
        if not isinstance(value, bool):
            return index(value)  # type: ignore[arg-type]
    except TypeError:
        pass
    raise wrong_type(f"{name} as a whole number", value)


def require_number(name: str, value: object, of: str = "") -> None:
    """Raise TypeError, which names the value and its unit `of`, unless it is a number, bool excluded."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise wrong_type(f"{name} as a number{f' of {of}' if of else ''}", value)


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message, "; did you mean ...?" with the known word most like `word`, "" if none is."""
    from difflib import get_close_matches  # not at the start of every command

    near = get_close_matches(word, sorted(set(known)), 1, _ALIKE)
    return f"; did you mean {near[0]}?" if near else ""


def plural(number: float, noun: str) -> str:
    """Return a number and its noun in the singular or plural: "1 game", "0.5 points", "1,234 games"."""
    count = f"{number:,}" if number % 1 else f"{int(number):,}"
    return f"{count} {noun}" if number == 1 else f"{count} {noun}s"


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Raise a FieldError for an InputError in the block: its message begins with the option or field at fault."""
    try:
        yield
    except InputError as error:
        raise FieldError(name, str(error)) from None


def check_whole(value: object, least: float = -math.inf, most: float = math.inf) -> int:
    """Return a whole number from `least` to `most`; raise InputError for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= most:
        raise _wrong("a whole number", least, most, value)
    return int(value)


def check_number(value: object, least: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number from `least` to `most`; raise InputError for anything else, booleans included."""
    number: Any = value  # an int may be larger than any float
    fits = isinstance(value, Real) and max(least, -_LARGEST) <= number <= min(most, _LARGEST)
    if not fits or isinstance(value, bool):
        raise _wrong("a number", least, most, value)
    return float(number)


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


class _NoJsonNumberError(ValueError):
    """A number that JSON does not have."""


def parse_object(text: str | bytes) -> dict[str, Any]:
    """Return the object that a JSON text is; raise InputError for anything else, NaN and infinite numbers included."""
    try:
        values = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise InputError(f"expected a JSON object. Received: {_fault(error)}") from None
    if not isinstance(values, dict):
        raise InputError(f"expected a JSON object. Received: {shown(values)}")
    return values


def _refuse(name: str) -> float:
    raise _NoJsonNumberError(f"{name}, which is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _NoJsonNumberError("a number that is too large")
    return number


def _fault(error: ValueError | RecursionError) -> str:
    """Return in one line why `json.loads` refused a text."""
    if isinstance(error, RecursionError):
        return "one that is nested too deeply"
    if isinstance(error, JSONDecodeError | UnicodeDecodeError | _NoJsonNumberError):
        return " ".join(str(error).split())
    return "a whole number with too many digits"


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
            raise FieldError(name, "expected a value. Received: nothing")
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
    bounds = range_text(least, most)
    return InputError(f"expected {expected}{bounds and ' ' + bounds}. Received: {shown(value)}")


def range_text(least: float, most: float) -> str:
    """Return the words for a range, such as "from 1 up" or "0..1", "" for that of all numbers."""
    if math.isinf(least):
        return ""
    if least == ABOVE_ZERO:
        return "above 0" + ("" if math.isinf(most) else f", at most {_short(most)}")
    if most == BELOW_ONE:
        return f"from {_short(least)} to less than 1"
    return f"from {_short(least)} up" if math.isinf(most) else f"{_short(least)}..{_short(most)}"


def _short(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"
