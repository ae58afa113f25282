"""Fields that are declared once: the values that they read and refuse, and their schema."""

import pickle
from typing import Any

import pytest

from goban.coords import BLACK, pass_point
from goban.errors import FieldError, InputError, naming
from goban.json_request_fields import (
    Field,
    Fields,
    as_fields,
    as_move,
    as_point,
    choice_field,
    flag_field,
    list_field,
    number_field,
    or_text,
    request_schema,
    whole_field,
)
from goban.json_schema import STRING, VERTICES

VISITS = whole_field("visits", 1, 9, "of a search, see [speed](speed.md) and `x`", 3)
KOMI = number_field("komi", -4, 4, "", None)
NAME = Field("name", STRING, "of the file", str, required=True)
EXACT = choice_field("exact", ("yes", "no"), "", "no")
POINTS = list_field("points", VERTICES, "")


def test_fields_have_values_or_defaults() -> None:
    given = Fields({"visits": 9, "komi": None, "points": ["A1"], "other": 1})
    assert (given.read(VISITS), given.read(KOMI), given.read(EXACT), list(given.read(POINTS))) == (
        9,
        None,
        "no",
        ["A1"],
    )
    assert given.unknown() == ["other"]
    assert VISITS in given and KOMI in given and EXACT not in given
    with pytest.raises(FieldError, match="komi: expected a value, or no such field"):
        given.check_no_null()
    assert (Fields({}).read(VISITS), list(Fields({}).read(POINTS))) == (3, [])


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        (VISITS, 10, "expected a whole number 1..9. Received: 10"),
        (VISITS, "3", "expected a whole number 1..9. Received: '3'"),
        (or_text(VISITS), "10", "expected a whole number 1..9. Received: '10'"),
        (KOMI, True, "expected a number -4..4. Received: True"),
        (flag_field("fast", ""), 1, "expected true or false. Received: 1"),
        (EXACT, ["yes"], "expected one of yes, no. Received: ['yes']"),
        (POINTS, {}, "expected a list. Received: {}"),
    ],
)
def test_wrong_values_name_the_field(field: Field[Any], value: object, fault: str) -> None:
    with pytest.raises(FieldError) as caught:
        Fields({field.name: value}).read(field)
    assert (caught.value.field, caught.value.fault) == (field.name, fault)
    assert str(caught.value) == f"{field.name}: {fault}"


def test_numbers_may_be_texts() -> None:
    assert Fields({"visits": "4", "komi": "-0.5"}).read(or_text(VISITS)) == 4
    assert Fields({"komi": "-0.5"}).read(or_text(KOMI)) == -0.5
    assert Fields({"komi": 2}).read(or_text(KOMI)) == 2


def test_the_schema_of_a_request() -> None:
    schema = request_schema([NAME, VISITS, EXACT])
    assert schema["required"] == ["name"] and not schema["additionalProperties"]
    visits = {"type": ["integer", "null"], "minimum": 1, "maximum": 9, "default": 3}
    assert schema["properties"]["visits"] == visits | {"description": "of a search, see speed and x"}
    assert schema["properties"]["exact"]["enum"] == ["yes", "no", None]
    assert schema["properties"]["name"]["type"] == "string"


def test_objects_points_and_moves() -> None:
    assert as_fields({"visits": 2}, [VISITS], "visits").read(VISITS) == 2
    wrong_values: list[object] = [[], {"komi": 1}]
    for wrong in wrong_values:
        with pytest.raises(InputError, match="expected visits"):
            as_fields(wrong, [VISITS], "visits")
    assert (as_point("(0,1)", 5), as_point("pass", 5), as_move(["b", "A5"], 5)) == (5, pass_point(5), (BLACK, 0))


def test_errors_name_the_outermost_field_and_go_between_processes() -> None:
    with pytest.raises(FieldError) as caught, naming("moves"), naming("move 3"):
        raise InputError("expected a legal move")
    copied = pickle.loads(pickle.dumps(caught.value))
    assert (copied.field, copied.fault) == ("moves", "move 3: expected a legal move")
    assert str(copied) == "moves: move 3: expected a legal move"
