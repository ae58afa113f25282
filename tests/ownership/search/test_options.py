"""The numbers that searches and matches take."""

from dataclasses import fields

import pytest

from goban.errors import InputError
from ownership.match.conditions import Conditions
from ownership.search.local_continuations import LongTermOptions
from ownership.search.search_options import SearchOptions, TreeOptions

OPTIONS = (SearchOptions, TreeOptions, LongTermOptions, Conditions)
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
