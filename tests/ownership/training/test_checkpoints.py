"""Checkpoints that are damaged, or of something else."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ownership.training.checkpoints import CheckpointError, Progress, load_checkpoint, save_checkpoint


def test_a_damaged_checkpoint_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "last.npz"
    save_checkpoint(path, {}, Progress(3), [np.arange(100)])
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(CheckpointError, match="Delete it to start again"):
        load_checkpoint(path, {})


STATE: dict[str, Any] = {"identity": {}, "progress": vars(Progress(3))}
RECORD = {"samples": 8, "validation_brier": 0.2}


@pytest.mark.parametrize(
    "state",
    [
        None,
        [],
        {},
        {"identity": {}},
        STATE | {"identity": None},
        STATE | {"progress": None},
        STATE | {"progress": {"step": 3, "speed": 4}},
        STATE | {"progress": {"step": "three"}},
        STATE | {"progress": {"seconds": float("nan")}},
        STATE | {"progress": {"history": None}},
        STATE | {"progress": {"history": [{"samples": 8}]}},
        STATE | {"progress": {"history": [RECORD | {"loss": "low"}]}},
    ],
)
def test_a_checkpoint_with_a_broken_state_is_one_error(state: object, tmp_path: Path) -> None:
    path = tmp_path / "last.npz"
    np.savez(path, state=np.array(json.dumps(state)), array_0000=np.arange(3))
    with pytest.raises(CheckpointError, match="Delete it to start again"):
        load_checkpoint(path, {})


@pytest.mark.parametrize("content", [b"", b"[" * 10**5, b"PK", b"\x93NUMPY"])
def test_another_file_is_no_checkpoint(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "last.npz"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match="Delete it to start again"):
        load_checkpoint(path, {})
