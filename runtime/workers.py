"""Where tasks run: on threads or processes of this machine, or on the workers of a Dask cluster."""

import asyncio
import logging
import os
import pickle
import subprocess
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Final, TypeVar

from goban.errors import InputError
from runtime.child_programs import end_program, start_program
from runtime.this_process import processors

_CONNECT_SECONDS = 5
_AHEAD: Final = 2  # tasks under way or waiting for each worker
_PROCESS: Final = "import sys; sys.path[:] = {}; from runtime.workers import answer_calls; answer_calls()"

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_Local = TypeVar("_Local")


@dataclass(frozen=True)
class Workers:
    """An executor; `count`: tasks that it does at a time; `losses`: what it raises when a process died for good."""

    executor: Executor
    count: int
    losses: tuple[type[Exception], ...] = ()

    def in_order(self, function: Callable[[_Task], _Result], tasks: Iterable[_Task]) -> Iterator[_Result]:
        """Yield what a function returns for each task, in their order; a few tasks are taken and held at a time.

        Raises:
            InputError: processes died for good at a task.
        """
        under_way: deque[Future[_Result]] = deque()
        for task in tasks:
            under_way.append(self.executor.submit(function, task))
            if len(under_way) > _AHEAD * self.count:
                yield self._result(under_way.popleft())
        while under_way:
            yield self._result(under_way.popleft())

    def _result(self, task: "Future[_Result]") -> _Result:
        try:
            return task.result()
        except self.losses as error:
            raise InputError(f"a worker died, several times in a row: {error}") from None


def chosen_workers(
    cluster: str | None, local: AbstractContextManager[_Local]
) -> AbstractContextManager[Workers] | AbstractContextManager[_Local]:
    """Return the workers of the Dask cluster at an address, or what works here where there is none."""
    return cluster_workers(cluster) if cluster else local


@contextmanager
def local_workers(count: int | None = None) -> Iterator[Workers]:
    """Yield `count` threads, by default one a processor: GNU Go and the networks run outside Python's lock.

    An interruption (KeyboardInterrupt) does not wait for the games under way, whose results are dropped.
    """
    count = count or processors()
    executor, wait = ThreadPoolExecutor(count), True
    try:
        yield Workers(executor, count)
    except KeyboardInterrupt:
        wait = False
        raise
    finally:
        executor.shutdown(wait, cancel_futures=True)


@contextmanager
def local_processes(count: int) -> Iterator[Workers]:
    """Yield `count` processes of this machine, for tasks for which Python's lock lets threads wait for each other.

    Functions, arguments and results go there and back by pickling. The processes end with the block, whose end does not
    wait for tasks under way, or with this process, however it ends. A task raises ChildProcessError if its process ends
    before.
    """
    executor = _Processes(count)
    try:
        yield Workers(executor, count)
    finally:
        executor.shutdown(cancel_futures=True)


class _Processes(ThreadPoolExecutor):
    """Threads that hand their tasks to processes."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._all = [_Process() for _ in range(count)]
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        for each in self._all:
            self._idle.put(each)

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        """Let an idle process call a function."""
        return super().submit(self._call, function, arguments, named)

    def _call(self, *call: Any) -> Any:
        process = self._idle.get()
        try:
            return process.call(*call)
        finally:
            self._idle.put(process)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes."""
        super().shutdown(False, cancel_futures=cancel_futures)
        for each in self._all:
            each.end()
        super().shutdown(wait)


class _Process:
    """Another process of this program's Python, which calls functions."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", _PROCESS.format(sys.path)]
        self._program = start_program(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=None)
        assert self._program.stdin and self._program.stdout
        self._calls = os.fdopen(self._program.stdin.fileno(), "wb", closefd=False)
        self._answers = os.fdopen(self._program.stdout.fileno(), "rb", closefd=False)

    def call(self, *call: Any) -> Any:
        """Return what the process answers to a function, its arguments and its named ones; raise what that raises."""
        pickled = pickle.dumps(call)
        try:
            self._calls.write(pickled)
            self._calls.flush()
            error, result = pickle.load(self._answers)
        except (OSError, EOFError, pickle.UnpicklingError):
            raise ChildProcessError(
                f"process {self._program.pid} ended before its task; systems end processes when memory runs out"
            ) from None
        if error is not None:
            raise error
        return result

    def end(self) -> None:
        """End the process and all that it started."""
        end_program(self._program)


def answer_calls() -> None:
    """Be a process of `local_processes`: call the functions that come on standard input, to its end."""
    calls, answers = os.fdopen(0, "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a function prints is no answer
    while calls.peek(1):
        function, arguments, named = pickle.load(calls)
        answer: tuple[Exception | None, Any]
        try:
            answer = None, function(*arguments, **named)
        except Exception as error:
            error.add_note(traceback.format_exc())
            answer = error, None
        answers.write(pickle.dumps(answer))
        answers.flush()


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """Yield the workers of the Dask cluster whose scheduler listens at `address`, such as "tcp://host:8786".

    What a worker did when it died is done again on another one; after several deaths it counts as lost.
    Raises InputError when no scheduler answers, it has no workers, or it is lost during the block.
    """
    from distributed import Client, KilledWorker

    try:
        client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(f"{address}: expected a Dask scheduler: {error or 'no answer'}") from error
    with _quiet("distributed.client"), client:
        count = sum(client.nthreads().values())
        if not count:
            raise InputError(f"{address}: expected workers, found none: start them with `dask worker {address}`")
        executor = client.get_executor(pure=False)
        try:
            with _shut_down(executor):
                yield Workers(executor, count, (KilledWorker,))
        except (Exception, asyncio.CancelledError) as error:
            if client.status == "running" and not isinstance(error, CancelledError | asyncio.CancelledError):
                raise
            lost = "the Dask scheduler is gone. Start it and its workers again, then the same command, which resumes"
            raise InputError(f"{address}: {lost}") from error


@contextmanager
def _shut_down(executor: Executor) -> Iterator[None]:
    """Take no more tasks after the block, and wait for none."""
    try:
        yield
    finally:
        executor.shutdown(wait=False)


@contextmanager
def _quiet(name: str) -> Iterator[None]:
    """Let a logger log nothing: Dask logs the traceback of a lost connection, which an error reports in a line."""
    logger = logging.getLogger(name)
    logger.disabled = True
    try:
        yield
    finally:
        logger.disabled = False
