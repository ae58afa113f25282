"""Evaluators that are no model directory: what they have to do, and what is known about one."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.fork_reset import reset_after_fork

if TYPE_CHECKING:
    from ownership.inference.prediction import Prediction


OWN_VERSION: Final = 1
"""Of `OwnEvaluator` and `OwnPlayer`: another number for changes that break packages, each listed in CHANGELOG.md."""


class OwnEvaluator(Protocol):
    """An evaluator of your own, which every function and command takes in place of a model.

    ```
    class Mine:
        def evaluate(self, positions, *, terms):
            return [Prediction(ownership=self.network(position)) for position in positions]
    ```

    Optional attributes: `name`, and `side`, the only board side that it knows. `OWN_VERSION` is the version of this
    interface.
    """

    def evaluate(self, positions: "Sequence[Position]", *, terms: "Sequence[Terms]") -> "Sequence[Prediction]":
        """Return a `Prediction` for each position; always the same figures, with None for the others.

        Args:
            positions: 1 to 512 of one board side, finished or not.
            terms: rules, komi and handicap of each, for `lead` and `win_rate`.

        One thread calls it at a time. Figures are Black's, as in `Prediction`; a policy may give weights of any sum,
        also to illegal moves.
        """
        ...


@dataclass(frozen=True, eq=False)
class OwnConfig:
    """What is known about an evaluator of a user's own.

    Attributes:
        evaluator: the object.
        heads: the figures that it predicts, as fields of a `Prediction`.
        side: the only board side that it knows; None for any.
        is_named: whether it is of an installed package, where other processes find it by its name.
        lock: held while it evaluates.
    """

    evaluator: OwnEvaluator
    heads: tuple[str, ...]
    side: int | None
    is_named: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)
    passes: ClassVar[bool] = True
    reads_chains: ClassVar[bool] = False

    def __post_init__(self) -> None:
        """Have a lock of its own in every child process."""
        reset_after_fork(self)

    def reset_in_child(self) -> None:
        """Forget the lock, which a thread of the parent process may have held."""
        object.__setattr__(self, "lock", threading.Lock())
