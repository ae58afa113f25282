"""A second judge of the ends of games: another model, asked about what is not safe by the first."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.evaluator import AnyEvaluator, Evaluator
from ownership.inference.model_files import ModelFiles
from ownership.inference.prediction import Prediction

SECOND_JUDGE: Final = "play"
"""The model that is asked too where a single position is scored."""


class JudgePair:
    """Two models that judge positions together.

    Attributes:
        files: of the first model, whose thresholds hold.
        name: the names of both.
    """

    def __init__(self, first: Evaluator, second: Evaluator) -> None:
        self._first, self._second = first, second
        self.files: ModelFiles = first.files
        self.name = f"{first.name}+{second.name}"

    @property
    def heads(self) -> tuple[str, ...]:
        """What the first model answers."""
        return self._first.heads

    def evaluate(self, positions: Sequence[Position], symmetries: int, terms: Sequence[Terms]) -> list[Prediction]:
        """Return the predictions of the first model with the mean ownership of both; see `Evaluator.evaluate`."""
        both = (judge.evaluate(positions, symmetries, terms) for judge in (self._first, self._second))
        return [
            replace(first, ownership=(first.ownership + second.ownership) / np.float32(2))
            for first, second in zip(*both, strict=True)
        ]


def judges(first: Evaluator, second: AnyEvaluator | None, side: int) -> JudgePair | None:
    """Return a model and a second one; None where `second_judge` gives none."""
    other = second_judge(first, second, side)
    return None if other is None else JudgePair(first, other)


def second_judge(first: Evaluator, second: AnyEvaluator | None, side: int) -> Evaluator | None:
    """Return the model that is asked beside another one; None where there is none, or it does not know the board side.

    Args:
        first: the model that was not sure.
        second: the other model; None for none. The default model takes the place of the same.
        side: N of the boards.

    Raises:
        InputError: there is no such model.
    """
    if second is None:
        return None
    other = _judge(second, first.threads, first.bulk) if isinstance(second, str | Path) else Evaluator.of(second)
    if _are_same(first, other):
        other = _judge("default", first.threads, first.bulk)
    known = other.files.network.side in (None, side) and "ownership" in other.heads
    return other if known and not _are_same(first, other) else None


def _are_same(one: Evaluator, other: Evaluator) -> bool:
    return one.files.weights == other.files.weights and one.files.network == other.files.network


@cache
def _judge(model: str | Path, threads: int, bulk: bool) -> Evaluator:
    return Evaluator.load(model, threads=threads, bulk=bulk)
