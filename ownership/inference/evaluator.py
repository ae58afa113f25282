"""Positions in, predictions out: ownership and, where the model has the heads, policy and deviation of the score."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from goban.position import Position
from ownership.inference.batching import Batcher
from ownership.inference.cache import LRUCache
from ownership.inference.files import ModelFiles, find_model
from ownership.inference.requests import PlaneRequest, PositionRequest, Request, TurnedRequest
from ownership.inference.runtime import load_network
from ownership.inference.symmetries import averaged
from preprocessing.features.planes import parse_feature_set

MAX_BATCH = 64  # positions in one call of a caller with time to spare
CACHED = 4096
_MOST_IMAGES = 512  # in one request, which bounds the memory
_SYMMETRIES = (1, 8)

Floats = NDArray[np.float32]
Outputs = dict[str, Floats]  # of a network, by head
_Key = tuple[bytes, int, int, tuple[int, ...], int]


@dataclass(frozen=True, eq=False)
class Prediction:
    """What a model predicts about one position of board side N; None where it has no such head.

    Attributes:
        ownership: float32 (N, N) in [-1, 1], the expected owner of each point: +1 Black, -1 White.
        policy: float32 (N*N + 1,), the probability of each next move by flat index, the last being the pass; 0 for
            illegal moves.
        deviation: standard deviation of the final score in points.
    """

    ownership: Floats
    policy: Floats | None = None
    deviation: float | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only: callers share them through the cache."""
        for array in (self.ownership, self.policy):
            if array is not None:
                array.flags.writeable = False


class Evaluator:
    """A model at work: predictions about positions, for any number of Python threads.

    Requests of several threads run in common batches, on which no answer depends.

    Args:
        files: the model, from `find_model`.
        threads: processors that it may keep busy; None means all.
        cached: predictions kept in memory, those used last, 4 kB each on 19x19; 0 keeps none.

    Raises:
        ModelError: the weights cannot be loaded, or are not those that `model.json` describes.
        InputError: no runtime is installed.

    It counts no score: see `goban.counting.estimate`.
    """

    def __init__(self, files: ModelFiles, *, threads: int | None = None, cached: int = CACHED) -> None:
        self.files = files
        self.feature_set = parse_feature_set(files.network.feature_set)
        processors = threads or os.cpu_count() or 1
        networks = [load_network(files, 1) for _ in range(processors)]
        self._batcher = Batcher(networks, load_network(files, processors))
        self._cache: LRUCache[_Key, Prediction] = LRUCache(cached)

    @classmethod
    def load(cls, model: str | Path | None = None, *, threads: int | None = None, cached: int = CACHED) -> "Evaluator":
        """Return the evaluator of a bundled model (name), a model directory (path) or the default model."""
        return cls(find_model(model), threads=threads, cached=cached)

    @property
    def name(self) -> str:
        """The model's own name."""
        return self.files.name

    @property
    def heads(self) -> tuple[str, ...]:
        """What the model answers, of `ownership.inference.config.HEADS`."""
        return self.files.heads

    def ownership(self, positions: Sequence[Position], symmetries: int = 1) -> Floats:
        """Return the expected owner of each point of each position, float32 (B, N, N); see `evaluate`."""
        return np.stack([prediction.ownership for prediction in self.evaluate(positions, symmetries)])

    def evaluate(self, positions: Sequence[Position], symmetries: int = 1) -> list[Prediction]:
        """Return the predictions about B positions, in their order; their arrays are read-only.

        Args:
            positions: positions of one board side, finished or not.
            symmetries: 1, or 8 to average over the symmetries of the board, slower and a little better.

        Raises:
            InputError: no position, positions of several board sides, or another number of symmetries.

        The points of a chain may get different values. The policy gives no probability to moves that
        `Position.legal_moves` excludes; it does not check superko.
        """
        _common_side(positions)
        _check_symmetries(symmetries)
        keys = [_key(position, symmetries) for position in positions]
        known = self._cache.find(keys)
        missing = {key: position for key, position in zip(keys, positions, strict=True) if key not in known}
        if missing:
            new = dict(zip(missing, self._predictions(list(missing.values()), symmetries), strict=True))
            self._cache.add(new)
            known |= new
        return [known[key] for key in keys]

    def predict(self, planes: Floats, chains: NDArray[np.int32], symmetries: int = 1) -> Outputs:
        """Return the outputs of the network for given planes, from the point of view of the side to move.

        Args:
            planes: float32 (B, N, N, C), the planes of `feature_set`, B at least 1.
            chains: int32 (B, N, N), chain ids; read only by models with chain pooling.
            symmetries: 1, or 8 to average over the symmetries of the board.

        Returns:
            float32 arrays by head: `ownership` (B, N, N), the probability that the side to move will own the point;
            `policy` (B, N*N + 1), illegal moves included; `deviation` (B,), in points.

        Raises:
            InputError: no position, or another number of symmetries.
        """
        _check_symmetries(symmetries)
        if not len(planes):
            raise InputError("expected planes of at least one position. Received: none")
        return self._outputs(PlaneRequest(planes, chains if self.files.network.reads_chains else None), symmetries)

    def _predictions(self, positions: Sequence[Position], symmetries: int) -> Iterator[Prediction]:
        """Yield the predictions about positions of one board side, asked for in parts that bound the memory."""
        step = _MOST_IMAGES // symmetries
        for start in range(0, len(positions), step):
            part = positions[start : start + step]
            request = PositionRequest(part, self.feature_set, self.files.network.reads_chains)
            yield from _seen_by_black(part, self._outputs(request, symmetries))

    def _outputs(self, request: Request, symmetries: int) -> Outputs:
        """Return the outputs of the network by head, averaged over symmetries, from the mover's point of view."""
        images = request if symmetries == 1 else TurnedRequest(request, symmetries)
        outputs = averaged(self._batcher.run(images), symmetries)
        score = outputs.pop("score", None)
        if score is not None:
            outputs["deviation"] = score[:, 1] * np.float32(self.files.deviation_scale)
        return outputs


def _seen_by_black(positions: Sequence[Position], outputs: Outputs) -> Iterator[Prediction]:
    """Yield the prediction about each position, given the outputs from the point of view of the side to move."""
    policies, deviations = outputs.get("policy"), outputs.get("deviation")
    for index, position in enumerate(positions):
        yield Prediction(
            (2 * outputs["ownership"][index] - 1) * np.float32(position.to_move),
            None if policies is None else _legal_policy(policies[index], position),
            None if deviations is None else float(deviations[index]),
        )


def require_head(evaluator: Evaluator, head: str, what: str) -> None:
    """Raise InputError, naming what needs it, if the model of an evaluator lacks a head of `HEADS`."""
    if head not in evaluator.heads:
        heads = ", ".join(evaluator.heads)
        raise InputError(f"{what} needs a model with the head {head}. Received: {evaluator.name}, with {heads} only")


def _check_symmetries(symmetries: int) -> None:
    if symmetries not in _SYMMETRIES:
        raise InputError(f"symmetries must be 1 or 8. Received: {symmetries}")


def _common_side(positions: Sequence[Position]) -> int:
    sides = {position.side for position in positions}
    if len(sides) != 1:
        found = ", ".join(map(str, sorted(sides))) or "no position"
        raise InputError(f"expected positions of one board side. Received: {found}; separate the sides")
    return sides.pop()


def _key(position: Position, symmetries: int) -> _Key:
    """Return all that a prediction depends on; no plane shows the prisoners."""
    return position.stones.tobytes(), position.to_move, position.ko, position.recent, symmetries


def _legal_policy(policy: Floats, position: Position) -> Floats:
    """Return the policy (N*N + 1,) over legal moves alone, uniform where it gives them no probability."""
    legal: Floats = position.legal_moves() * (policy + np.finfo(np.float32).tiny)
    legal /= legal.sum()
    return legal
