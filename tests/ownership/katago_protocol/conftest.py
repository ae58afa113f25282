"""Models for queries."""

from pathlib import Path

import pytest

from ownership.inference.evaluator import Evaluator


@pytest.fixture(scope="module")
def evaluator(small_model: Path) -> Evaluator:
    return Evaluator.load(small_model)
