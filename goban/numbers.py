"""Numbers in a range, as values and as text; the message about anything else names the range."""

import math
import re
import sys
from typing import Final

from goban.errors import InputError, shown

_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,18}")
_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,40}\.?[0-9]{0,40}|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,4})?")
_LARGEST: Final = sys.float_info.max


def check_whole(value: object, least: float = -math.inf, most: float = math.inf) -> int:
    """Return a whole number from `least` to `most`; raise InputError for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise _wrong("a whole number", least, most, value)
    return value


def check_number(value: object, least: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number from `least` to `most`; raise InputError for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong("a number", least, most, value)
    if not max(least, -_LARGEST) <= value <= min(most, _LARGEST):
        raise _wrong("a number", least, most, value)
    return float(value)


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
    return f" from {_short(least)} up" if math.isinf(most) else f" {_short(least)}..{_short(most)}"


def _short(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else f"{bound:g}"
