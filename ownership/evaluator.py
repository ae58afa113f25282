"""Positions in, ownership out, and the next move and the spread of the score where the model knows them."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from goban.position import Position
from ownership.averaging import averaged, turned
from ownership.batching import Batcher
from ownership.model_files import ModelFiles, find_model
from ownership.recall import Recall
from ownership.runtime import Arrays, load_network
from preprocessing.features import describe, parse_feature_set

MAX_BATCH = 64  # positions that a caller with time to spare asks about at once
REMEMBERED = 4096
_MOST_IMAGES = 512  # asked of the network at once, which bounds the memory
_SYMMETRIES = (1, 8)

Floats = NDArray[np.float32]
_Described = tuple[Floats, NDArray[np.int32]]  # planes and chain ids
_Key = tuple[bytes, int, int, tuple[int, ...], int]


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a network answers about B positions, as the side to move sees them; None where it has no such head.

    ownership: float32 (B, N, N), the probability that the side to move will own the point. policy: float32
    (B, N*N + 1), the probability of the next move by flat index, the last being a pass, illegal moves included.
    deviation: float32 (B,), the standard deviation of the final score in points.
    """

    ownership: Floats
    policy: Floats | None = None
    deviation: Floats | None = None


@dataclass(frozen=True, eq=False)
class Opinion:
    """What a model says about one position: see `Evaluation`."""

    ownership: Floats
    policy: Floats | None
    deviation: float | None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What a model says about B positions; None where it has no such head.

    ownership: float32 (B, N, N) in [-1, 1], +1 Black, -1 White; the expectation of the owner's sign. policy: float32
    (B, N*N + 1), the probability of the next move by flat index, the last being a pass; 0 for illegal moves.
    deviation: float32 (B,), the standard deviation of the final score in points.
    """

    ownership: Floats
    policy: Floats | None
    deviation: Floats | None

    def __iter__(self) -> Iterator[Opinion]:
        """Yield what it says about each position, in arrays of their own."""
        for index, ownership in enumerate(self.ownership):
            policy = None if self.policy is None else self.policy[index].copy()
            yield Opinion(ownership.copy(), policy, None if self.deviation is None else float(self.deviation[index]))


class Evaluator:
    """A model that says who will own each point and, where it has learnt that, the next move and how sure the score is.

    files: the model, from `find_model`. threads: processors that it may keep busy; None means all. remembered: how many
    positions' answers it keeps, those that were asked for last, 4 kB each on 19x19; 0 keeps none.
    Any number of Python threads may call it. What they ask runs in common batches, on which no answer depends.
    Raises ModelError if the weights cannot be loaded, InputError if no runtime is installed.
    It judges no result: see `ownership.estimate`.
    """

    def __init__(self, files: ModelFiles, *, threads: int | None = None, remembered: int = REMEMBERED) -> None:
        self.files = files
        self.feature_set = parse_feature_set(files.network.feature_set)
        processors = threads or os.cpu_count() or 1
        networks = [load_network(files.weights, 1) for _ in range(processors)]
        self._batcher = Batcher(networks, load_network(files.weights, processors))
        self._known: Recall[_Key, Opinion] = Recall(remembered)

    @classmethod
    def load(
        cls, model: str | Path | None = None, *, threads: int | None = None, remembered: int = REMEMBERED
    ) -> "Evaluator":
        """Return the evaluator of a bundled model (name), a model directory (path) or the default model."""
        return cls(find_model(model), threads=threads, remembered=remembered)

    @property
    def name(self) -> str:
        """The model's own name."""
        return self.files.name

    def ownership(self, positions: Sequence[Position], symmetries: int = 1) -> Floats:
        """Return who will own each point of each position, float32 (B, N, N); see `evaluate`."""
        return self.evaluate(positions, symmetries).ownership

    def evaluate(self, positions: Sequence[Position], symmetries: int = 1) -> Evaluation:
        """Return what the model says about positions, in arrays that the caller may change.

        Args:
            positions: B positions of one board side N, finished or not.
            symmetries: 1, or 8 to average over the symmetries of the board, slower and a little better.

        Raises:
            InputError: positions of several board sides, or another number of symmetries.

        It does not make a chain's points agree, and forbids what `Position.legal_moves` does: it knows no superko.
        """
        _common_side(positions)
        _check_symmetries(symmetries)
        keys = [_key(position, symmetries) for position in positions]
        opinions = self._known.find(keys)
        missing = {key: position for key, position in zip(keys, positions, strict=True) if key not in opinions}
        if missing:
            new = dict(zip(missing, self._opinions(list(missing.values()), symmetries), strict=True))
            self._known.add(new)
            opinions |= new
        return _joined([opinions[key] for key in keys])

    def predict(self, planes: Floats, chains: NDArray[np.int32], symmetries: int = 1) -> Predictions:
        """Return what the network answers for planes that somebody else made.

        Args:
            planes: float32 (B, N, N, C), the planes of `feature_set`.
            chains: int32 (B, N, N) chain ids; read only by models with chain pooling.
            symmetries: 1, or 8 to average over the symmetries of the board.

        Raises:
            InputError: another number of symmetries.
        """
        _check_symmetries(symmetries)
        return self._predict(lambda some: (planes[some], chains[some]), len(planes), planes.shape[1], symmetries)

    def _opinions(self, positions: Sequence[Position], symmetries: int) -> list[Opinion]:
        """Return what the model says about each position, a bounded number of images at a time."""
        step = _MOST_IMAGES // symmetries
        parts = [positions[start : start + step] for start in range(0, len(positions), step)]
        return [opinion for part in parts for opinion in self._evaluate(part, symmetries)]

    def _evaluate(self, positions: Sequence[Position], symmetries: int) -> Evaluation:
        def describe_some(some: slice) -> _Described:
            return describe(positions[some], self.feature_set)

        found = self._predict(describe_some, len(positions), positions[0].side, symmetries)
        to_move = np.array([position.to_move for position in positions], np.float32)
        ownership = (2 * found.ownership - 1) * to_move[:, None, None]
        policy = None if found.policy is None else _only_legal(found.policy, positions)
        return Evaluation(ownership, policy, found.deviation)

    def _predict(
        self, describe_some: Callable[[slice], _Described], positions: int, side: int, symmetries: int
    ) -> Predictions:
        """Return what the network answers about positions that `describe_some` makes the inputs of."""

        def make(start: int, stop: int) -> Arrays:
            images, first = np.arange(start, stop), start // symmetries
            planes, chains = describe_some(slice(first, (stop - 1) // symmetries + 1))
            inputs = {"planes": planes, "chains": chains} if self.files.network.reads_chains else {"planes": planes}
            if symmetries == 1:
                return inputs
            return turned(inputs, images // symmetries - first, images % symmetries)

        means = averaged(self._batcher.run(side, positions * symmetries, make), symmetries)
        score = means.get("score")
        return Predictions(
            means["ownership"],
            means.get("policy"),
            None if score is None else score[:, 1] * np.float32(self.files.spread),
        )


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
    """Return all that an answer depends on: what the planes show, which is not the prisoners."""
    return position.stones.tobytes(), position.to_move, position.ko, position.recent, symmetries


def _only_legal(policy: Floats, positions: Sequence[Position]) -> Floats:
    """Return the policy (B, N*N + 1) over legal moves alone, all of them alike where it left them nothing."""
    legal = np.stack([position.legal_moves() for position in positions])
    possible: Floats = legal * (policy + np.finfo(np.float32).tiny)
    possible /= possible.sum(axis=1, keepdims=True)
    return possible


def _joined(opinions: Sequence[Opinion]) -> Evaluation:
    policies = [each.policy for each in opinions if each.policy is not None]
    deviations = [each.deviation for each in opinions if each.deviation is not None]
    return Evaluation(
        np.stack([each.ownership for each in opinions]),
        np.stack(policies) if policies else None,
        np.array(deviations, np.float32) if deviations else None,
    )
