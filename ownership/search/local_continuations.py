"""What moves come to after short local continuations, inside a window around them: long-term evaluation.

After "Playing Go with Deep Alternative Neural Network and Long-Term Evaluation", 2017. What that document leaves open,
and what was chosen here, is in docs/papers/long-term-evaluation.md.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError, check_fields
from goban.move_effects import flags_of, sensible
from goban.position import Position
from ownership.inference.evaluator import MAX_BATCH
from ownership.search.leaf_evaluation import Evaluate, LeafValue

_RANGES: Final = {
    **dict.fromkeys(("candidates", "episodes"), (1, 1000)),
    "window": (1, 99),
    "steps": (0, 1000),
    "settled": (0, 2),
    **dict.fromkeys(("weight", "seed"), (0, math.inf)),
}
_LEAST: Final = 1e-12  # probability of a move


@dataclass(frozen=True)
class LongTermOptions:
    """How long-term evaluation plays on.

    Args:
        candidates: the policy's likeliest moves, which are evaluated.
        window: side of the square around a candidate in which continuations are played, odd; cut off at the edges.
        steps: plies of a continuation after the candidate, at most.
        episodes: continuations of each candidate; the first plays the likeliest moves, the others are sampled.
        weight: what a point of expected score adds to the log prior of a move.
        settled: mean change of the ownership inside the window by one ply, 0..2, below which a continuation ends.
        seed: of the samples.

    Raises:
        InputError: a number out of range.
    """

    candidates: int = 5
    window: int = 9
    steps: int = 6
    episodes: int = 4
    weight: float = 0.1
    settled: float = 0.02
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(self, _RANGES)
        if self.window % 2 == 0:
            raise InputError(f"window must be odd. Received: {self.window}")


@dataclass(eq=False)
class Episode:
    """A continuation after a candidate, as far as it is played, on a board of side N.

    Attributes:
        number: among the continuations of the candidate, from 0.
        window: bool (N*N,), where it is played.
        position: after the last ply.
        leaf: the evaluation of `position`.
        random: source of its chance.
        drift: mean absolute change of the ownership inside the window by the last ply; infinite after the candidate.
        moves: plies after the candidate, flat indices.
        scores: expected score, Black minus White, after the candidate and after each ply.
        over: whether it has ended.
    """

    number: int
    window: NDArray[np.bool_]
    position: Position
    leaf: LeafValue
    random: np.random.Generator
    drift: float = math.inf
    moves: list[int] = field(default_factory=list)
    scores: list[float] = field(init=False)
    over: bool = False

    def __post_init__(self) -> None:
        self.scores = [self.leaf.score]

    def next_move(self, settled: float) -> int | None:
        """Return the next move by the policy, a sensible one in the window, or None where the episode ends.

        It is the likeliest move in the first episode of a candidate, a sampled one in the others.

        Args:
            settled: drift below which the episode ends.
        """
        assert self.leaf.policy is not None
        allowed = self.window & sensible(self.position, flags_of(self.position))
        if self.drift < settled or not allowed.any():
            return None
        chances = np.where(allowed, self.leaf.policy[:-1] + _LEAST, 0.0)
        if self.number == 0:
            return int(chances.argmax())
        return int(self.random.choice(len(chances), p=chances / chances.sum()))

    def advance(self, position: Position, leaf: LeafValue) -> None:
        """Go on to the position after one more ply."""
        assert self.leaf.ownership is not None and leaf.ownership is not None
        self.drift = float(np.abs(leaf.ownership - self.leaf.ownership).ravel()[self.window].mean())
        self.moves.append(position.recent[0])
        self.scores.append(leaf.score)
        self.position, self.leaf = position, leaf


@dataclass(frozen=True)
class LongTermMove:
    """A candidate and what its continuations came to.

    Attributes:
        point: flat index.
        prior: its probability by the policy.
        changes: for each episode, the expected score after the candidate and after each ply, less that of the position
            before, in points of the mover.
        line: the candidate and the first continuation.
    """

    point: int
    prior: float
    changes: tuple[tuple[float, ...], ...]
    line: tuple[int, ...]

    def gain(self, steps: int | None = None, episodes: int | None = None) -> float:
        """Return the mean change in points where the first episodes end, or have come after `steps` plies."""
        plies = [len(each) - 1 if steps is None else min(steps, len(each) - 1) for each in self.changes[:episodes]]
        return float(np.mean([each[ply] for each, ply in zip(self.changes, plies, strict=False)]))

    def value(self, weight: float, steps: int | None = None, episodes: int | None = None) -> float:
        """Return the log prior plus the weighted mean change; see `gain`."""
        return math.log(max(self.prior, _LEAST)) + weight * self.gain(steps, episodes)


class LongTermSearch:
    """Continuations of the policy's best moves, all played at the same time, one ply after the other.

    Args:
        evaluate: the model; its leaves have ownership and policy.
        position: before the move.
        root: its evaluation.
        moves: the candidates, flat indices of legal moves; at least one.
        options: how to play on.

    The same arguments give the same result; more steps or episodes only add to it.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        position: Position,
        root: LeafValue,
        moves: Sequence[int],
        options: LongTermOptions,
    ) -> None:
        self._evaluate = evaluate
        self._position, self._root = position, root
        self._options = options
        self._moves = moves
        self.episodes: list[list[Episode]] = []  # of each candidate
        self.plies = 0  # played by the longest episode
        self.evaluations = 0

    def run(self, stopped: Callable[[], bool] = lambda: False) -> Iterator[list[LongTermMove]]:
        """Yield the candidates, best first, after each ply, until all episodes are over or `stopped` returns True."""
        if self.episodes or not self._start(stopped):
            return
        yield self.result()
        while self.plies < self._options.steps and self._advance(stopped):
            self.plies += 1
            yield self.result()

    def result(self) -> list[LongTermMove]:
        """Return the candidates as they have been evaluated so far, best first."""
        found = [self._result(*each) for each in zip(self._moves, self.episodes, strict=True)]
        return sorted(found, key=lambda each: -each.value(self._options.weight))

    def _start(self, stopped: Callable[[], bool]) -> bool:
        after = [self._position.play(move) for move in self._moves]
        leaves = self._evaluated(after, stopped)
        self.episodes = [self._begun(*each) for each in zip(self._moves, after, leaves, strict=False)]
        return bool(leaves)

    def _begun(self, move: int, position: Position, leaf: LeafValue) -> list[Episode]:
        window = window_around(position.side, move, self._options.window)
        seeds = [(self._options.seed, self._position.hash, move, each) for each in range(self._options.episodes)]
        return [
            Episode(number, window, position, leaf, np.random.default_rng(seed)) for number, seed in enumerate(seeds)
        ]

    def _advance(self, stopped: Callable[[], bool]) -> bool:
        """Play one ply of the episodes that are not over; return whether any was played."""
        played: list[tuple[Episode, Position]] = []
        for episode in (each for episodes in self.episodes for each in episodes if not each.over):
            move = episode.next_move(self._options.settled)
            episode.over = move is None
            if move is not None:
                played.append((episode, episode.position.play(move)))
        leaves = self._evaluated([position for _, position in played], stopped)
        for (episode, position), leaf in zip(played, leaves, strict=False):  # without leaves nothing is played
            episode.advance(position, leaf)
        return bool(leaves)

    def _evaluated(self, positions: Sequence[Position], stopped: Callable[[], bool]) -> list[LeafValue]:
        """Return the evaluations of all positions, in parts, or none if `stopped` returns True before the end."""
        leaves: list[LeafValue] = []
        for start in range(0, len(positions), MAX_BATCH):
            if stopped():
                return []
            leaves += self._evaluate(positions[start : start + MAX_BATCH])
        self.evaluations += len(leaves)
        return leaves

    def _result(self, move: int, episodes: Sequence[Episode]) -> LongTermMove:
        assert self._root.policy is not None
        sign = self._position.to_move
        changes = tuple(tuple(sign * (score - self._root.score) for score in each.scores) for each in episodes)
        return LongTermMove(move, float(self._root.policy[move]), changes, (move, *episodes[0].moves))


def window_around(side: int, point: int, width: int) -> NDArray[np.bool_]:
    """Return bool (N*N,): the points of a square of odd `width` around a point, as far as they are on the board."""
    rows, columns = np.divmod(np.arange(side * side), side)
    row, column = divmod(point, side)
    near: NDArray[np.bool_] = np.maximum(abs(rows - row), abs(columns - column)) <= width // 2
    return near
