"""Checkpoints of a training: everything needed to go on as if it had never stopped, in one file."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError

Arrays = list[NDArray[Any]]


class CheckpointError(InputError):
    """A checkpoint that is damaged or belongs to another training."""


@dataclass
class Progress:
    """How far a training has come; JSON values only.

    step: batches trained on. seconds: spent, over all runs. sums: of what was measured in the `summed` steps since
    the last validation. history: one record a validation, oldest first.
    """

    step: int = 0
    seconds: float = 0.0
    summed: int = 0
    sums: dict[str, float] = field(default_factory=dict)
    history: list[dict[str, float]] = field(default_factory=list)

    def add(self, values: dict[str, float]) -> dict[str, float]:
        """Counts one more step and returns the means of the steps since the last validation."""
        self.step += 1
        self.summed += 1
        self.sums = {name: self.sums.get(name, 0.0) + value for name, value in values.items()}
        return {name: total / self.summed for name, total in self.sums.items()}

    def validated(self, record: dict[str, float]) -> None:
        """Adds a record to the history and begins new means."""
        self.history.append({"step": self.step, "seconds": self.seconds, **record})
        self.summed, self.sums = 0, {}


def replace_file(path: Path, write: Callable[[Path], None]) -> None:
    """Writes a file so that `path` always holds a whole one, the old or the new.

    Args:
        path: the file to replace or to make; its folder exists.
        write: called with the path to write to, which has the same suffix.

    It does not force the file to the disk: it guards against a killed process, not against a power failure.
    """
    partial = path.with_name(f"{path.stem}.partial{path.suffix}")
    write(partial)
    os.replace(partial, path)


def write_json(path: Path, value: Any) -> None:
    """Writes a JSON file with `replace_file`."""
    replace_file(path, lambda partial: _write_text(partial, json.dumps(value, indent=2) + "\n"))


def save_checkpoint(path: Path, identity: dict[str, Any], progress: Progress, arrays: Arrays) -> None:
    """Writes a checkpoint.

    Args:
        path: a .npz file.
        identity: JSON values that say which training this is; see `load_checkpoint`.
        progress: how far it has come.
        arrays: weights, optimizer state and whatever else changes, in a fixed order.

    It does not choose what to save.
    """
    state = json.dumps({"identity": identity, "progress": vars(progress)})
    named: dict[str, Any] = {f"array_{number:04}": array for number, array in enumerate(arrays)}
    replace_file(path, lambda partial: np.savez(partial, state=np.array(state), **named))


def load_checkpoint(path: Path, identity: dict[str, Any]) -> tuple[Progress, Arrays]:
    """Reads a checkpoint of the same training.

    Args:
        path: a file that `save_checkpoint` wrote.
        identity: must equal the one saved.

    Returns:
        progress and arrays as they were saved.

    Raises:
        CheckpointError: the file is damaged, or of a training with another identity; the message names what differs.

    It does not change the file.
    """
    try:
        with np.load(path) as saved:
            state = json.loads(str(saved["state"]))
            arrays = [saved[name] for name in sorted(saved.files) if name != "state"]
    except (BadZipFile, KeyError, ValueError, EOFError) as error:
        raise CheckpointError(f"{path}: expected a checkpoint, found {error}. Delete it to start again") from error
    _check_identity(path, state["identity"], identity)
    return Progress(**state["progress"]), arrays


def _check_identity(path: Path, saved: dict[str, Any], expected: dict[str, Any]) -> None:
    names = [name for name in {**expected, **saved} if saved.get(name) != expected.get(name)]
    if names:
        differences = ", ".join(f"{name} {saved.get(name)} instead of {expected.get(name)}" for name in names)
        raise CheckpointError(
            f"{path}: expected a checkpoint of the same training, found {differences}. "
            "Give the same options and dataset, or another --output"
        )


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
