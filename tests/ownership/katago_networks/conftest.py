"""Networks of KataGo, which the tests import."""

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package")
def few_games() -> Iterator[None]:
    """Imports compare a model with its network on positions of fewer and smaller games than for users."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ownership.export.check_positions.SIDES", (9, 13))
        patch.setattr("ownership.export.check_positions._GAMES", 2)
        yield
