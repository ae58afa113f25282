"""Requests of several threads in common batches."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from ownership.inference.batching import MOST_IMAGES, Batcher, Maker
from ownership.inference.runtime import Arrays

PATIENCE = 30.0  # seconds until a thread that waits is a failure


@dataclass
class Doubler:
    """A network that doubles its input. It keeps its batches, and answers none before its gate is open."""

    gate: threading.Event = field(default_factory=threading.Event)
    batches: list[list[int]] = field(default_factory=list)

    def __call__(self, **inputs: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
        self.batches.append(inputs["x"].tolist())
        assert self.gate.wait(PATIENCE)
        return {"y": 2 * inputs["x"].astype(np.float32)}


@pytest.fixture
def doubler() -> Doubler:
    """A network whose gate is open."""
    network = Doubler()
    network.gate.set()
    return network


def no_network(**inputs: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    raise AssertionError(f"expected no use of this network. Received: {inputs}")


def count_from(first: int) -> Maker:
    """Return who makes the inputs first, first + 1, ..."""
    return lambda start, stop: {"x": np.arange(first + start, first + stop, dtype=np.int32)}


def broken(start: int, stop: int) -> Arrays:
    raise OSError(f"no images {start}..{stop}")


def wait_until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.001)


def ask_while_busy(requests: list[tuple[int, int, Maker]]) -> tuple[list[list[int]], list[Future[Arrays]]]:
    """Ask two images and, while the network is at them, the requests in order; return the batches and the answers."""
    network = Doubler()
    batcher = Batcher([network], no_network)
    with ThreadPoolExecutor(len(requests) + 1) as pool:
        answers = [pool.submit(batcher.run, 5, 2, count_from(-2))]
        wait_until(lambda: bool(network.batches))
        for number, request in enumerate(requests, start=1):
            answers.append(pool.submit(batcher.run, *request))
            wait_until(lambda number=number: len(batcher._waiting) == number)  # type: ignore[misc]
        network.gate.set()
    return network.batches[1:], answers[1:]


def test_what_threads_ask_meanwhile_becomes_one_batch() -> None:
    batches, answers = ask_while_busy([(5, 1, count_from(10)), (5, 3, count_from(20)), (5, 1, count_from(30))])
    assert batches == [[10, 20, 21, 22, 30]]
    assert [answer.result()["y"].tolist() for answer in answers] == [[20], [40, 42, 44], [60]]


def test_boards_of_several_sides_share_no_batch() -> None:
    batches, _ = ask_while_busy([(9, 1, count_from(10)), (9, 1, count_from(20)), (5, 1, count_from(30))])
    assert batches == [[10, 20], [30]]


def test_a_batch_is_bounded() -> None:
    batches, answers = ask_while_busy([(5, MOST_IMAGES - 1, count_from(0)), (5, MOST_IMAGES, count_from(100))])
    assert [len(batch) for batch in batches] == [MOST_IMAGES, MOST_IMAGES - 1]
    assert answers[1].result()["y"].tolist() == [200 + 2 * number for number in range(MOST_IMAGES)]


def test_an_error_is_told_to_who_made_it() -> None:
    _, answers = ask_while_busy([(5, 2, count_from(10)), (5, 2, broken), (5, 2, count_from(30))])
    assert isinstance(answers[1].exception(), OSError)
    assert [answers[number].result()["y"].tolist() for number in (0, 2)] == [[20, 22], [60, 62]]


def test_an_error_ends_a_request_of_many_batches_and_no_later_one(doubler: Doubler) -> None:
    batcher = Batcher([doubler] * 3, doubler)
    for _ in range(20):
        with pytest.raises(OSError, match="no images"):
            batcher.run(5, 100, broken)
        assert batcher.run(5, 2, count_from(1))["y"].tolist() == [2, 4]
    wait_until(lambda: len(batcher._idle) == 3)


def test_an_interrupted_thread_leaves_everything_in_order(doubler: Doubler) -> None:
    batcher = Batcher([doubler] * 2, doubler)
    for _ in range(20):
        raised = threading.Event()

        def interrupted(start: int, stop: int, raised: threading.Event = raised) -> Arrays:
            if threading.current_thread() is threading.main_thread():
                raised.set()
                raise KeyboardInterrupt
            raised.wait(PATIENCE)  # else the helpers might leave nothing to the thread that asks
            return count_from(0)(start, stop)

        with pytest.raises(KeyboardInterrupt):
            batcher.run(5, 100, interrupted)
        assert batcher.run(5, 40, count_from(1))["y"].tolist() == [2 + 2 * number for number in range(40)]
    wait_until(lambda: len(batcher._idle) == 2)


def test_a_request_is_shared_out_among_all_networks() -> None:
    meeting = threading.Barrier(3)

    def meet(**inputs: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
        meeting.wait(PATIENCE)
        return {"y": inputs["x"].astype(np.float32)}

    assert Batcher([meet] * 3, no_network).run(5, 3, count_from(7))["y"].tolist() == [7, 8, 9]


def test_a_single_image_alone_gets_all_processors(doubler: Doubler) -> None:
    batcher = Batcher([no_network] * 2, doubler)
    assert batcher.run(5, 1, count_from(7))["y"].tolist() == [14]
    with pytest.raises(OSError, match="no images"):
        batcher.run(5, 1, broken)
    assert batcher.run(5, 1, count_from(8))["y"].tolist() == [16]


def test_a_single_image_beside_another_gets_one_processor(doubler: Doubler) -> None:
    busy = Doubler()
    batcher = Batcher([doubler] * 2, busy)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(batcher.run, 5, 1, count_from(1))
        wait_until(lambda: bool(busy.batches))
        assert batcher.run(5, 1, count_from(2))["y"].tolist() == [4]
        busy.gate.set()
    assert first.result()["y"].tolist() == [2]


def test_any_number_of_threads_get_their_own_answers(doubler: Doubler) -> None:
    batcher = Batcher([doubler] * 3, doubler)

    def ask(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(100):
            kind, images, first = (int(random.integers(*limits)) for limits in ((2, 4), (1, 50), (0, 1000)))
            answer = batcher.run(kind, images, count_from(first))["y"]
            np.testing.assert_array_equal(answer, 2 * np.arange(first, first + images))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
    assert max(map(len, doubler.batches)) <= MOST_IMAGES
    wait_until(lambda: len(batcher._idle) == 3)


def test_its_threads_end_with_it(doubler: Doubler) -> None:
    before = set(threading.enumerate())
    batcher = Batcher([doubler] * 4, doubler)
    batcher.run(5, 100, count_from(0))
    started = set(threading.enumerate()) - before
    assert started
    del batcher
    wait_until(lambda: not any(thread.is_alive() for thread in started))
