"""Targets of installed packages: what a network learns beside its heads, under a name in a group of entry points."""

from functools import cache
from typing import Any, Final, Protocol

from numpy.typing import NDArray

from goban.errors import InputError, suggestion
from ownership.inference.network_config import HEADS, SOFT_POLICY
from runtime.entry_points import entry_names, load_entry

GROUP: Final = "ownership.targets"
"""The group of entry points: each is called without arguments and returns an `OwnTarget`."""

POINT_LOSSES: Final = ("binary_crossentropy", "mean_squared_error")
LOSSES: Final = (*POINT_LOSSES, "categorical_crossentropy")


class OwnTarget(Protocol):
    """A target of your own. A head that is left out when the network is saved learns it in training.

    Attributes:
        numbers: how many numbers the head answers about a board; None for one at each point.
        loss: of `LOSSES`, of `POINT_LOSSES` at points. The answers are probabilities by a sigmoid or a softmax, and any
            number for squared errors.
        weight: of the loss, that of the ownership being 1.
    """

    numbers: int | None
    loss: str
    weight: float

    def values(self, batch: Any, games: Any) -> NDArray[Any]:
        """Return what the head should answer, (B, N, N) or (B, numbers); NaN where it is not known.

        Args:
            batch: a `game_datasets.batches.Batch`; `game`, `ply` and `symmetry` are where each position is from and how
                it is turned.
            games: the `game_datasets.game_table.GameTable` whose rows `batch.game` names.

        Several threads call it. It depends on its arguments alone, or a training cannot be repeated.
        """
        ...


def own_target_names() -> list[str]:
    """Return the names of the targets of installed packages, sorted."""
    return entry_names(GROUP)


@cache
def find_target(name: str) -> OwnTarget:
    """Return the target of an installed package, made once.

    Raises:
        InputError: no package has one of that name, or it lacks an attribute or has another value there.
    """
    make = load_entry(GROUP, name)
    if make is None or name in (*HEADS, SOFT_POLICY) or not name.isidentifier():
        names = own_target_names()
        known = ", ".join(names) or "none"
        raise InputError(f"expected a target of a package ({known}). Received: {name}{suggestion(name, names)}")
    target: OwnTarget = make()
    numbers, loss, weight = (getattr(target, each, None) for each in ("numbers", "loss", "weight"))
    if loss not in (losses := POINT_LOSSES if numbers is None else LOSSES):
        raise InputError(f"target {name}: expected a loss of {', '.join(losses)}. Received: {loss}")
    if not isinstance(weight, int | float) or weight <= 0:
        raise InputError(f"target {name}: expected a weight above 0. Received: {weight}")
    if not callable(getattr(target, "values", None)):
        raise InputError(f"target {name}: expected a method values(batch, games). Received: none")
    return target
