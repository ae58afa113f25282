"""Requests of several threads in common batches."""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.errors import InputError
from ownership.inference.batching import MOST_IMAGES, Batcher, _Job, _Piece
from ownership.inference.image_requests import ImageRequest
from ownership.inference.litert_network import NamedArrays
from tests.support.waiting import PATIENCE, wait_until


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


class CtrlC:
    """A way to raise one KeyboardInterrupt in the main thread, from another thread."""

    def __init__(self) -> None:
        self.pressed = False

    def press(self) -> None:
        """Send signals until one is seen: Python misses those that come just before it waits for a lock."""
        self.pressed = True
        while self.pressed and sys.platform != "win32":
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            time.sleep(0.01)

    def __call__(self, *_: object) -> None:
        if self.pressed:
            self.pressed = False
            raise KeyboardInterrupt


@pytest.fixture
def ctrl_c() -> Iterator[CtrlC]:
    if sys.platform == "win32":
        pytest.skip("Windows interrupts no thread that waits for a lock")
    handler = CtrlC()
    before = signal.signal(signal.SIGINT, handler)
    yield handler
    signal.signal(signal.SIGINT, before)


def no_network(**inputs: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
    raise AssertionError(f"expected no use of this network. Received: {inputs}")


@dataclass
class Count:
    """A request whose images are the numbers first, first + 1, ..."""

    side: int
    images: int
    first: int = 0

    def __len__(self) -> int:
        return self.images

    def inputs(self, start: int, stop: int) -> NamedArrays:
        return {"x": np.arange(self.first + start, self.first + stop, dtype=np.int32)}


class Broken(Count):
    """A request whose images cannot be made."""

    def inputs(self, start: int, stop: int) -> NamedArrays:
        raise OSError(f"no images {start}..{stop}")


def ask_while_busy(requests: list[ImageRequest]) -> tuple[list[list[int]], list[Future[NamedArrays]]]:
    """Ask two images and, while the network is at them, the requests in order; return the batches and the answers."""
    network = Doubler()
    batcher = Batcher([network], no_network)
    with ThreadPoolExecutor(len(requests) + 1) as pool:
        answers = [pool.submit(batcher.run, Count(5, 2, -2))]
        wait_until(lambda: bool(network.batches))
        for number, request in enumerate(requests, start=1):
            answers.append(pool.submit(batcher.run, request))
            wait_until(lambda number=number: len(batcher._waiting) == number)  # type: ignore[misc]
        network.gate.set()
    return network.batches[1:], answers[1:]


def test_what_threads_ask_meanwhile_becomes_one_batch() -> None:
    batches, answers = ask_while_busy([Count(5, 1, 10), Count(5, 3, 20), Count(5, 1, 30)])
    assert batches == [[10, 20, 21, 22, 30]]
    assert [answer.result()["y"].tolist() for answer in answers] == [[20], [40, 42, 44], [60]]


def test_boards_of_several_sides_share_no_batch() -> None:
    batches, _ = ask_while_busy([Count(9, 1, 10), Count(9, 1, 20), Count(5, 1, 30)])
    assert batches == [[10, 20], [30]]


def test_a_batch_is_bounded() -> None:
    batches, answers = ask_while_busy([Count(5, MOST_IMAGES - 1, 0), Count(5, MOST_IMAGES, 100)])
    assert [len(batch) for batch in batches] == [MOST_IMAGES, MOST_IMAGES - 1]
    assert answers[1].result()["y"].tolist() == [200 + 2 * number for number in range(MOST_IMAGES)]


def test_an_error_reaches_its_caller() -> None:
    _, answers = ask_while_busy([Count(5, 2, 10), Broken(5, 2), Count(5, 2, 30)])
    assert isinstance(answers[1].exception(), OSError)
    assert [answers[number].result()["y"].tolist() for number in (0, 2)] == [[20, 22], [60, 62]]


def test_an_error_ends_a_request_of_many_batches_and_no_later_one(doubler: Doubler) -> None:
    batcher = Batcher([doubler] * 3, doubler)
    for _ in range(20):
        with pytest.raises(OSError, match="no images"):
            batcher.run(Broken(5, 100))
        assert batcher.run(Count(5, 2, 1))["y"].tolist() == [2, 4]
    wait_until(lambda: len(batcher._idle) == 3)


def test_an_interrupted_thread_leaves_everything_in_order(doubler: Doubler, ctrl_c: CtrlC) -> None:
    batcher = Batcher([doubler] * 2, no_network)

    class Interrupting(Count):
        """A request during whose first images the thread that waits for it is interrupted."""

        def inputs(self, start: int, stop: int) -> NamedArrays:
            if not start:
                ctrl_c.press()
            return super().inputs(start, stop)

    for _ in range(20):
        with pytest.raises(KeyboardInterrupt):
            batcher.run(Interrupting(5, 100))
        assert not batcher._waiting
        assert batcher.run(Count(5, 40, 1))["y"].tolist() == [2 + 2 * number for number in range(40)]
    wait_until(lambda: len(batcher._idle) == 2)


def test_an_interrupted_thread_leaves_the_images_of_others_in_its_batch_to_another(ctrl_c: CtrlC) -> None:
    class Interrupting(Doubler):
        """A network whose first batch is interrupted."""

        def __call__(self, **inputs: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
            if not self.batches:
                self.batches.append(inputs["x"].tolist())
                ctrl_c.press()
            return super().__call__(**inputs)

    network = Interrupting()
    network.gate.set()
    batcher = Batcher([network], no_network)
    other = _Job(Count(5, 2, 10))
    batcher._waiting.append(_Piece(other, 0, 2))
    with pytest.raises(KeyboardInterrupt):
        batcher.run(Count(5, 3, 1))
    other.ended.get(timeout=PATIENCE)
    assert other.outputs()["y"].tolist() == [20, 22]
    assert network.batches == [[10, 11, 1, 2, 3], [10, 11]]


def test_an_interrupted_single_image_leaves_the_network_of_all_processors_free(doubler: Doubler) -> None:
    class Interrupted(Count):
        def inputs(self, start: int, stop: int) -> NamedArrays:
            raise KeyboardInterrupt

    batcher = Batcher([no_network], doubler)
    with pytest.raises(KeyboardInterrupt):
        batcher.run(Interrupted(5, 1))
    assert batcher.run(Count(5, 1, 7))["y"].tolist() == [14]


def test_refuses_a_request_without_images(doubler: Doubler) -> None:
    batcher = Batcher([doubler], doubler)
    with pytest.raises(InputError, match="at least one image"):
        batcher.run(Count(5, 0))
    assert batcher.run(Count(5, 2))["y"].tolist() == [0, 2]


def test_a_request_is_shared_out_among_all_networks() -> None:
    meeting = threading.Barrier(3)

    def meet(**inputs: NDArray[np.int32]) -> dict[str, NDArray[np.float32]]:
        meeting.wait(PATIENCE)
        return {"y": inputs["x"].astype(np.float32)}

    assert Batcher([meet] * 3, no_network).run(Count(5, 3, 7))["y"].tolist() == [7, 8, 9]


def test_a_single_image_alone_gets_all_processors(doubler: Doubler) -> None:
    batcher = Batcher([no_network] * 2, doubler)
    assert batcher.run(Count(5, 1, 7))["y"].tolist() == [14]
    with pytest.raises(OSError, match="no images"):
        batcher.run(Broken(5, 1))
    assert batcher.run(Count(5, 1, 8))["y"].tolist() == [16]


def test_a_single_image_beside_another_gets_one_processor(doubler: Doubler) -> None:
    busy = Doubler()
    batcher = Batcher([doubler] * 2, busy)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(batcher.run, Count(5, 1, 1))
        wait_until(lambda: bool(busy.batches))
        assert batcher.run(Count(5, 1, 2))["y"].tolist() == [4]
        busy.gate.set()
    assert first.result()["y"].tolist() == [2]


def test_any_number_of_threads_get_their_own_answers(doubler: Doubler) -> None:
    batcher = Batcher([doubler] * 3, doubler)

    def ask(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(100):
            side, images, first = (int(random.integers(*limits)) for limits in ((2, 4), (1, 50), (0, 1000)))
            answer = batcher.run(Count(side, images, first))["y"]
            np.testing.assert_array_equal(answer, 2 * np.arange(first, first + images))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ask, range(8)))
    assert max(map(len, doubler.batches)) <= MOST_IMAGES
    wait_until(lambda: len(batcher._idle) == 3)


def test_its_threads_end_with_it(doubler: Doubler) -> None:
    before = set(threading.enumerate())
    batcher = Batcher([doubler] * 4, doubler)
    batcher.run(Count(5, 100, 0))
    started = set(threading.enumerate()) - before
    assert started
    del batcher
    wait_until(lambda: not any(thread.is_alive() for thread in started))
