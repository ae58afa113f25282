"""Positions in, ownership out: a bundled or trained model behind LiteRT, without TensorFlow."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban import symmetry
from goban.errors import InputError
from goban.position import Position
from ownership.model_files import ModelError, ModelFiles, find_model
from ownership.native_messages import native_messages_dropped
from preprocessing.features import describe, parse_feature_set

MAX_BATCH = 64
_SYMMETRIES = (1, 8)


class Evaluator:
    """A model that says who will own each point.

    files: the model, from `find_model`. threads: CPU threads it may use; None means all.
    Any number of Python threads may call it: networks run one batch at a time, planes are made in parallel.
    Raises ModelError if the weights cannot be loaded, InputError if no runtime is installed.
    It judges no result: see `ownership.estimate`.
    """

    def __init__(self, files: ModelFiles, *, threads: int | None = None) -> None:
        self.files = files
        self.feature_set = parse_feature_set(files.network.feature_set)
        self._lock = threading.Lock()
        self._runner = _load(files.weights, threads or os.cpu_count() or 1)

    @classmethod
    def load(cls, model: str | Path | None = None, *, threads: int | None = None) -> "Evaluator":
        """Return the evaluator of a bundled model (name), a model directory (path) or the default model."""
        return cls(find_model(model), threads=threads)

    @property
    def name(self) -> str:
        """The model's own name."""
        return self.files.name

    def ownership(self, positions: Sequence[Position], symmetries: int = 1) -> NDArray[np.float32]:
        """Return who will own each point of each position.

        Args:
            positions: B positions of one board side N, finished or not.
            symmetries: 1, or 8 to average over the symmetries of the board, slower and a little better.

        Returns:
            float32 (B, N, N) in [-1, 1], +1 Black, -1 White; the expectation of the owner's sign.

        Raises:
            InputError: positions of several board sides, or another number of symmetries.

        It does not make a chain's points agree.
        """
        side = _common_side(positions)
        _check_symmetries(symmetries)
        result = np.empty((len(positions), side, side), np.float32)
        for start in range(0, len(positions), MAX_BATCH):
            part = positions[start : start + MAX_BATCH]
            planes, chains = describe(part, self.feature_set)
            to_move = np.array([position.to_move for position in part], np.float32)
            mean = self.probabilities(planes, chains, symmetries)
            result[start : start + MAX_BATCH] = (2 * mean - 1) * to_move[:, None, None]
        return result

    def probabilities(
        self, planes: NDArray[np.float32], chains: NDArray[np.int32], symmetries: int = 1
    ) -> NDArray[np.float32]:
        """Return P(the side to move will own the point).

        Args:
            planes: float32 (B, N, N, C), the planes of `feature_set`.
            chains: int32 (B, N, N) chain ids; read only by models with chain pooling.
            symmetries: 1, or 8 to average over the symmetries of the board.

        Returns:
            float32 (B, N, N) in [0, 1].

        Raises:
            InputError: another number of symmetries.
        """
        _check_symmetries(symmetries)
        step = MAX_BATCH // symmetries
        parts = range(0, len(planes), step)
        means = [self._mean(planes[i : i + step], chains[i : i + step], range(symmetries)) for i in parts]
        return np.concatenate(means)

    def _mean(self, planes: NDArray[np.float32], chains: NDArray[np.int32], symmetries: range) -> NDArray[np.float32]:
        """Return the mean over the symmetries, in one run of the network."""
        images = np.concatenate([_transform_planes(planes, k) for k in symmetries])
        ids = np.concatenate([_transform_chains(chains, k) for k in symmetries])
        answers = np.split(self._run(images, ids), len(symmetries))
        back = [symmetry.apply(answer, symmetry.inverse(k)) for k, answer in zip(symmetries, answers, strict=True)]
        mean: NDArray[np.float32] = np.mean(back, axis=0)
        return mean

    def _run(self, planes: NDArray[np.float32], chains: NDArray[np.int32]) -> NDArray[np.float32]:
        inputs: dict[str, NDArray[Any]] = {"planes": planes}
        if self.files.network.reads_chains:
            inputs["chains"] = chains
        with self._lock:
            outputs: NDArray[np.float32] = self._runner(**inputs)["ownership"]
        return outputs


def _check_symmetries(symmetries: int) -> None:
    if symmetries not in _SYMMETRIES:
        raise InputError(f"symmetries must be 1 or 8. Received: {symmetries}")


def _common_side(positions: Sequence[Position]) -> int:
    sides = {position.side for position in positions}
    if len(sides) != 1:
        found = ", ".join(map(str, sorted(sides))) or "no position"
        raise InputError(f"expected positions of one board side. Received: {found}; separate the sides")
    return sides.pop()


def _transform_planes(images: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    moved = symmetry.apply(np.moveaxis(images, -1, 1), k)
    return np.ascontiguousarray(np.moveaxis(moved, 1, -1))


def _transform_chains(ids: NDArray[np.int32], k: int) -> NDArray[np.int32]:
    """Move chain ids, renaming each to the image of its point: an empty point keeps its own index."""
    side = ids.shape[-1]
    home = symmetry.apply(np.arange(side * side, dtype=np.int32).reshape(side, side), symmetry.inverse(k))
    return np.ascontiguousarray(home.ravel()[symmetry.apply(ids, k)])


def _load(weights: Path, threads: int) -> Any:
    """Return the signature runner of a LiteRT file: called with named arrays, it returns named arrays."""
    interpreter_class = _interpreter_class()
    with native_messages_dropped():
        try:
            interpreter = interpreter_class(model_path=str(weights), num_threads=threads)
            interpreter.allocate_tensors()
            runner = interpreter.get_signature_runner("serving_default")
        except (ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0] if str(error) else "unknown reason"
            raise ModelError(f"{weights}: expected a model of `ownership train`. Received: {reason}") from None
    return runner


def _interpreter_class() -> Any:
    """Return LiteRT's Interpreter, or TensorFlow's own where LiteRT has no wheel for the platform."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ModuleNotFoundError:
        try:
            import tensorflow
        except ModuleNotFoundError:
            raise InputError(
                "expected LiteRT or TensorFlow to run the model, found neither: "
                "`pip install ai-edge-litert`, or `pip install tensorflow` where it has no wheel"
            ) from None
        return tensorflow.lite.Interpreter
    return Interpreter
