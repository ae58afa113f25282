"""Requests to a network, as images of boards, put together into batches and run on all processors.

The inputs of images are made when a batch takes them. Of B positions in S symmetries there are B*S images: image i
shows position i // S turned by symmetry i % S.

A thread runs batches itself while images of its request wait; other threads join on networks that would be idle. Every
processor has a network of its own and makes the inputs of its batches itself: that takes less than one network on all
processors, which would idle meanwhile. Batches are small: a network needs as long for an image whatever their size, and
small ones can be shared out evenly.
"""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import isqrt
from queue import SimpleQueue
from threading import Lock
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.coords import destinations, sources
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import Terms
from ownership.inference.model_files import Arrays, Network
from planes.feature_sets import FeatureSet
from planes.katago_inputs import katago_numbers, katago_planes
from planes.plane_names import RANKS
from planes.position_planes import planes_and_chains

MOST_IMAGES = 16

Indices = NDArray[np.intp]


class Request(Protocol):
    """Images of boards of one side; `len` counts them."""

    @property
    def side(self) -> int:
        """The side of all boards."""
        ...

    def __len__(self) -> int: ...

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the inputs of the network for the images from `start` up to `stop`, 0 <= start < stop <= len.

        `planes` float32 (stop - start, N, N, C) and, for networks that read them, `chains` int32 (stop - start, N, N)
        and `globals` float32 (stop - start, G).
        Several threads may call it at the same time.
        """
        ...


@dataclass(frozen=True)
class _Positions:
    """Positions of one board side, at least one, with an image each."""

    positions: Sequence[Position]

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.positions[0].side

    def __len__(self) -> int:
        return len(self.positions)


@dataclass(frozen=True)
class PositionRequest(_Positions):
    """Positions for a network of this project.

    Attributes:
        feature_set: the planes to make of them.
        reads_chains: whether the network reads chain ids too.
        rank: of the players in dan, for the planes that show it.
    """

    feature_set: FeatureSet
    reads_chains: bool
    rank: int = RANKS

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the planes and chain ids of some positions."""
        planes, chains = planes_and_chains(self.positions[start:stop], self.feature_set, self.rank)
        return {"planes": planes, "chains": chains} if self.reads_chains else {"planes": planes}


@dataclass(frozen=True)
class KataGoRequest(_Positions):
    """Positions for a network of KataGo.

    Attributes:
        terms: of each.
        strict: see `KataGoConfig.strict_pass_alive`.
    """

    terms: Sequence[Terms]
    strict: bool = False

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the planes and numbers of some positions."""
        positions, terms = self.positions[start:stop], self.terms[start:stop]
        return {"planes": katago_planes(positions, terms, self.strict), "globals": katago_numbers(positions, terms)}


@dataclass(frozen=True)
class PlaneRequest:
    """Planes that were made before.

    Attributes:
        planes: float32 (B, N, N, C), one image each.
        chains: int32 (B, N, N), chain ids; None for networks that read none.
    """

    planes: NDArray[np.float32]
    chains: NDArray[np.int32] | None

    @property
    def side(self) -> int:
        """The side of all boards."""
        return int(self.planes.shape[1])

    def __len__(self) -> int:
        return len(self.planes)

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return some of the planes and chain ids."""
        inputs = {"planes": self.planes[start:stop]}
        return inputs if self.chains is None else {**inputs, "chains": self.chains[start:stop]}


@dataclass(frozen=True)
class TurnedRequest:
    """Images of another request, each turned by a symmetry of `goban.coords`.

    Attributes:
        request: the images as they are.
        shown: intp (I,), rising, the image of the request that each image shows.
        turns: intp (I,) in 0..7, the symmetry that each is turned by.
    """

    request: Request
    shown: Indices
    turns: Indices

    @property
    def side(self) -> int:
        """The side of all boards."""
        return self.request.side

    def __len__(self) -> int:
        return len(self.turns)

    def inputs(self, start: int, stop: int) -> Arrays:
        """Return the inputs of the network for some images."""
        first, last = int(self.shown[start]), int(self.shown[stop - 1])
        return turned(self.request.inputs(first, last + 1), self.shown[start:stop] - first, self.turns[start:stop])


def in_symmetries(request: Request, symmetries: int) -> Request:
    """Return the request for every image of another one in the first `symmetries` symmetries."""
    images = np.arange(len(request) * symmetries)
    return request if symmetries == 1 else TurnedRequest(request, *np.divmod(images, symmetries))


def turned(inputs: Arrays, positions: Indices, symmetries: Indices) -> dict[str, NDArray[Any]]:
    """Return the inputs of a network for I images of B positions.

    Args:
        inputs: of the positions: `planes` (B, N, N, C) and, if the network reads them, `chains` (B, N, N) and `globals`
            (B, G).
        positions: intp (I,), index of the position that each image shows.
        symmetries: integers (I,) in 0..7, the symmetry that each image is turned by.

    A chain id is the flat index of a point of the chain, so it becomes the index to which that point goes.
    """
    planes = inputs["planes"]
    _, side, _, channels = planes.shape
    points = side * side
    origins = sources(side)[symmetries, :points] + positions[:, None] * points  # in all boards, one after the other
    images = {"planes": planes.reshape(-1, channels).take(origins, axis=0).reshape(-1, side, side, channels)}
    if "chains" in inputs:
        ids = inputs["chains"].take(origins)
        images["chains"] = destinations(side)[symmetries[:, None], ids].astype(np.int32).reshape(-1, side, side)
    if "globals" in inputs:
        images["globals"] = inputs["globals"][positions]
    return images


def turned_back(outputs: Arrays, symmetries: Indices) -> dict[str, NDArray[np.float32]]:
    """Return a network's outputs for images that were turned by one symmetry each, as seen on the boards as they were.

    Args:
        outputs: float32, as far as the network has them: `ownership` (I, N, N), `policy` (I, N*N + 1), `score` (I, 2),
            `resign` (I, 1), `margin` (I, 2) and `value` (I, 3).
        symmetries: integers (I,) in 0..7.
    """
    turned = {}
    for name, values in outputs.items():
        images = values.reshape(len(values), -1)
        if name in ("ownership", "policy"):
            places = destinations(isqrt(values[0].size))[symmetries, : images.shape[1]]
            images = images.take(places + np.arange(0, images.size, images.shape[1])[:, None])
        turned[name] = images.reshape(values.shape)
    return turned


def averaged(outputs: Arrays, symmetries: int) -> dict[str, NDArray[np.float32]]:
    """Return the means of a network's outputs over S symmetries, for each image of a request `in_symmetries`."""
    if symmetries == 1:
        return dict(outputs)
    turns = np.arange(len(next(iter(outputs.values())))) % symmetries
    means = {}
    for name, values in turned_back(outputs, turns).items():
        images = values.reshape(-1, symmetries, values[0].size)
        means[name] = images.mean(axis=1).reshape(-1, *values.shape[1:])
    return means


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

    request: Request
    answered: int = 0
    parts: dict[int, Arrays] = field(default_factory=dict)
    error: Exception | None = None
    ended: "SimpleQueue[None]" = field(default_factory=SimpleQueue)

    def add(self, start: int, part: Arrays) -> None:
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

    def split(self, size: int) -> "tuple[_Piece, _Piece]":
        """Return the first `size` images and the others."""
        middle = self.start + size
        return _Piece(self.job, self.start, middle), _Piece(self.job, middle, self.stop)

    def inputs(self) -> Arrays:
        return self.job.request.inputs(self.start, self.stop)


class _Batch(NamedTuple):
    network: Network
    pieces: list[_Piece]


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
