"""What several threads ask, put together into batches and run on all processors.

Every processor has a network of its own and makes the inputs of its batches itself: that is faster than one network
on all processors, which would idle meanwhile. Batches are small: a network needs as long for an image whatever their
size, and small ones can be shared out evenly.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

import numpy as np

from ownership.runtime import Arrays, Network

MOST_IMAGES = 16

Maker = Callable[[int, int], Arrays]


class Batcher:
    """Runs networks that all answer alike on what any number of threads ask.

    A network is idle or at work: while any image waits for a batch, no network is idle. A thread that asks takes idle
    networks, works with one of them itself, which saves a change of threads, and lets others work with the rest.
    """

    def __init__(self, networks: Sequence[Network]) -> None:
        self._networks = len(networks)
        self._idle = list(networks)
        self._waiting: deque[_Request] = deque()
        self._lock = Lock()
        self._threads = ThreadPoolExecutor(self._networks, "network")

    def run(self, kind: int, images: int, make: Maker) -> Arrays:
        """Return the network's outputs, (images, ...) each.

        Args:
            kind: what requests must have in common to be put into one batch: the board side.
            images: how many, at least one.
            make: returns the network's inputs for the images from its first argument up to its second; called in
                other threads, several at a time.

        Raises what `make` or the network raises; other requests in the same batch are answered all the same.
        """
        request = _Request(kind, images, make, missing=images)
        with self._lock:
            self._waiting.append(request)
            networks = [self._idle.pop() for _ in range(min(images, len(self._idle)))]
        for network in networks[1:]:
            self._threads.submit(self._work, network)
        if networks:
            self._work(networks[0], request)
        parts = request.answer.result()
        return {name: np.concatenate([parts[start][name] for start in sorted(parts)]) for name in parts[0]}

    def _work(self, network: Network, own: "_Request | None" = None) -> None:
        """Run batches until nothing waits; with a request of its own, until that is answered: others go on then."""
        while pieces := self._take(network):
            self._answer(network, pieces)
            if own and own.answer.done():
                return self._hand_over(network)
        return None

    def _hand_over(self, network: Network) -> None:
        """Let another thread work with the network if there is anything to do."""
        with self._lock:
            if not self._waiting:
                self._idle.append(network)
                return
        self._threads.submit(self._work, network)

    def _take(self, network: Network) -> "list[_Piece]":
        """Return a fair share of the images that wait, of one kind and for longest; if none, the network is idle."""
        pieces: list[_Piece] = []
        with self._lock:
            room = min(MOST_IMAGES, -(-sum(request.left for request in self._waiting) // self._networks))
            while room and self._waiting and (not pieces or self._waiting[0].kind == pieces[0].request.kind):
                pieces.append(self._waiting[0].take(room))
                room -= pieces[-1].images
                if not self._waiting[0].left:
                    self._waiting.popleft()
            if not pieces:
                self._idle.append(network)
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
        else:
            for piece, output in zip(pieces, outputs, strict=True):
                self._deliver(piece, output)

    def _deliver(self, piece: "_Piece", output: Arrays) -> None:
        request = piece.request
        with self._lock:
            request.parts[piece.start] = output
            request.missing -= piece.images
            if not request.missing:
                request.answer.set_result(request.parts)

    def _fail(self, request: "_Request", error: Exception) -> None:
        with self._lock:
            if not request.answer.done():
                request.answer.set_exception(error)


@dataclass(eq=False)
class _Request:
    """What one thread waits for.

    taken: images that are in some batch. missing: images that are not answered. parts: outputs by their first image.
    """

    kind: int
    images: int
    make: Maker
    missing: int
    taken: int = 0
    parts: dict[int, Arrays] = field(default_factory=dict)
    answer: "Future[dict[int, Arrays]]" = field(default_factory=Future)

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
    made = [piece.request.make(piece.start, piece.stop) for piece in pieces]
    outputs = network(**{name: np.concatenate([inputs[name] for inputs in made]) for name in made[0]})
    ends = np.cumsum([piece.images for piece in pieces])[:-1]
    parts = {name: np.split(values, ends) for name, values in outputs.items()}
    return [{name: values[index] for name, values in parts.items()} for index in range(len(pieces))]
