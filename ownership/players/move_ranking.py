"""The gain of each sensible move one ply later, in points of expected ownership, compared with a pass.

An ownership model alone ranks the moves, and its training has few bad moves: the ranking plays, but not well.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.counting.expected_score import score_deviation, win_probability
from goban.move_effects import sensible_moves
from goban.position import Position
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.inference.prediction import Prediction
from ownership.players.player_interface import Turn

_ALL_SYMMETRIES: Final = 8


@dataclass(frozen=True, eq=False)
class Candidate:
    """A move, or a pass, as it looks one ply later; all numbers from the mover's view, except ownership.

    Attributes:
        point: flat index, N*N for a pass.
        gain: points compared with a pass.
        lead: expected score.
        deviation: standard deviation of the score in points.
        ownership: float32 (N, N), +1 Black.
        visits: images of the position that the network evaluated: 1, or 8 under all symmetries.
    """

    point: int
    gain: float
    lead: float
    deviation: float
    ownership: NDArray[np.float32]
    visits: int

    @property
    def wins(self) -> float:
        """Probability that the mover has more points in the end, a draw counting half."""
        return win_probability(self.lead, self.deviation)


@dataclass(frozen=True, eq=False)
class Ranking:
    """The candidates of a position.

    Attributes:
        estimate: of the position before the move.
        candidates: best first.
        policy: float32 (N*N + 1), the probability of each move by flat index, the last being a pass; None where the
            model has no policy.
    """

    estimate: Estimate
    candidates: tuple[Candidate, ...]
    policy: NDArray[np.float32] | None = None


def rank(turn: Turn, evaluator: Evaluator, averaged: int = 0) -> Iterator[Ranking]:
    """Yield better and better rankings of the candidates of a position, the first one soon.

    Args:
        turn: the game.
        evaluator: the model.
        averaged: how many of the best moves are evaluated again under all symmetries, a few at a time.

    The moves on the least decided points are evaluated first, MAX_BATCH at a time. A pass is a candidate with gain 0.
    """
    position = turn.position
    passed = position.play(pass_point(position.side))
    now, after_pass = evaluator.evaluate([position, passed], terms=turn.game.terms)
    baseline = _Baseline.of(turn, now)
    ranking = Ranking(baseline.estimate, (), now.policy)
    base = baseline.candidate(pass_point(position.side), after_pass, after_pass, 1)
    moves = _tries(turn, now)
    for start in range(0, max(1, len(moves)), MAX_BATCH):
        part = moves[start : start + MAX_BATCH]
        tried = _try(part, baseline, after_pass, evaluator, 1)
        ranking = _merged(ranking, [*tried, base] if start == 0 else tried)
        yield ranking
    if averaged:
        yield from _average(ranking, dict(moves), baseline, evaluator, averaged)


def last_ranking(rankings: Iterator[Ranking], interrupted: Callable[[], bool]) -> Ranking:
    """Return the last of at least one ranking, or the one reached when `interrupted` returns True."""
    ranking = next(rankings)
    while not interrupted() and (better := next(rankings, None)) is not None:
        ranking = better
    return ranking


def _average(
    ranking: Ranking, tries: dict[int, Position], baseline: "_Baseline", evaluator: Evaluator, count: int
) -> Iterator[Ranking]:
    """Yield rankings in which more and more of the `count` best moves were evaluated under all symmetries."""
    position = baseline.position
    passed = position.play(pass_point(position.side))
    [after_pass] = evaluator.evaluate([passed], _ALL_SYMMETRIES, baseline.estimate.terms)
    base = baseline.candidate(pass_point(position.side), after_pass, after_pass, _ALL_SYMMETRIES)
    ranking = _merged(ranking, [base])
    best = [each.point for each in ranking.candidates if each.point in tries][:count]
    step = MAX_BATCH // _ALL_SYMMETRIES
    for start in range(0, len(best), step):
        part = [(point, tries[point]) for point in best[start : start + step]]
        ranking = _merged(ranking, _try(part, baseline, after_pass, evaluator, _ALL_SYMMETRIES))
        yield ranking


@dataclass(frozen=True, eq=False)
class _Baseline:
    """The position before the move, with which candidates are compared.

    Attributes:
        position: before the move.
        estimate: of that position.
        offset: its score minus the sum of its ownership, in points: komi, prisoners and what the rules count besides.
    """

    position: Position
    estimate: Estimate
    offset: float

    @classmethod
    def of(cls, turn: Turn, now: Prediction) -> "_Baseline":
        estimated = turn.estimate(now)
        return cls(turn.position, estimated, estimated.score - float(now.owners.sum()))

    def candidate(self, point: int, after: Prediction, after_pass: Prediction, visits: int) -> Candidate:
        """Return the candidate `point`, from the predictions after it and after a pass."""
        sign = self.position.to_move
        total = float(after.owners.sum())
        return Candidate(
            point=point,
            gain=sign * (total - float(after_pass.owners.sum())),
            lead=sign * (total + self.offset),
            deviation=score_deviation(after.owners) if after.deviation is None else after.deviation,
            ownership=after.owners,
            visits=visits,
        )


def _tries(turn: Turn, now: Prediction) -> list[tuple[int, Position]]:
    """Return the sensible moves that repeat no position, with the positions after them, undecided points first."""
    certainty = np.abs(now.owners).ravel()
    moves = sorted(sensible_moves(turn.position), key=lambda point: float(certainty[point]))
    positions = ((point, turn.position.play(point)) for point in moves)
    return [(point, position) for point, position in positions if position.hash not in turn.game.hashes]


def _try(
    tries: Sequence[tuple[int, Position]],
    baseline: _Baseline,
    after_pass: Prediction,
    evaluator: Evaluator,
    symmetries: int,
) -> list[Candidate]:
    if not tries:
        return []
    predictions = evaluator.evaluate([position for _, position in tries], symmetries, baseline.estimate.terms)
    return [
        baseline.candidate(point, prediction, after_pass, symmetries)
        for (point, _), prediction in zip(tries, predictions, strict=True)
    ]


def _merged(ranking: Ranking, candidates: Sequence[Candidate]) -> Ranking:
    """Return the ranking with candidates added or replaced; those with the most visits go first."""
    found = {each.point: each for each in (*ranking.candidates, *candidates)}
    ordered = sorted(found.values(), key=lambda each: (-each.visits, -each.lead))
    return replace(ranking, candidates=tuple(ordered))
