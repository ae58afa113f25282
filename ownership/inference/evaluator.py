"""Positions in, predictions out: ownership and, where the model has the heads, policy and deviation of the score."""

import threading
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError, as_whole, shown
from goban.position import RECENT_MOVES, Position
from goban.rulesets import DEFAULT_KOMI, DEFAULT_RULES, RULESETS, Terms
from ownership.inference.batching import Batcher
from ownership.inference.batching_after_fork import ForkedBatcher
from ownership.inference.bulk_weights import in_bulk
from ownership.inference.evaluator_arguments import check_symmetries, common_side, count_and_turns, terms_of_each
from ownership.inference.image_requests import ImageRequest, KataGoRequest, PlaneRequest, PositionRequest
from ownership.inference.image_symmetries import TurnedRequest, averaged, in_symmetries, turned_back
from ownership.inference.katago_config import KATAGO, KataGoConfig
from ownership.inference.litert_network import open_network
from ownership.inference.model_catalogue import find_model, place_of
from ownership.inference.model_files import ModelFiles, check_weights
from ownership.inference.own_config import OwnConfig, OwnEvaluator
from ownership.inference.own_evaluators import own_files, own_outputs
from ownership.inference.prediction import Outputs, Prediction, predictions_of
from ownership.inference.score_calibration import calibrated
from ownership.inference.thread_safe_lru_cache import LRUCache
from planes.feature_sets import FeatureSet, parse_feature_set
from planes.katago_inputs import KATAGO_HISTORY, katago_numbers
from planes.plane_names import RANKS
from runtime.this_process import processors

MAX_BATCH = 64  # positions in one call of a caller with time to spare
CACHED = 4096
DEFAULT_TERMS: Final = Terms(RULESETS[DEFAULT_RULES], DEFAULT_KOMI)
_MOST_IMAGES = 512  # in one request, which bounds the memory

_Key = tuple[bytes, int, int, tuple[int, ...], int, bytes]


class Evaluator:
    """A model at work: predictions about positions, for any number of Python threads.

    Requests of several threads run in common batches, on which no answer depends. A process that `os.fork` makes opens
    its own networks when it first evaluates.

    Args:
        files: the model, from `find_model`.
        threads: processors that it may keep busy; None means all that this process may use.
        cached: predictions kept in memory, those used last, 4 kB each on 19x19; 0 keeps none.
        bulk: whether it answers many positions for something else than to show them, see `bulk_weights`.

    Attributes:
        files, threads, bulk: as given.

    Raises:
        ModelError: the weights cannot be loaded, or are not those that `model.json` describes.
        InputError: no runtime is installed, or `cached` is negative.
        TypeError: `cached` is no whole number.

    It counts no score: see `goban.counting.estimate`.
    """

    def __init__(
        self, files: ModelFiles, *, threads: int | None = None, cached: int = CACHED, bulk: bool = False
    ) -> None:
        if as_whole("cached", cached) < 0:
            raise InputError(f"cached must be at least 0. Received: {shown(cached)}")
        self.files, self.bulk = files, bulk
        used = in_bulk(files) if bulk else files
        check_weights(used)
        self.threads = threads or processors()
        self._own = files.network if isinstance(files.network, OwnConfig) else None
        self._batcher = None if self._own else ForkedBatcher(partial(_open_batcher, used, self.threads))
        self._history = self._moves_shown()
        self._cache: LRUCache[_Key, Prediction] = LRUCache(cached)
        self._rank = RANKS

    @classmethod
    def load(
        cls, model: str | Path | None = None, *, threads: int | None = None, cached: int = CACHED, bulk: bool = False
    ) -> "Evaluator":
        """Return the evaluator of a model with a name, a model directory (path) or the default model."""
        return cls(find_model(model), threads=threads, cached=cached, bulk=bulk)

    @classmethod
    def of(cls, evaluator: OwnEvaluator, *, cached: int = CACHED) -> "Evaluator":
        """Return an evaluator of your own as a model; it evaluates an empty board, which shows what it predicts.

        Raises:
            InputError: a figure of another shape or out of range.
            TypeError: no evaluator, or one that returns no predictions.
        """
        return evaluator if isinstance(evaluator, cls) else cls(own_files(evaluator), cached=cached)

    def __reduce__(self) -> tuple[Callable[..., "Evaluator"], tuple[object, ...]]:
        """Pickle by the place of the model: every other process has one evaluator of it, without a cache."""
        if self._own and not self._own.is_named:
            return Evaluator.of, (self._own.evaluator,)
        return _evaluator_of, (place_of(self.files), self._rank, self.bulk)

    def in_bulk(self) -> "Evaluator":
        """Return an evaluator of the same model for bulk work: this one where it answers by the same weights."""
        if self.bulk or in_bulk(self.files) == self.files:
            return self
        return _of_rank(Evaluator(self.files, threads=self.threads, bulk=True), self._rank)

    def as_rank(self, rank: int) -> "Evaluator":
        """Return an evaluator of the same networks whose planes show both players with a rank, 1 to 9 dan.

        Raises:
            InputError: another rank, or a model that reads no plane of ranks.
        """
        if not 1 <= rank <= RANKS:
            raise InputError(f"expected a rank of 1 to {RANKS} dan. Received: {shown(rank)}")
        if not any(plane.startswith("rank_") for plane in self.feature_set.planes):
            raise InputError(f"expected a model whose planes show ranks, as maddison36 does. Received: {self.name}")
        ranked = copy(self)
        ranked._rank, ranked._cache = rank, LRUCache(CACHED)
        return ranked

    def clear_cache(self) -> None:
        """Forget all predictions."""
        self._cache.clear()

    @property
    def name(self) -> str:
        """The model's own name."""
        return self.files.name

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the model, of `ownership.inference.network_config.HEADS`."""
        return self.files.heads

    @property
    def reads_terms(self) -> bool:
        """Whether it reads rules and komi, as KataGo's networks do, and evaluators of a user's own may."""
        return isinstance(self.files.network, KataGoConfig | OwnConfig)

    @property
    def feature_set(self) -> FeatureSet:
        """The planes that a network of this project reads; raise InputError for others."""
        network = self.files.network
        if isinstance(network, KataGoConfig | OwnConfig):
            kind = f"a network of {KATAGO}" if isinstance(network, KataGoConfig) else "an evaluator of a package"
            raise InputError(f"expected a model of `ownership train`. Received: {self.name}, {kind}")
        return parse_feature_set(network.feature_set)

    def ownership(
        self, positions: Sequence[Position], symmetries: int = 1, terms: Terms | Sequence[Terms] = DEFAULT_TERMS
    ) -> NDArray[np.float32]:
        """Return the expected owner of each point of each position, float32 (B, N, N); see `evaluate`."""
        return np.stack([prediction.owners for prediction in self.evaluate(positions, symmetries, terms)])

    def evaluate(
        self,
        positions: Sequence[Position],
        symmetries: int | Sequence[int] = 1,
        terms: Terms | Sequence[Terms] = DEFAULT_TERMS,
    ) -> list[Prediction]:
        """Return the predictions about B positions, in their order; their arrays are read-only.

        Args:
            positions: positions of one board side, finished or not.
            symmetries: 1, or 4 or 8 to average over the symmetries of the board, slower and a little better; or a list
                with the symmetry of `goban.coords` in which each position is looked at.
            terms: what the games are counted by, of all positions or of each; leads and chances to win depend on them,
                and all that networks of KataGo answer.

        Raises:
            InputError: no position, positions of several board sides, another number of symmetries, or another number
                of terms than of positions.
            TypeError: stones that are no Position, or terms that are no Terms.

        The points of a chain may get different values. The policy gives no probability to moves that
        `Position.legal_points` excludes; it does not check superko.
        """
        self.files.require_side(common_side(positions))
        count, turns = count_and_turns(symmetries, len(positions))
        if self._own:  # it looks at positions as they are
            count, turns = 1, [0] * len(positions)
        cases = list(zip(positions, terms_of_each(terms, len(positions)), turns, strict=True))
        keys = [self._key(position, count, each, turn) for position, each, turn in cases]
        known = self._cache.find(keys)
        missing = {key: each for key, each in zip(keys, cases, strict=True) if key not in known}
        if missing:
            new = dict(zip(missing, self._predictions(list(missing.values()), count), strict=True))
            self._cache.add(new)
            known |= new
        return [known[key] for key in keys]

    def predict(self, planes: NDArray[np.float32], chains: NDArray[np.int32], symmetries: int = 1) -> Outputs:
        """Return the outputs of the network for given planes, from the point of view of the side to move.

        Args:
            planes: float32 (B, N, N, C), the planes of `feature_set`, B at least 1.
            chains: int32 (B, N, N), chain ids; read only by models with chain pooling.
            symmetries: 1, or 4 or 8 to average over the symmetries of the board.

        Returns:
            float32 arrays by head: `ownership` (B, N, N), the probability that the side to move will own the point;
            `policy` (B, N*N + 1), illegal moves included; `deviation` (B,), in points; `resign` (B, 1), the probability
            that it resigns; `margin` (B, 2), its expected area minus the other's, and the spread, in points. Deviation
            and spread are not calibrated.

        Raises:
            InputError: no position, another number of symmetries, or a network of KataGo.
        """
        check_symmetries(symmetries)
        if not len(planes):
            raise InputError("expected planes of at least one position. Received: none")
        chains_read = chains if self.files.network.reads_chains else None
        assert planes.shape[-1] == len(self.feature_set.planes)
        return self._outputs(PlaneRequest(planes, chains_read), symmetries)

    def outputs(self, positions: Sequence[Position], terms: Sequence[Terms], symmetries: int = 1) -> Outputs:
        """Return the answers of `predict` for positions of one board side and the terms of each, calibrated.

        Networks of KataGo also give `lead` (B,), in points, and `win_rate` (B,), the probability that the side to move
        wins.
        """
        self.files.require_side(common_side(positions))
        check_symmetries(symmetries)
        return self._answered(positions, terms, symmetries)

    def _answered(
        self, positions: Sequence[Position], terms: Sequence[Terms], symmetries: int, turns: Sequence[int] | None = None
    ) -> Outputs:
        """Return calibrated outputs."""
        if self._own:
            return own_outputs(self._own, self.name, positions, terms)
        outputs = self._outputs(self._request(positions, terms), symmetries, turns)
        return calibrated(outputs, self.files.calibration)

    def _predictions(self, cases: Sequence[tuple[Position, Terms, int]], symmetries: int) -> Iterator[Prediction]:
        """Yield the predictions about positions of one board side, in parts that bound the memory."""
        step = _MOST_IMAGES // symmetries
        for start in range(0, len(cases), step):
            positions, terms, turns = zip(*cases[start : start + step], strict=True)
            outputs = self._answered(positions, terms, symmetries, turns if any(turns) else None)
            yield from predictions_of(self.files, positions, terms, outputs)

    def _request(self, positions: Sequence[Position], terms: Sequence[Terms]) -> ImageRequest:
        if isinstance(self.files.network, KataGoConfig):
            return KataGoRequest(positions, terms, self.files.network.strict_pass_alive)
        return PositionRequest(positions, self.feature_set, self.files.network.reads_chains, self._rank)

    def _besides(self, position: Position, terms: Terms) -> bytes:
        """Return the inputs of a prediction besides the stones and last moves of the position."""
        if not self.reads_terms:
            return repr((terms, position.prisoners)).encode() if "margin" in self.heads else b""
        boards = b"".join(board.stones.tobytes() + board.ko.to_bytes(2, signed=True) for board in position.earlier)
        if self._own:
            return repr((terms, position.prisoners)).encode() + boards
        return katago_numbers([position], [terms]).tobytes() + boards

    def _moves_shown(self) -> int:
        """Return how many last moves the answers may depend on."""
        if self._own:
            return RECENT_MOVES
        return KATAGO_HISTORY if self.reads_terms else self.feature_set.history

    def _key(self, position: Position, symmetries: int, terms: Terms, turn: int) -> _Key:
        """Return all that a prediction depends on; no plane shows the prisoners."""
        recent = position.recent[: self._history]
        besides = bytes([turn]) + self._besides(position, terms)
        return position.stones.tobytes(), position.to_move, position.ko, recent, symmetries, besides

    def _outputs(self, request: ImageRequest, symmetries: int, turns: Sequence[int] | None = None) -> Outputs:
        """Return the outputs of the network by head, averaged over symmetries, from the mover's point of view."""
        assert self._batcher is not None
        if turns is None:
            outputs = averaged(self._batcher.run(in_symmetries(request, symmetries)), symmetries)
        else:
            each, images = np.array(turns, np.intp), np.arange(len(request))
            outputs = turned_back(self._batcher.run(TurnedRequest(request, images, each)), each)
        score, value = outputs.pop("score", None), outputs.pop("value", None)
        if score is not None:
            outputs["deviation"] = score[:, 1]
            if self.reads_terms:
                outputs["lead"] = score[:, 0]
        if value is not None:
            outputs["win_rate"] = value[:, 0] + value[:, 2] * np.float32(0.5)
        return outputs


AnyEvaluator = Evaluator | OwnEvaluator | str | Path
"""A model by name or directory, loaded, or an evaluator of your own."""


def as_evaluator(evaluator: AnyEvaluator) -> Evaluator:
    """Return an evaluator; a name is loaded once, one of your own evaluates an empty board each time (see `of`).

    Raises:
        InputError: no such model, or one that cannot be used.
        TypeError: anything else.
    """
    return _named(evaluator) if isinstance(evaluator, str | Path) else Evaluator.of(evaluator)


@cache
def _named(model: str | Path) -> Evaluator:
    return Evaluator.load(model)


def _open_batcher(files: ModelFiles, threads: int) -> Batcher:
    networks = [open_network(files, 1) for _ in range(threads)]
    return Batcher(networks, open_network(files, threads))


_own = threading.local()


def own_evaluator(place: str, bulk: bool = True) -> Evaluator:
    """Return this thread's own evaluator of a model on one processor: each has work of its own.

    Args:
        place: of the model's files.
        bulk: whether it answers many positions for something else than to show them.
    """
    evaluators: dict[tuple[str, bool], Evaluator] = _own.__dict__.setdefault("evaluators", {})
    if (place, bulk) not in evaluators:
        evaluators[place, bulk] = Evaluator.load(place, threads=1, bulk=bulk)
    return evaluators[place, bulk]


@cache
def _evaluator_of(place: str, rank: int, bulk: bool) -> Evaluator:
    return _of_rank(Evaluator.load(place, cached=0, bulk=bulk), rank)


def _of_rank(evaluator: Evaluator, rank: int) -> Evaluator:
    return evaluator if rank == RANKS else evaluator.as_rank(rank)
