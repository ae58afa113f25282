"""A search of one position within limits, and its reports: one an interval, one a doubling of visits, or the last."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from goban.game import Game
from ownership.search.forbidden_moves import ForbiddenPlies
from ownership.search.mcts.tree_result import TreeResult
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits


@dataclass(frozen=True, eq=False)
class SearchStream:
    """A search of the position of a game, which runs while its reports are iterated over, once.

    Attributes:
        search: what searches; it may hold the tree of the moves before.
        game, limits, interrupted, forbidden: as for `TreeSearch.run`.
    """

    search: TreeSearch
    game: Game
    limits: Limits = field(default_factory=Limits)
    interrupted: Callable[[], bool] = lambda: False
    forbidden: ForbiddenPlies | None = None
    _stopped: threading.Event = field(default_factory=threading.Event, init=False, repr=False)

    def stop(self) -> None:
        """End the search after its running batch; from any thread."""
        self._stopped.set()

    def every(self, seconds: float, first: float = 0.0) -> Iterator[TreeSearch]:
        """Yield the search once a move was visited and `first` seconds are over, then again after each interval."""
        due = time.monotonic() + first
        for visits in self._visits():
            if visits > 1 and time.monotonic() >= due:
                yield self.search
                due = time.monotonic() + seconds

    def doublings(self) -> Iterator[TreeResult]:
        """Yield the first result, one whenever the visits have doubled, and the last."""
        visits = reported = 0
        for visits in self._visits():
            if visits >= 2 * reported:
                yield self.search.result()
                reported = visits
        if visits > reported:
            yield self.search.result()

    def finish(self) -> TreeResult:
        """Search until a limit is reached and return the result."""
        for _ in self._visits():
            pass
        return self.search.result()

    def _visits(self) -> Iterator[int]:
        return self.search.run(self.game, self.limits, self._ends, self.forbidden)

    def _ends(self) -> bool:
        return self._stopped.is_set() or self.interrupted()
