"""The numbers and choices that searches and matches take."""

from dataclasses import fields

import pytest

from goban.errors import InputError
from ownership.match.match_conditions import Conditions
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.local_continuations import LongTermOptions
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.search_limits import Limits

OPTIONS = (AlphaBetaOptions, TreeOptions, LongTermOptions, Conditions)
MAY_BE_NEGATIVE = ("komi",)
NUMBERS = [
    (options, each.name)
    for options in OPTIONS
    for each in fields(options)
    if each.name not in MAY_BE_NEGATIVE and isinstance(each.default, int | float)
]


@pytest.mark.parametrize(("options", "name"), NUMBERS)
def test_a_negative_number_is_refused(options: type, name: str) -> None:
    assert options()
    with pytest.raises(InputError, match="Received: "):
        options(**{name: -1})


@pytest.mark.parametrize("name", ["visits", "nodes", "evaluations", "depth", "seconds"])
def test_negative_limits_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"{name}: expected a .*number from 0 up\. Received: -1"):
        Limits(**{name: -1})


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"batch": 0}, "batch: expected a whole number from 1 up. Received: 0"),
        ({"choice": "best"}, "choice: expected one of visits, lcb. Received: 'best'"),
        ({"noise": 2.0}, r"noise: expected a number 0\.\.1\. Received: 2"),
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TreeOptions(**wrong)  # type: ignore[arg-type]
