"""The interface of teachers, and a bundled or trained model as one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from game_datasets.rows import Row, soft_ownership, soft_policy
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction
from ownership.teaching.teacher_positions import Question

_RULES: Final = "area"
_MOST_MOVED: Final = 0.1  # of a point's doubt


@dataclass(frozen=True, eq=False)
class SoftLabel:
    """The prediction of a teacher for a position of board side N, under area rules.

    Attributes:
        ownership: (N, N) in [-1, 1], +1 Black.
        komi: points that the teacher assumed.
        lead: expected score in points, Black minus White, komi included.
        deviation: standard deviation of the final score in points, None for unknown.
        win_rate: probability that Black wins, None for unknown.
        policy: (N*N + 1,), probabilities of the next moves, the last being the pass; None for unknown.
    """

    ownership: NDArray[np.floating[Any]]
    komi: float
    lead: float
    deviation: float | None = None
    win_rate: float | None = None
    policy: NDArray[np.floating[Any]] | None = None

    def columns(self) -> Row:
        """Return the columns of a soft row that hold it."""
        return {
            "rules": _RULES,
            "komi": self.komi,
            "ownership": soft_ownership(self.ownership),
            "lead": self.lead,
            "deviation": self.deviation,
            "win_rate": self.win_rate,
            **soft_policy(self.policy),
        }


@dataclass(frozen=True)
class Refusal:
    """A teacher's reason for not labelling a position."""

    reason: str


class Teacher(Protocol):
    """A source of labels. Every row has its `name`; `settings` are JSON values on which its labels depend."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> dict[str, Any]: ...

    def ask(self, questions: Sequence[Question]) -> Sequence[SoftLabel | Refusal]:
        """Return the labels of positions of one board side, refusals where it has none; raise InputError."""


@dataclass(frozen=True, eq=False)
class ModelTeacher:
    """A model as a teacher.

    Attributes:
        evaluator: the model at work.
        name: its name, with the hash of the weights.
        symmetries: over which it averages its labels, 1 or 8.
    """

    evaluator: Evaluator
    name: str
    symmetries: int

    @property
    def settings(self) -> dict[str, Any]:
        """The number of symmetries."""
        return {"symmetries": self.symmetries}

    def ask(self, questions: Sequence[Question]) -> list[SoftLabel]:
        """Return the label of each position, by area rules; all have the same board side."""
        terms = [Terms(RULESETS[_RULES], question.record.komi) for question in questions]
        answers = self.evaluator.evaluate([question.position for question in questions], self.symmetries, terms)
        return [_soft_label(answer, each.komi) for answer, each in zip(answers, terms, strict=True)]


def _soft_label(answer: Prediction, komi: float) -> SoftLabel:
    if answer.lead is None:
        lead, ownership = float(answer.owners.sum()) - komi, answer.owners
    else:
        lead, ownership = answer.lead, balanced(answer.owners, answer.lead + komi)
    return SoftLabel(ownership, komi, lead, answer.deviation, answer.win_rate, answer.policy)


def balanced(ownership: NDArray[np.floating[Any]], area: float) -> NDArray[np.floating[Any]]:
    """Return an ownership (N, N) whose sum is nearer to the expected score by area, without komi.

    The ownership of a network is less exact about an open board than its lead. Each point moves by the same part of its
    doubt, 1 - x² of an ownership x, by at most a tenth of that: much on an open board, hardly on a finished one.
    """
    doubt = 1 - np.square(np.clip(ownership, -1, 1))
    part = (area - ownership.sum()) / max(float(doubt.sum()), 1e-6)
    moved: NDArray[np.floating[Any]] = ownership + doubt * np.clip(part, -_MOST_MOVED, _MOST_MOVED)
    return moved
