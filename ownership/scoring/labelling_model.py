"""The ownership model that labels games in `prepare`: workers get its name, and load it once in each thread."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, WHITE
from goban.position import Position
from ownership.inference.evaluator import own_evaluator
from ownership.inference.model_catalogue import find_model, place_of


@dataclass(frozen=True)
class LabellingModel:
    """A model for `preprocessing.labeller.Labeller`, for the final positions of games.

    Attributes:
        place: name or directory, present on every worker.
        name: the model's own name and the first digits of its weights' hash, if it has files; the dataset keeps it.
    """

    place: str
    name: str

    @classmethod
    def find(cls, place: str | Path | None = None) -> Self:
        """Return the model of a name or a directory, or the default one; raise ModelError where there is none."""
        files = find_model(place)
        files.require_head("ownership", "labelling games")
        place = place_of(files) if place is None else str(place)
        if files.is_own:
            return cls(place, files.name)
        digest = files.sha256 or hashlib.sha256(files.weights.read_bytes()).hexdigest()
        return cls(place, f"{files.name} {digest[:8]}")

    def ownership(self, position: Position) -> NDArray[np.float32]:
        """Return float32 (N, N) in [-1, 1], the mean over both sides to move and all symmetries."""
        both = [Position.from_stones(position.stones, colour) for colour in (BLACK, WHITE)]
        mean: NDArray[np.float32] = own_evaluator(self.place).ownership(both, 8).mean(axis=0)
        return mean
