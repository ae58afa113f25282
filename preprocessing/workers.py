"""Where tasks run: on threads of this machine, or on the workers of a Dask cluster."""

import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

from goban.errors import InputError

_CONNECT_SECONDS = 5


@dataclass(frozen=True)
class Workers:
    """An executor; `count`: tasks that it does at a time; `losses`: what it raises when a process died for good."""

    executor: Executor
    count: int
    losses: tuple[type[Exception], ...] = ()


@contextmanager
def local_workers(count: int | None = None) -> Iterator[Workers]:
    """Yield `count` threads, by default one a processor: GNU Go and the networks run outside Python's lock.

    An interruption (KeyboardInterrupt) does not wait for the games under way, whose results are dropped.
    """
    count = count or os.cpu_count() or 1
    executor, wait = ThreadPoolExecutor(count), True
    try:
        yield Workers(executor, count)
    except KeyboardInterrupt:
        wait = False
        raise
    finally:
        executor.shutdown(wait, cancel_futures=True)


@contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """Yield the workers of the Dask cluster whose scheduler listens at `address`, such as "tcp://host:8786".

    What a worker did when it died is done again on another one; after several deaths it counts as lost.
    Raises InputError when no scheduler answers or it has no workers.
    """
    from distributed import Client, KilledWorker

    try:
        client = Client(address, timeout=_CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(f"{address}: expected a Dask scheduler: {error or 'no answer'}") from error
    with client:
        count = sum(client.nthreads().values())
        if not count:
            raise InputError(f"{address}: expected workers, found none: start them with `dask worker {address}`")
        executor = client.get_executor(pure=False)
        try:
            yield Workers(executor, count, (KilledWorker,))
        finally:
            executor.shutdown(wait=False)
