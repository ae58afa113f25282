"""Searches of many positions side by side, those of the greatest priority first."""

import sys
import threading
import time
import traceback
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from typing import Any

from goban.game import Game
from ownership.inference.evaluator import Evaluator
from ownership.katago_protocol.answer import answer, no_results
from ownership.katago_protocol.query import Query
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_options import Limits, TreeOptions

Write = Callable[[dict[str, Any]], None]
"""Writes an answer; called by several threads."""

_BATCH = 4


@dataclass(order=True)
class _Task:
    """A position to be searched; tasks are ordered by falling priority, then by arrival."""

    rank: tuple[int, int]
    query: Query = field(compare=False)
    turn: int = field(compare=False)
    stopped: threading.Event = field(default_factory=threading.Event, compare=False)


class Engine:
    """Workers that search positions and write the answers, one final answer for each.

    Args:
        evaluator: the model.
        write: receives the answers.
        workers: positions that are searched at the same time.

    Attributes:
        latest: the game of the last query, or None.
    """

    def __init__(self, evaluator: Evaluator, write: Write, workers: int) -> None:
        self.latest: Game | None = None
        self._evaluator = evaluator
        self._write = write
        self._waiting: list[_Task] = []
        self._running: list[_Task] = []
        self._arrived = 0
        self._closed = False
        self._changed = threading.Condition()
        self._workers = [threading.Thread(target=self._work, name="analysis", daemon=True) for _ in range(workers)]
        for worker in self._workers:
            worker.start()

    def submit(self, query: Query) -> None:
        """Queue all turns of a query."""
        self.latest = query.game
        with self._changed:
            for turn, priority in zip(query.turns, query.priorities, strict=True):
                heappush(self._waiting, _Task((-priority, self._arrived), query, turn))
                self._arrived += 1
            self._changed.notify_all()

    def terminate(self, identity: object = None, turns: Collection[int] | None = None) -> None:
        """End searches: those of a query, or all if `identity` is None; of some turns only, if any are given.

        A position that was not begun is answered without results, one that is searched with what was found.
        """

        def meant(task: _Task) -> bool:
            return (identity is None or task.query.id == identity) and (turns is None or task.turn in turns)

        with self._changed:
            ended = sorted(task for task in self._waiting if meant(task))
            self._waiting = [task for task in self._waiting if not meant(task)]
            heapify(self._waiting)
            for task in self._running:
                if meant(task):
                    task.stopped.set()
        for task in ended:
            self._write(no_results(task.query, task.turn))

    def close(self, finish: bool) -> None:
        """End the workers, after all that waits if `finish`, else as soon as the running batches end."""
        if not finish:
            self.terminate()
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def _work(self) -> None:
        while (task := self._next()) is not None:
            try:
                found = self._search(task)
            except Exception:
                traceback.print_exc(file=sys.stderr)
                found = no_results(task.query, task.turn)
            with self._changed:
                self._running.remove(task)
            self._write(found)

    def _next(self) -> _Task | None:
        """Wait for a task and return it, or None after the last one."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if not self._waiting:
                return None
            task = heappop(self._waiting)
            self._running.append(task)
            return task

    def _search(self, task: _Task) -> dict[str, Any]:
        """Search a position, report meanwhile if the query requests it, and return the last answer."""
        query = task.query
        game = query.game.undo(len(query.game.moves) - task.turn)
        options = TreeOptions(
            threads=1, batch=_BATCH, waiting=1, noise=query.noise, policy_temperature=query.policy_temperature
        )
        search = TreeSearch.of_game(self._evaluator, game, options)
        limits = Limits(visits=query.visits, seconds=query.seconds)
        due = None if query.every is None else time.monotonic() + query.first
        for _ in search.run(game, limits, task.stopped.is_set, query.forbidden):
            if due is None or time.monotonic() < due:
                continue
            if (found := answer(query, game, search, True))["moveInfos"]:
                self._write(found)
                due = time.monotonic() + (query.every or 0.0)
        return answer(query, game, search, False)
