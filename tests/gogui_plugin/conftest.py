"""Engines for tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.gtp import Inside
from tests.support.paths import EXAMPLES


@pytest.fixture(scope="session")
def shared_engine(small_model: Path) -> Iterator[Inside]:
    """One engine for all tests of this process."""
    engine = Inside("--model", str(small_model), "--games", str(EXAMPLES))
    yield engine
    engine.close()


@pytest.fixture
def engine(shared_engine: Inside) -> Inside:
    """The engine with an empty 9x9 board and its first options."""
    shared_engine.all(["boardsize 9", "komi 6.5", "ownership-options rules area", "ownership-options player greedy"])
    return shared_engine
