"""Numbers with their nouns."""

import numpy as np
import pytest

from goban.errors import plural


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "0 games"), (1, "1 game"), (1.0, "1 game"), (0.5, "0.5 games"), (1234567, "1,234,567 games")],
)
def test_only_one_is_singular(number: float, shown: str) -> None:
    assert plural(number, "game") == plural(np.float64(number), "game") == shown
