"""Fields of JSON objects, read with a message for each value that is none of those expected."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from goban.coords import BLACK, WHITE, parse_gtp
from goban.errors import InputError, check_number, check_whole, parse_number, parse_whole, shown

_COLOURS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_PAIR: Final = re.compile(r"\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)")


class QueryError(InputError):
    """A query that cannot be answered, because of `field`."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


class Fields:
    """The fields of an object; a field counts as known once it is read.

    Args:
        values: the object.
        numbers_as_text: whether numbers may also be strings.
    """

    def __init__(self, values: Mapping[str, Any], *, numbers_as_text: bool = False) -> None:
        self._values = values
        self._as_text = numbers_as_text
        self.known: set[str] = set()

    def __contains__(self, name: str) -> bool:
        """Return whether there is such a field, null included."""
        return name in self._values

    def get(self, name: str) -> Any:
        """Return a value as it is, or None."""
        self.known.add(name)
        return self._values.get(name)

    def unknown(self) -> list[str]:
        """Return the names of unknown fields."""
        return [name for name in self._values if name not in self.known]

    def check_no_null(self) -> None:
        """Raise QueryError for a known field that is null: one without a value is left out."""
        for name in self._values:
            if name in self.known and self._values[name] is None:
                raise QueryError("expected a value, or no such field. Received: null", name)

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """Return a whole number; raise QueryError."""
        value = self.get(name)
        if value is None:
            return default
        with at_field(name):
            if self._as_text and isinstance(value, str):
                return parse_whole(value, least, most)
            return check_whole(value, least, most)

    def number(self, name: str, default: float | None, least: float, most: float) -> float | None:
        """Return a number, or the default; raise QueryError."""
        value = self.get(name)
        if value is None:
            return default
        with at_field(name):
            if self._as_text and isinstance(value, str):
                return parse_number(value, least, most)
            return check_number(value, least, most)

    def flag(self, name: str) -> bool:
        """Return whether a flag is set; raise QueryError."""
        value = self.get(name)
        if not isinstance(value, bool | None):
            raise QueryError(f"expected true or false. Received: {shown(value)}", name)
        return bool(value)

    def items(self, name: str) -> list[Any]:
        """Return a list, empty if there is none; raise QueryError."""
        value = self.get(name)
        if value is not None and not isinstance(value, list):
            raise QueryError(f"expected a list. Received: {shown(value)}", name)
        return value or []


@contextmanager
def at_field(field: str) -> Iterator[None]:
    """Raise a QueryError about a field for an InputError in the block."""
    try:
        yield
    except InputError as error:
        raise QueryError(str(error), field) from None


def colour_of(value: object, field: str) -> int:
    """Return BLACK or WHITE; raise QueryError."""
    if not isinstance(value, str) or value.lower() not in _COLOURS:
        raise QueryError(f"expected a player B or W. Received: {shown(value)}", field)
    return _COLOURS[value.lower()]


def point_of(value: object, side: int, field: str) -> int:
    """Return the flat index of a vertex, or of "(x,y)" from the top left, N*N for a pass; raise QueryError."""
    if not isinstance(value, str):
        raise QueryError(f"expected a vertex such as Q16. Received: {shown(value)}", field)
    pair = _PAIR.fullmatch(value.strip())
    if pair is None:
        with at_field(field):
            return parse_gtp(value, side)
    column, row = int(pair[1]), int(pair[2])
    if max(column, row) >= side:
        raise QueryError(f"expected a point (0,0)..({side - 1},{side - 1}). Received: {shown(value)}", field)
    return row * side + column


def move_of(value: object, side: int, field: str) -> tuple[int, int]:
    """Return the colour and flat index of a pair such as ["B", "Q16"]; raise QueryError."""
    if not isinstance(value, list) or len(value) != 2:
        raise QueryError(f'expected pairs such as ["B", "Q16"]. Received: {shown(value)}', field)
    return colour_of(value[0], field), point_of(value[1], side, field)
