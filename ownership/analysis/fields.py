"""Fields of JSON objects, read with a message for each value that is none of those expected."""

from collections.abc import Mapping
from json import JSONDecodeError
from typing import Any, Final

from goban.coords import BLACK, WHITE, parse_gtp
from goban.errors import InputError, shown

_COLOURS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


class QueryError(InputError):
    """A query that cannot be answered, because of `field`."""

    def __init__(self, message: str, field: str) -> None:
        super().__init__(message)
        self.field = field


def json_fault(error: ValueError | RecursionError) -> str:
    """Return in one line why `json.loads` refused a text."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, JSONDecodeError | UnicodeDecodeError):
        return " ".join(str(error).split())
    return "a whole number has too many digits"


class Fields:
    """The fields of an object; a field counts as known once it is read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.known: set[str] = set()

    def get(self, name: str) -> Any:
        """Return a value as it is, or None."""
        self.known.add(name)
        return self._values.get(name)

    def unknown(self) -> list[str]:
        """Return the names of unknown fields."""
        return [name for name in self._values if name not in self.known]

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        """Return a whole number; raise QueryError."""
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most or value % 1:
            raise QueryError(f"expected a whole number {least}..{most}. Received: {shown(value)}", name)
        return int(value)

    def number(self, name: str, default: float | None, least: float, most: float) -> float | None:
        """Return a number, or the default; raise QueryError."""
        value = self.get(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
            raise QueryError(f"expected a number {least:g}..{most:g}. Received: {shown(value)}", name)
        return float(value)

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


def colour_of(value: object, field: str) -> int:
    """Return BLACK or WHITE; raise QueryError."""
    if not isinstance(value, str) or value.lower() not in _COLOURS:
        raise QueryError(f"expected a player B or W. Received: {shown(value)}", field)
    return _COLOURS[value.lower()]


def point_of(value: object, side: int, field: str) -> int:
    """Return the flat index of a vertex, N*N for a pass; raise QueryError."""
    try:
        if not isinstance(value, str):
            raise InputError(f"expected a vertex such as Q16. Received: {shown(value)}")
        return parse_gtp(value, side)
    except InputError as error:
        raise QueryError(str(error), field) from None


def move_of(value: object, side: int, field: str) -> tuple[int, int]:
    """Return the colour and flat index of a pair such as ["B", "Q16"]; raise QueryError."""
    if not isinstance(value, list) or len(value) != 2:
        raise QueryError(f'expected pairs such as ["B", "Q16"]. Received: {shown(value)}', field)
    return colour_of(value[0], field), point_of(value[1], side, field)
