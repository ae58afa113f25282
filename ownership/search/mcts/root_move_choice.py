"""Which move at the root is best: the most visited one, or the one with the highest lower confidence bound (LCB)."""

from dataclasses import dataclass
from typing import Final

from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_value import TreeValue

_BOUND: Final = 3.0  # standard errors from the mean down to the lower confidence bound
_LEAST_SHARE: Final = 0.1  # of the most visits, for a move to be chosen by its bound


@dataclass(frozen=True, eq=False)
class TreeMove:
    """A move at the root that was visited.

    Attributes:
        point: flat index, N*N for a pass.
        prior: its probability by the policy.
        value: of the position after it.
        lower_bound: of the mover's probability of winning.
        line: the move and the best moves after it.
        line_visits: visits of each of them.
    """

    point: int
    prior: float
    value: TreeValue
    lower_bound: float
    line: tuple[int, ...]
    line_visits: tuple[int, ...]

    @property
    def visits(self) -> int:
        """How often it was visited."""
        return self.value.visits


def lower_bound(value: TreeValue, mover: int) -> float:
    """Return the lower confidence bound of a colour's probability of winning."""
    return max(0.0, value.wins_for(mover) - _BOUND * value.error)


def best_first(moves: list[TreeMove], options: TreeOptions) -> list[TreeMove]:
    """Return moves at the root in the order of the option `choice`."""
    most = max((each.visits for each in moves), default=0)

    def by_visits(each: TreeMove) -> tuple[float, float]:
        return -each.visits, -each.prior

    def by_bound(each: TreeMove) -> tuple[bool, float, float]:
        return each.visits < _LEAST_SHARE * most, -each.lower_bound, -each.visits

    return sorted(moves, key=by_bound if options.choice == "lcb" else by_visits)
