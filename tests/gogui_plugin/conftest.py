"""Engines for tests, with the small models of the tests of `ownership`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gogui_plugin.client import Inside
from tests.ownership.conftest import owner_model, small_model

__all__ = ["owner_model", "small_model"]

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def shared_engine(small_model: Path) -> Iterator[Inside]:
    """One engine for all tests of this process."""
    engine = Inside("--model", str(small_model), "--games", str(EXAMPLES))
    yield engine
    engine.close()


@pytest.fixture
def engine(shared_engine: Inside) -> Inside:
    """The engine with an empty 9x9 board and its first options."""
    shared_engine.all(
        ["boardsize 9", "komi 6.5", "ownership-options rules area", "ownership-options player ownership1"]
    )
    return shared_engine
