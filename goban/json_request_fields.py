"""Fields of JSON objects that clients send: each is declared once, with its schema, its meaning and its reader."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Generic, NamedTuple, TypeVar

from goban.coords import BLACK, WHITE, parse_gtp
from goban.errors import (
    FieldError,
    InputError,
    check_flag,
    check_number,
    check_whole,
    naming,
    parse_number,
    parse_whole,
    shown,
)
from goban.json_schema import FLAG, NUMBER, WHOLE, JsonSchema, choice, nullable, object_of, said

_Value = TypeVar("_Value", covariant=True)
_Default = TypeVar("_Default")

_COLOURS: Final = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_PAIR: Final = re.compile(r"\(\s*([0-9]{1,3})\s*,\s*([0-9]{1,3})\s*\)")


class Field(NamedTuple, Generic[_Value]):
    """A field of an object that a client sends.

    Attributes:
        name: as it is written.
        schema: of its value.
        meaning: of its value, in Markdown.
        read: makes the program's value of JSON's; raises InputError.
        default: the program's value where the field is missing or null.
        required: whether `read` answers for a field that is missing or null.
    """

    name: str
    schema: JsonSchema
    meaning: str
    read: Callable[[Any], _Value]
    default: Any = None
    required: bool = False


def whole_field(name: str, least: int, most: int, meaning: str, default: _Default) -> Field[int | _Default]:
    """Return the field of a whole number from `least` to `most`."""
    schema = _with_default({**WHOLE, "minimum": least, "maximum": most}, default)
    return Field(name, schema, meaning, partial(check_whole, least=least, most=most), default)


def number_field(name: str, least: float, most: float, meaning: str, default: _Default) -> Field[float | _Default]:
    """Return the field of a number from `least` to `most`."""
    schema = _with_default({**NUMBER, "minimum": least, "maximum": most}, default)
    return Field(name, schema, meaning, partial(check_number, least=least, most=most), default)


def flag_field(name: str, meaning: str) -> Field[bool]:
    """Return the field of true or false, by default false."""
    return Field(name, FLAG, meaning, check_flag, False)


def choice_field(name: str, choices: Collection[str], meaning: str, default: _Default) -> Field[str | _Default]:
    """Return the field of one of some texts."""
    return Field(name, _with_default(choice(*choices), default), meaning, partial(_chosen, choices=choices), default)


def list_field(name: str, schema: JsonSchema, meaning: str) -> Field[Sequence[Any]]:
    """Return the field of a list, by default empty; its items are read by those who know the board."""
    return Field(name, schema, meaning, as_list, ())


def or_text(field: Field[_Value]) -> Field[_Value]:
    """Return the field of a number that may also be a text."""
    parse: Callable[..., Any] = parse_whole if field.schema["type"] == "integer" else parse_number
    least, most = field.schema["minimum"], field.schema["maximum"]
    schema = {**field.schema, "type": [field.schema["type"], "string"]}
    return field._replace(
        schema=schema, read=lambda value: parse(value, least, most) if isinstance(value, str) else field.read(value)
    )


def request_schema(fields: Iterable[Field[Any]]) -> JsonSchema:
    """Return the schema of an object with no other fields."""
    properties = {
        field.name: said(field.schema if field.required else nullable(field.schema), field.meaning) for field in fields
    }
    required = [field.name for field in fields if field.required]
    return {**object_of(properties, required), "additionalProperties": False}


class Fields:
    """The values of an object; a field counts as known once it is read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values
        self.known: set[str] = set()

    def __contains__(self, field: Field[Any]) -> bool:
        """Return whether there is such a field, null included."""
        return field.name in self._values

    def read(self, field: Field[_Value]) -> _Value:
        """Return the value of a field, or its default; raise FieldError."""
        self.known.add(field.name)
        value = self._values.get(field.name)
        if value is None and not field.required:
            return field.default  # type: ignore[no-any-return]
        with naming(field.name):
            return field.read(value)

    def unknown(self) -> list[str]:
        """Return the names of unknown fields."""
        return [name for name in self._values if name not in self.known]

    def check_no_null(self) -> None:
        """Raise FieldError for a known field that is null: one without a value is left out."""
        for name in self._values:
            if name in self.known and self._values[name] is None:
                raise FieldError(name, "expected a value, or no such field. Received: null")


def as_given(value: Any) -> Any:
    """Return the value of a field that is read where more is known."""
    return value


def as_list(value: object) -> list[Any]:
    """Return a list; raise InputError for anything else."""
    if not isinstance(value, list):
        raise InputError(f"expected a list. Received: {shown(value)}")
    return value


def as_fields(value: object, fields: Iterable[Field[Any]], expected: str) -> Fields:
    """Return an object with some of the fields and no others; raise InputError, which names the expected fields."""
    if not isinstance(value, dict) or value.keys() - {field.name for field in fields}:
        raise InputError(f"expected {expected}. Received: {shown(value)}")
    return Fields(value)


def as_player(value: object) -> int:
    """Return BLACK or WHITE, of B, W, black or white; raise InputError."""
    if not isinstance(value, str) or value.lower() not in _COLOURS:
        raise InputError(f"expected a player B or W. Received: {shown(value)}")
    return _COLOURS[value.lower()]


def as_point(value: object, side: int) -> int:
    """Return the flat index of a vertex, or of "(x,y)" from the top left, N*N for a pass; raise InputError."""
    if not isinstance(value, str):
        raise InputError(f"expected a vertex such as Q16. Received: {shown(value)}")
    pair = _PAIR.fullmatch(value.strip())
    if pair is None:
        return parse_gtp(value, side)
    column, row = int(pair[1]), int(pair[2])
    if max(column, row) >= side:
        raise InputError(f"expected a point (0,0)..({side - 1},{side - 1}). Received: {shown(value)}")
    return row * side + column


def as_move(value: object, side: int) -> tuple[int, int]:
    """Return the colour and flat index of a pair such as ["B", "Q16"]; raise InputError."""
    if not isinstance(value, list) or len(value) != 2:
        raise InputError(f'expected pairs such as ["B", "Q16"]. Received: {shown(value)}')
    return as_player(value[0]), as_point(value[1], side)


def _chosen(value: object, choices: Collection[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InputError(f"expected one of {', '.join(choices)}. Received: {shown(value)}")
    return value


def _with_default(schema: JsonSchema, default: object) -> JsonSchema:
    return schema if default is None else {**schema, "default": default}
