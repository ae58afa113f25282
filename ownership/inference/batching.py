"""Requests of several threads, put together into batches and run on all processors.

Every processor has a network of its own and makes the inputs of its batches itself: that takes less than one network
on all processors, which would idle meanwhile. Batches are small: a network needs as long for an image whatever their
size, and small ones can be shared out evenly.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple

import numpy as np

from goban.errors import InputError
from ownership.inference.requests import Request
from ownership.inference.runtime import Arrays, Network

MOST_IMAGES = 16


class Batcher:
    """Networks of the same weights, which run the requests of any number of threads in common batches.

    While an image waits for a batch, no network is idle. An error belongs to the request that caused it: others in the
    same batch are answered all the same.

    Args:
        networks: one for each processor.
        whole: another one on all processors, for a single image that nothing else competes with.
    """

    def __init__(self, networks: Sequence[Network], whole: Network) -> None:
        self._whole = whole
        self._whole_in_use = Lock()
        self._networks = len(networks)
        self._idle = list(networks)
        self._waiting: deque[_Job] = deque()  # those with images that no batch holds
        self._lock = Lock()  # over `_idle`, `_waiting` and the jobs
        self._threads = ThreadPoolExecutor(self._networks, "network")

    def run(self, request: Request) -> Arrays:
        """Return the network's outputs for all images of a request, (images, ...) each.

        Raises:
            InputError: a request without images.
            Exception: what `request.inputs` or the network raises.
        """
        if not len(request):
            raise InputError("expected a request of at least one image. Received: none")
        if len(request) == 1 and self._all_idle() and self._whole_in_use.acquire(blocking=False):
            try:
                return self._whole(**request.inputs(0, 1))
            finally:
                self._whole_in_use.release()
        return self._run_in_batches(request)

    def _all_idle(self) -> bool:
        return not self._waiting and len(self._idle) == self._networks

    def _run_in_batches(self, request: Request) -> Arrays:
        job = _Job(request)
        try:
            with self._lock:
                self._waiting.append(job)
                threads = min(len(request), len(self._idle))
            for _ in range(threads):
                self._threads.submit(self._work)
            job.ended.get()
        finally:  # also when this thread is interrupted
            with self._lock:
                self._withdraw(job)
        return job.outputs()

    def _work(self) -> None:
        """Run batches until nothing waits or no network is idle: then each has a thread that looks again."""
        while batch := self._next_batch():
            try:
                self._answer(batch.network, batch.pieces)
            finally:
                with self._lock:
                    self._idle.append(batch.network)

    def _next_batch(self) -> "_Batch | None":
        """Return an idle network and a fair share of the images that wait, of one board side and for longest."""
        with self._lock:
            if not (self._idle and self._waiting):
                return None
            pieces: list[_Piece] = []
            side = self._waiting[0].request.side
            room = min(MOST_IMAGES, -(-sum(job.left for job in self._waiting) // self._networks))
            while room and self._waiting and self._waiting[0].request.side == side:
                pieces.append(self._waiting[0].take(room))
                room -= len(pieces[-1])
                if not self._waiting[0].left:
                    self._waiting.popleft()
            return _Batch(self._idle.pop(), pieces)

    def _answer(self, network: Network, pieces: "Sequence[_Piece]") -> None:
        """Hand each job its part of the outputs; after an error run the pieces alone, to find whose it is."""
        try:
            outputs = _run(network, pieces)
        except BaseException as error:
            if len(pieces) == 1:
                self._fail(pieces[0].job, error)
            else:
                for piece in pieces:
                    self._answer(network, [piece])
        else:
            with self._lock:
                for piece, part in zip(pieces, outputs, strict=True):
                    piece.job.add(piece.start, part)

    def _fail(self, job: "_Job", error: BaseException) -> None:
        with self._lock:
            self._withdraw(job)
            job.fail(error)

    def _withdraw(self, job: "_Job") -> None:
        """Begin no further batch with a job; the lock is held."""
        if job in self._waiting:
            self._waiting.remove(job)


@dataclass(eq=False)
class _Job:
    """A request on its way through batches.

    Attributes:
        request: what a thread waits for.
        taken: number of its images, from the first, that batches hold or held.
        answered: number of its images that have outputs.
        parts: outputs by the first image that they belong to.
        error: the first one, if any.
        ended: gets an item when all images have outputs, and one with the first error.
    """

    request: Request
    taken: int = 0
    answered: int = 0
    parts: dict[int, Arrays] = field(default_factory=dict)
    error: BaseException | None = None
    ended: "SimpleQueue[None]" = field(default_factory=SimpleQueue)

    @property
    def left(self) -> int:
        """Number of images that no batch holds yet."""
        return len(self.request) - self.taken

    def take(self, most: int) -> "_Piece":
        """Return the next images, `most` at most."""
        start, self.taken = self.taken, min(len(self.request), self.taken + most)
        return _Piece(self, start, self.taken)

    def add(self, start: int, part: Arrays) -> None:
        """Keep the outputs of the images from `start` on."""
        self.parts[start] = part
        self.answered += len(next(iter(part.values())))
        if self.answered == len(self.request):
            self.ended.put(None)

    def fail(self, error: BaseException) -> None:
        """Keep an error, unless it is not the first."""
        if not self.error:
            self.error = error
            self.ended.put(None)

    def outputs(self) -> Arrays:
        """Return the outputs of all images, or raise the first error."""
        if self.error:
            raise self.error
        if len(self.parts) == 1:
            return self.parts[0]
        return _joined([self.parts[start] for start in sorted(self.parts)])


class _Piece(NamedTuple):
    """Images of a job, from `start` up to `stop`."""

    job: _Job
    start: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.start

    def inputs(self) -> Arrays:
        return self.job.request.inputs(self.start, self.stop)


class _Batch(NamedTuple):
    network: Network
    pieces: Sequence[_Piece]


def _run(network: Network, pieces: Sequence[_Piece]) -> list[Arrays]:
    """Return the outputs for each piece, in one run of the network."""
    if len(pieces) == 1:
        return [network(**pieces[0].inputs())]
    outputs = network(**_joined([piece.inputs() for piece in pieces]))
    ends = np.cumsum([len(piece) for piece in pieces])[:-1]
    parts = {name: np.split(values, ends) for name, values in outputs.items()}
    return [{name: values[index] for name, values in parts.items()} for index in range(len(pieces))]


def _joined(parts: Sequence[Arrays]) -> Arrays:
    """Return arrays of the same names, one after the other along the first axis."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
