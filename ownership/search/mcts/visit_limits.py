"""Where a search ends, and how many visits may wait for their evaluations meanwhile."""

import time
from dataclasses import dataclass
from typing import Final

from ownership.search.mcts.tree import SearchTree
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.search_limits import Limits

_MOST_NODES: Final = 200_000  # of a tree without a limit of its own: 244 MB on 19x19
_LEAST_ROOM: Final = 64


def visits_of(tree: SearchTree) -> int:
    """Return the visits of the root."""
    return int(tree.nodes["visits"][0])


def waiting_visits(tree: SearchTree) -> int:
    """Return how many visits wait for their evaluations."""
    return int(tree.nodes["virtual_losses"][0])


@dataclass(frozen=True)
class VisitLimits:
    """The limits of one search of a tree.

    Attributes:
        limits: all but the depth.
        began: a time of `time.monotonic`.
        kept: visits that the search began with.
    """

    limits: Limits
    began: float
    kept: int = 0

    def reached(self, tree: SearchTree) -> bool:
        """Return whether the search ends: at a limit, or as the tree is full and nothing waits."""
        limits, visits = self.limits, visits_of(tree)
        full = int(tree.used[0]) == len(tree.nodes)
        return (
            (limits.visits is not None and visits >= limits.visits)
            or (limits.evaluations is not None and visits - self.kept >= limits.evaluations)
            or (limits.seconds is not None and time.monotonic() - self.began >= limits.seconds)
            or (full and not waiting_visits(tree))
        )

    def batch(self, tree: SearchTree, options: TreeOptions) -> int:
        """Return how many leaves a batch may have without going beyond a limit, or having too many visits wait."""
        limits, visits, waiting = self.limits, visits_of(tree), waiting_visits(tree)
        made = visits + waiting
        wanted = min(options.batch, max(1, int(options.waiting * visits)) - waiting)
        if limits.visits is not None:
            wanted = min(wanted, limits.visits - made)
        if limits.evaluations is not None:
            wanted = min(wanted, limits.evaluations + self.kept - made)
        return max(0, wanted)


def room_for(limits: Limits, kept: int) -> int:
    """Return how many nodes a search may need, with those that are kept."""
    most = _MOST_NODES if limits.nodes is None else limits.nodes
    wanted = [limit for limit in (limits.visits, limits.evaluations) if limit is not None]
    return max(_LEAST_ROOM, min(most, kept + min(wanted, default=most)))
