"""A Dask cluster of this machine, of which a worker is killed while it works."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.support.waiting import wait_until


@contextmanager
def a_worker_killed(cluster: Any) -> Iterator[None]:
    """Kill a worker of a cluster as soon as it has work, within the block; fail if none ever had any.

    The block ends with a new worker in its place.
    """
    import distributed

    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        pids = client.run(os.getpid)
        killed: list[str] = []

        def kill() -> None:
            busy = [address for address, tasks in client.processing().items() if tasks and address in pids]
            for address in busy[:1]:
                os.kill(pids[address], signal.SIGKILL)
                killed.append(address)

        def is_killed() -> bool:
            if not killed:
                kill()
            return bool(killed)

        thread = threading.Thread(target=wait_until, args=(is_killed,), kwargs={"every": 0.01})
        thread.start()
        yield
        thread.join()
        assert killed

        def is_replaced() -> bool:
            there = client.scheduler_info(n_workers=-1)["workers"]
            return killed[0] not in there and len(there) == len(pids)

        wait_until(is_replaced)
