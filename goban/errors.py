"""The one base class of every error that a user's input can cause, and words of messages."""

from collections.abc import Iterable
from numbers import Real
from operator import index
from types import UnionType
from typing import Final

_LONGEST_SHOWN: Final = 60  # characters of input in a message
_ALIKE = 0.7  # of two words, from which one may be meant by the other; "klingon" and "inggoe" have 0.62


class InputError(ValueError):
    """Invalid input; the message names what was expected and what was received."""


def cut(text: str) -> str:
    """Return a text as a message shows it: of a long one only the beginning."""
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."


def shown(value: object) -> str:
    """Return a value as a message shows it: quoted and cut; None, which stands for a missing one, as "nothing"."""
    return "nothing" if value is None else cut(repr(value))


def wrong_type(expected: str, value: object) -> TypeError:
    """Return the error about a value that is not of the expected type."""
    return TypeError(f"expected {expected}. Received: {type(value).__name__} {cut(repr(value))}")


def require_type(kind: type | UnionType, expected: str, value: object) -> None:
    """Raise TypeError, which names what was expected, unless a value is of that type."""
    if not isinstance(value, kind):
        raise TypeError(f"expected {expected}. Received: {type(value).__name__}")


def as_whole(name: str, value: object) -> int:
    """Return a whole number of any type as an int; raise TypeError, which names it, for anything else."""
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise wrong_type(f"{name} as a whole number", value) from None


def require_number(name: str, value: object, of: str = "") -> None:
    """Raise TypeError, which names the value and what it is a number `of`, unless it is a number."""
    if not isinstance(value, Real):
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
