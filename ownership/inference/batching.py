"""Requests to a network put together into batches and run on all processors.

A thread runs batches itself while images of its request wait; other threads join on networks that would be idle. Every
processor has a network of its own and makes the inputs of its batches itself: that takes less than one network on all
processors, which would idle meanwhile. Batches are small: a network needs as long for an image whatever their size, and
small ones can be shared out evenly.
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
from ownership.inference.image_requests import ImageRequest
from ownership.inference.litert_network import NamedArrays, Network

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
        self._waiting: deque[_Piece] = deque()  # the images that no batch holds
        self._lock = Lock()  # over `_idle`, `_waiting` and the jobs
        self._threads = ThreadPoolExecutor(self._networks, "network")

    def run(self, request: ImageRequest) -> NamedArrays:
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

    def _run_in_batches(self, request: ImageRequest) -> NamedArrays:
        """Run batches in the calling thread while its images wait, and in others for further idle networks."""
        job = _Job(request)
        try:
            with self._lock:
                self._waiting.append(_Piece(job, 0, len(request)))
                helpers = min(len(request), len(self._idle)) - 1
            for _ in range(helpers):
                self._threads.submit(self._work)
            self._work(job)
            job.ended.get()
        finally:  # also when this thread is interrupted
            with self._lock:
                self._withdraw(job)
        return job.outputs()

    def _work(self, job: "_Job | None" = None) -> None:
        """Run batches until no image waits, of `job` if it is given, or no network is idle."""
        try:
            while batch := self._next_batch(job):
                try:
                    self._answer(batch.network, batch.pieces)
                finally:
                    with self._lock:
                        self._idle.append(batch.network)
                        # those of others that have no outputs, if this thread was interrupted
                        self._waiting.extendleft(each for each in reversed(batch.pieces) if each.job is not job)
        finally:
            if job and self._idle and self._waiting:
                self._threads.submit(self._work)

    def _next_batch(self, job: "_Job | None") -> "_Batch | None":
        """Return an idle network and a fair share of the images that wait, of one board side and for longest."""
        with self._lock:
            if not (self._idle and self._waiting) or (job and all(piece.job is not job for piece in self._waiting)):
                return None
            pieces: list[_Piece] = []
            side = self._waiting[0].job.request.side
            waiting = sum(map(len, self._waiting))
            # the last few are not worth a share for a network that is busy
            sharing = self._networks if waiting > 2 * self._networks else len(self._idle)
            room = min(MOST_IMAGES, -(-waiting // sharing))
            while room and self._waiting and self._waiting[0].job.request.side == side:
                piece = self._waiting.popleft()
                if len(piece) > room:
                    piece, rest = piece.split(room)
                    self._waiting.appendleft(rest)
                pieces.append(piece)
                room -= len(piece)
            return _Batch(self._idle.pop(), pieces)

    def _answer(self, network: Network, pieces: "list[_Piece]") -> None:
        """Give each job its part of the outputs and remove its piece; after an error run each piece alone.

        An error that is no `Exception` interrupts this thread, and belongs to no piece.
        """
        try:
            outputs = _run(network, pieces)
        except Exception as error:
            if len(pieces) == 1:
                self._fail(pieces.pop().job, error)
            while pieces:
                self._answer(network, pieces[:1])
                del pieces[0]
        else:
            with self._lock:
                for piece, part in zip(pieces, outputs, strict=True):
                    piece.job.add(piece.start, part)
                pieces.clear()

    def _fail(self, job: "_Job", error: Exception) -> None:
        with self._lock:
            self._withdraw(job)
            job.fail(error)

    def _withdraw(self, job: "_Job") -> None:
        """Begin no further batch with a job; the lock is held."""
        self._waiting = deque(piece for piece in self._waiting if piece.job is not job)


@dataclass(eq=False)
class _Job:
    """A request on its way through batches.

    Attributes:
        request: what a thread waits for.
        answered: number of its images that have outputs.
        parts: outputs by the first image that they belong to.
        error: the first one, if any.
        ended: gets an item when all images have outputs, and one with the first error.
    """

    request: ImageRequest
    answered: int = 0
    parts: dict[int, NamedArrays] = field(default_factory=dict)
    error: Exception | None = None
    ended: "SimpleQueue[None]" = field(default_factory=SimpleQueue)

    def add(self, start: int, part: NamedArrays) -> None:
        """Keep the outputs of the images from `start` on."""
        self.parts[start] = part
        self.answered += len(next(iter(part.values())))
        if self.answered == len(self.request):
            self.ended.put(None)

    def fail(self, error: Exception) -> None:
        """Keep an error, unless it is not the first."""
        if not self.error:
            self.error = error
            self.ended.put(None)

    def outputs(self) -> NamedArrays:
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

    def split(self, size: int) -> "tuple[_Piece, _Piece]":
        """Return the first `size` images and the others."""
        middle = self.start + size
        return _Piece(self.job, self.start, middle), _Piece(self.job, middle, self.stop)

    def inputs(self) -> NamedArrays:
        return self.job.request.inputs(self.start, self.stop)


class _Batch(NamedTuple):
    network: Network
    pieces: list[_Piece]


def _run(network: Network, pieces: Sequence[_Piece]) -> list[NamedArrays]:
    """Return the outputs for each piece, in one run of the network."""
    if len(pieces) == 1:
        return [network(**pieces[0].inputs())]
    outputs = network(**_joined([piece.inputs() for piece in pieces]))
    ends = np.cumsum([len(piece) for piece in pieces])[:-1]
    parts = {name: np.split(values, ends) for name, values in outputs.items()}
    return [{name: values[index] for name, values in parts.items()} for index in range(len(pieces))]


def _joined(parts: Sequence[NamedArrays]) -> NamedArrays:
    """Return arrays of the same names, one after the other along the first axis."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
