"""Threads that search many positions side by side, the greatest priority first."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import count
from typing import Generic, TypeVar

from ownership.search.mcts.search_stream import SearchStream

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")


def default_workers() -> int:
    """Return how many positions are searched side by side unless something else is wanted."""
    return (os.cpu_count() or 1) + 1


@dataclass(order=True)
class _Submitted(Generic[_Task, _Answer]):
    """A search by falling priority, then by arrival."""

    rank: tuple[int, int]
    task: _Task = field(compare=False)
    stream: SearchStream = field(compare=False)
    answer: Future[_Answer] = field(default_factory=Future, compare=False)


class SearchPool(Generic[_Task, _Answer]):
    """Threads that run searches; a `with` block drops those that have not begun at its end, and stops the others.

    Args:
        work: runs a search in a thread and returns the answer to a task.
        workers: positions that are searched at the same time.
    """

    def __init__(self, work: Callable[[_Task, SearchStream], _Answer], workers: int) -> None:
        self._work = work
        self._threads = ThreadPoolExecutor(workers, "search pool")
        self._waiting: list[_Submitted[_Task, _Answer]] = []
        self._running: list[_Submitted[_Task, _Answer]] = []
        self._arrivals = count()
        self._changing = threading.Lock()  # the two lists

    def submit(self, task: _Task, stream: SearchStream, priority: int = 0) -> Future[_Answer]:
        """Queue a search and return its answer to come; searches of a greater priority begin first."""
        with self._changing:
            submitted = _Submitted[_Task, _Answer]((-priority, next(self._arrivals)), task, stream)
            heappush(self._waiting, submitted)
        self._threads.submit(self._run_next)
        return submitted.answer

    def stop(self, chosen: Callable[[_Task], bool] = lambda _: True) -> list[_Task]:
        """End the searches for chosen tasks, and return those that had not begun, which get no answer, in order."""
        with self._changing:
            dropped = sorted(each for each in self._waiting if chosen(each.task))
            self._waiting = [each for each in self._waiting if not chosen(each.task)]
            heapify(self._waiting)
            for running in self._running:
                if chosen(running.task):
                    running.stream.stop()
        for each in dropped:
            each.answer.cancel()
        return [each.task for each in dropped]

    def finish(self) -> None:
        """Wait until all searches have ended; nothing can be submitted any more."""
        self._threads.shutdown()

    def __enter__(self) -> "SearchPool[_Task, _Answer]":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.finish()

    def _run_next(self) -> None:
        with self._changing:
            if not self._waiting:
                return  # the search was dropped
            submitted = heappop(self._waiting)
            self._running.append(submitted)
        try:
            submitted.answer.set_result(self._work(submitted.task, submitted.stream))
        except BaseException as error:  # raised again for who asks for the answer
            submitted.answer.set_exception(error)
        finally:
            with self._changing:
                self._running.remove(submitted)
