"""Trainings in tests."""

import pytest


@pytest.fixture
def without_export(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trainings end as on a backend that cannot export: what they learned is kept, and no model comes of it."""
    pytest.importorskip("keras", reason="training needs the train extra")
    monkeypatch.setattr("ownership.training.train_run.can_export", lambda: False)
