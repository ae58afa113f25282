"""Tasks on threads and processes of this machine: their order, their errors, and their end."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from goban.errors import InputError
from runtime.workers import local_processes, local_workers
from tests.support.paths import ROOT
from tests.support.processes import assert_gone

PARENT = """
import os
from runtime.workers import local_processes
with local_processes(2) as workers:
    print(*workers.in_order(os.getpgid, [0, 0]), flush=True)
    {end}
"""


def process_of(_: int) -> int:
    return os.getpid()


def doubled(number: int) -> int:
    print("no answer")
    return 2 * number


def refused(number: int) -> int:
    raise InputError(f"expected none. Received: {number}")


def broken(number: int) -> int:
    raise ValueError(number)


def hanging(_: int) -> None:
    threading.Event().wait()


def ending(_: int) -> None:
    os._exit(3)


def test_results_come_in_the_order_of_the_tasks_and_few_are_held() -> None:
    taken = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    with local_workers(2) as workers:
        results = workers.in_order(lambda number: number + 1, numbers())
        assert next(results) == 1
        assert len(taken) < 10
        assert list(results) == list(range(2, 101))


def test_processes_answer_in_order_whatever_they_print() -> None:
    with local_processes(2) as workers:
        assert list(workers.in_order(doubled, range(50))) == [2 * number for number in range(50)]
        found = set(workers.in_order(process_of, range(20)))
    assert os.getpid() not in found
    assert_gone(found)


def test_errors_of_a_process_come_back_and_it_goes_on() -> None:
    with local_processes(1) as workers:
        with pytest.raises(InputError, match="Received: 3"):
            list(workers.in_order(refused, [3]))
        with pytest.raises(ValueError, match="4") as raised:
            list(workers.in_order(broken, [4]))
        assert "in broken" in raised.value.__notes__[0]
        assert list(workers.in_order(doubled, [5])) == [10]


def test_the_end_waits_for_no_task() -> None:
    with pytest.raises(KeyboardInterrupt), local_processes(2) as workers:
        pids = list(workers.in_order(process_of, range(10)))
        for number in range(10):
            workers.executor.submit(hanging, number)
        raise KeyboardInterrupt
    assert_gone(pids)


@pytest.mark.parametrize("killed", [True, False])
def test_a_process_that_ends_is_an_error(killed: bool) -> None:
    with local_processes(1) as workers, pytest.raises(ChildProcessError, match="ended before its task"):
        if killed:
            [pid] = workers.in_order(process_of, [0])
            os.kill(pid, signal.SIGKILL)
            list(workers.in_order(process_of, [0]))
        else:
            list(workers.in_order(ending, [0]))


# A process leads a group of its own, with its own number.
@pytest.mark.parametrize("end", ["os._exit(1)", "os.kill(os.getpid(), 9)", "raise KeyboardInterrupt"])
def test_processes_end_with_what_started_them(end: str) -> None:
    command = [sys.executable, "-c", PARENT.format(end=end)]
    ended = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    pids = [int(word) for word in ended.stdout.split()]
    assert len(pids) == 2
    assert_gone(pids)
