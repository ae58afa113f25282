"""What TensorFlow logs in this process."""

import os
from pathlib import Path

import pytest

from runtime import this_process
from runtime.this_process import quiet_tensorflow


@pytest.mark.parametrize(("found", "level"), [(True, "2"), (False, "3")])
def test_tensorflow_logs_errors_only_where_a_gpu_is(
    found: bool, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TF_CPP_MIN_LOG_LEVEL", "")
    monkeypatch.delenv("TF_CPP_MIN_LOG_LEVEL")
    monkeypatch.setattr(this_process, "_GPU", tmp_path if found else tmp_path / "none")
    quiet_tensorflow()
    assert os.environ["TF_CPP_MIN_LOG_LEVEL"] == level
