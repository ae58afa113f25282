"""Checkpoints of a training: everything needed to go on as if it had never stopped, in one file."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from math import isfinite
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from ownership.inference.stack_config import Stack
from runtime.safe_writing import replacing

LAST = "last.npz"  # in a model directory
_SECONDS_BETWEEN = 60
_OTHERS = {
    "layers": "the stack has other layers than before",
    "games": "the dataset has other games or targets than before",
    "soft": "the soft datasets have other positions than before",
    "initial_weights": "the weights to begin with are others than before",
}
_OPTIONS = {"feature_set": "features"}
_STACK = {field.name for field in fields(Stack)}
_WITHOUT_OPTION = _STACK - {"dropout", "activation"} | {
    "board_pooling",
    "symmetries",
    "score_weight",
    "margin_weight",
    "validations",
    "validation_positions",
}
_CRITERIA = {"validation_brier": -1, "validation_policy_accuracy": 1, "validation_resign_brier": -1}

SavedArrays = list[NDArray[Any]]


class CheckpointError(InputError):
    """A checkpoint that is damaged or belongs to another training."""


@dataclass
class Progress:
    """How far a training has come; JSON values only.

    Attributes:
        step: batches trained on.
        seconds: spent, over all runs.
        summed: steps since the last validation.
        sums: of what was measured in these steps, by name.
        history: one record a validation, oldest first.
    """

    step: int = 0
    seconds: float = 0.0
    summed: int = 0
    sums: dict[str, float] = field(default_factory=dict)
    history: list[dict[str, float]] = field(default_factory=list)

    @property
    def best(self) -> dict[str, float]:
        """The record of the best validation, see `merit`; there is at least one."""
        return max(self.history, key=merit)

    @property
    def stale(self) -> int:
        """Validations since the best one; 0 before the first."""
        return len(self.history) - 1 - self.history.index(self.best) if self.history else 0

    def add(self, values: dict[str, float]) -> dict[str, float]:
        """Count one more step and return the means over the steps since the last validation."""
        self.step += 1
        self.summed += 1
        self.sums = {name: self.sums.get(name, 0.0) + value for name, value in values.items()}
        return {name: total / self.summed for name, total in self.sums.items()}

    def add_validation(self, record: dict[str, float]) -> None:
        """Add a record to the history and begin new means."""
        self.history.append({"step": self.step, "seconds": self.seconds, **record})
        self.summed, self.sums = 0, {}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Progress":
        """Return the progress with these fields, as `vars` gives them; raise ValueError for values of other types."""
        progress = cls(**values)
        records = [progress.sums, *progress.history]
        numbers = [progress.step, progress.seconds, progress.summed, *(n for each in records for n in each.values())]
        if not all(isinstance(number, int | float) for number in numbers) or not isfinite(progress.seconds):
            raise ValueError("a count that is no number")
        if not all(_CRITERIA.keys() & record.keys() and "samples" in record for record in progress.history):
            raise ValueError("a validation without a figure")
        return progress


def merit(record: Mapping[str, float]) -> float:
    """Return how good a validation found a network, the more the better.

    It is the first figure of `_CRITERIA` in the record; a Brier score counts as much as that of the teacher's labels.
    """
    if "validation_teacher_brier" in record:
        return -(record["validation_brier"] + record["validation_teacher_brier"])
    return next(sign * record[name] for name, sign in _CRITERIA.items() if name in record)


class Checkpoints:
    """The checkpoint file of one training, replaced again and again.

    Args:
        path: a .npz file, there already if the training is resumed.
        identity: identifies the training, of types that JSON has; see `load_checkpoint`.
    """

    def __init__(self, path: Path, identity: dict[str, Any]) -> None:
        self._path, self._identity = path, json.loads(json.dumps(identity))  # as the file holds it, without tuples
        self._saved: float | None = None

    def load(self, shapes: list[tuple[int, ...]]) -> tuple[Progress, SavedArrays] | None:
        """Return progress and arrays of the file, None if there is none; raise CheckpointError for others."""
        if not self._path.exists():
            return None
        progress, arrays = load_checkpoint(self._path, self._identity)
        if [array.shape for array in arrays] != shapes:
            raise CheckpointError(_damaged(self._path, "arrays of other shapes"))
        return progress, arrays

    def save(self, progress: Progress, arrays: SavedArrays) -> None:
        """Replace the file."""
        save_checkpoint(self._path, self._identity, progress, arrays)
        self._saved = time.monotonic()

    def due(self) -> bool:
        """Return whether a minute has passed since the last checkpoint, or the first call."""
        if self._saved is None:
            self._saved = time.monotonic()
        return time.monotonic() - self._saved >= _SECONDS_BETWEEN


def save_checkpoint(path: Path, identity: dict[str, Any], progress: Progress, arrays: SavedArrays) -> None:
    """Write a checkpoint. It does not choose what to save.

    Args:
        path: a .npz file.
        identity: JSON values that identify the training; see `load_checkpoint`.
        progress: how far it has come.
        arrays: weights, optimizer state and everything else that changes, in a fixed order.
    """
    state = json.dumps({"identity": identity, "progress": vars(progress)})
    named: dict[str, Any] = {f"array_{number:04}": array for number, array in enumerate(arrays)}
    with replacing(path) as partial:
        np.savez(partial, state=np.array(state), **named)


def load_checkpoint(path: Path, identity: dict[str, Any]) -> tuple[Progress, SavedArrays]:
    """Read a checkpoint of the same training. It does not change the file.

    Args:
        path: a file that `save_checkpoint` wrote.
        identity: must equal the one saved.

    Returns:
        progress and arrays as they were saved.

    Raises:
        CheckpointError: the file is damaged, or of a training with another identity; the message names what differs.
    """
    try:
        with np.load(path) as saved:
            state = json.loads(str(saved["state"]))
            arrays = [saved[name] for name in sorted(saved.files) if name != "state"]
        found, progress = dict(state["identity"]), Progress.from_dict(state["progress"])
    except (BadZipFile, KeyError, ValueError, EOFError, TypeError, AttributeError, RecursionError) as error:
        raise CheckpointError(_damaged(path, str(error))) from error
    _check_identity(path, found, identity)
    return progress, arrays


def _damaged(path: Path, found: str) -> str:
    return f"{path}: expected a checkpoint, found {found}. Delete it to start again"


def _check_identity(path: Path, saved: dict[str, Any], expected: dict[str, Any]) -> None:
    there, asked = _flat(saved), _flat(expected)
    names = [name for name in {**asked, **there} if there.get(name) != asked.get(name)]
    if names:
        first = names[0]
        difference = _OTHERS.get(first) or (
            f"{_spelled(first)} {_shown(there.get(first))} instead of {_shown(asked.get(first))}"
        )
        count = "this difference" if len(names) == 1 else f"{len(names)} differences, the first"
        raise CheckpointError(
            f"{path}: expected a checkpoint of the same training, found {count}: {difference}. "
            "Give the same options and dataset, or another --output"
        )


def _flat(identity: dict[str, Any]) -> dict[str, Any]:
    """Return an identity with the fields of its stack, if it has one, among the others."""
    return {name: value for name, value in identity.items() if name != "stack"} | (identity.get("stack") or {})


def _spelled(name: str) -> str:
    """Return the option that sets a field, or its name where none does."""
    return name if name in _WITHOUT_OPTION else f"--{_OPTIONS.get(name, name).replace('_', '-')}"


def _shown(value: object) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value).lower()
