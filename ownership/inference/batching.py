"""What several threads ask, put together into batches and run on all processors.

Every processor has a network of its own and makes the inputs of its batches itself: that takes less than one network
on all processors, which would idle meanwhile. Batches are small: a network needs as long for an image whatever their
size, and small ones can be shared out evenly.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Lock
from typing import NamedTuple

import numpy as np

from ownership.inference.runtime import Arrays, Network

MOST_IMAGES = 16

Maker = Callable[[int, int], Arrays]


class Batcher:
    """Runs networks that all answer alike on what any number of threads ask.

    While any image waits for a batch, no network is idle. Whoever asks works with a network itself, the next one that
    is free, which saves changes of threads, until it has its answer; other threads help where networks are left over.

    networks: one for each processor. whole: another on all of them, for a single image that nothing else competes with.
    """

    def __init__(self, networks: Sequence[Network], whole: Network) -> None:
        self._whole = whole
        self._whole_in_use = Lock()
        self._networks = len(networks)
        self._idle = list(networks)
        self._waiting: deque[_Request] = deque()
        self._lock = Lock()
        self._helpers = ThreadPoolExecutor(self._networks, "network")

    def run(self, kind: int, images: int, make: Maker) -> Arrays:
        """Return the network's outputs, (images, ...) each.

        Args:
            kind: what requests must have in common to be put into one batch: the board side.
            images: how many, at least one.
            make: returns the network's inputs for the images from its first argument up to its second; called in
                other threads, several at a time.

        Raises what `make` or the network raises; other requests in the same batch are answered all the same.
        """
        if images == 1 and len(self._idle) == self._networks and self._whole_in_use.acquire(blocking=False):
            try:
                return self._whole(**make(0, 1))
            finally:
                self._whole_in_use.release()
        request = _Request(kind, images, make, missing=images)
        with self._lock:
            self._waiting.append(request)
            for _ in range(min(images, len(self._idle))):
                self._lend(self._idle.pop())
        try:
            return request.result(self._work)
        finally:
            self._close(request)

    def _work(self, network: Network, own: "_Request | None" = None) -> None:
        """Run batches until nothing waits or the request of one's own is answered."""
        try:
            while not (own and own.done) and (pieces := self._take()):
                self._answer(network, pieces)
        finally:
            with self._lock:
                self._lend(network)

    def _lend(self, network: Network) -> None:
        """Give a network to who waits and has none, else to a helper; the lock is held."""
        if not self._waiting:
            self._idle.append(network)
        elif self._waiting[0].served:
            self._helpers.submit(self._work, network)
        else:
            self._waiting[0].served = True
            self._waiting[0].inbox.put(network)

    def _take(self) -> "list[_Piece]":
        """Return a fair share of the images that wait, of one kind and for longest."""
        pieces: list[_Piece] = []
        with self._lock:
            room = min(MOST_IMAGES, -(-sum(request.left for request in self._waiting) // self._networks))
            while room and self._waiting and (not pieces or self._waiting[0].kind == pieces[0].request.kind):
                pieces.append(self._waiting[0].take(room))
                room -= pieces[-1].images
                if not self._waiting[0].left:
                    self._waiting.popleft()
        return pieces

    def _answer(self, network: Network, pieces: "Sequence[_Piece]") -> None:
        """Tell each request its part of the answer, or what went wrong with it alone."""
        try:
            outputs = _run(network, pieces)
        except Exception as error:
            if len(pieces) == 1:
                self._fail(pieces[0].request, error)
            else:
                for piece in pieces:
                    self._answer(network, [piece])
        except BaseException as interrupt:  # of the thread that asked first: no other may wait for ever
            for piece in pieces:
                self._fail(piece.request, interrupt)
            raise
        else:
            for piece, output in zip(pieces, outputs, strict=True):
                self._deliver(piece, output)

    def _deliver(self, piece: "_Piece", output: Arrays) -> None:
        request = piece.request
        with self._lock:
            request.parts[piece.start] = output
            request.missing -= piece.images
            if not request.missing:
                request.inbox.put(None)

    def _fail(self, request: "_Request", error: BaseException) -> None:
        with self._lock:
            self._drop(request)
            if not request.error:
                request.error = error
                request.inbox.put(None)

    def _close(self, request: "_Request") -> None:
        """Take back what an interrupted thread leaves behind."""
        with self._lock:
            self._drop(request)
            while not request.inbox.empty():
                if (network := request.inbox.get()) is not None:
                    self._lend(network)

    def _drop(self, request: "_Request") -> None:
        """Let nobody begin with the rest of a request; the lock is held."""
        if request.left:
            request.taken = request.images
            self._waiting.remove(request)


@dataclass(eq=False)
class _Request:
    """What one thread waits for.

    taken: images that are in some batch. missing: images that are not answered. parts: outputs by their first image.
    inbox: a network to work with, at most once and if so `served`; None when all is answered or there is an error.
    """

    kind: int
    images: int
    make: Maker
    missing: int
    taken: int = 0
    parts: dict[int, Arrays] = field(default_factory=dict)
    error: BaseException | None = None
    served: bool = False
    inbox: "SimpleQueue[Network | None]" = field(default_factory=SimpleQueue)

    @property
    def done(self) -> bool:
        return not self.missing or self.error is not None

    def result(self, work: "Callable[[Network, _Request], None]") -> Arrays:
        """Work as long as there is a network to work with, then return the outputs of all images."""
        while (network := self.inbox.get()) is not None:
            work(network, self)
        if self.error:
            raise self.error
        if len(self.parts) == 1:
            return self.parts[0]
        return {name: np.concatenate([self.parts[at][name] for at in sorted(self.parts)]) for name in self.parts[0]}

    @property
    def left(self) -> int:
        return self.images - self.taken

    def take(self, most: int) -> "_Piece":
        start, self.taken = self.taken, min(self.images, self.taken + most)
        return _Piece(self, start, self.taken)


class _Piece(NamedTuple):
    """Images of a request, from `start` up to `stop`."""

    request: _Request
    start: int
    stop: int

    @property
    def images(self) -> int:
        return self.stop - self.start


def _run(network: Network, pieces: Sequence[_Piece]) -> list[Arrays]:
    """Return the outputs for each piece, in one run of the network."""
    if len(pieces) == 1:
        return [network(**pieces[0].request.make(pieces[0].start, pieces[0].stop))]
    made = [piece.request.make(piece.start, piece.stop) for piece in pieces]
    outputs = network(**{name: np.concatenate([inputs[name] for inputs in made]) for name in made[0]})
    ends = np.cumsum([piece.images for piece in pieces])[:-1]
    parts = {name: np.split(values, ends) for name, values in outputs.items()}
    return [{name: values[index] for name, values in parts.items()} for index in range(len(pieces))]
