"""What each sensible move gains one ply later, in points of expected ownership, compared with passing.

It weighs moves by an ownership model alone, which has seen few bad moves: it plays, but not well.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, pass_point
from goban.counting.estimate import Estimate
from goban.counting.expected import score_deviation, win_probability
from goban.position import Position
from ownership.inference.evaluator import MAX_BATCH, Evaluator, Prediction
from ownership.players.base import Turn
from ownership.search.candidates import sensible_moves

_ALL_SYMMETRIES: Final = 8


@dataclass(frozen=True, eq=False)
class Candidate:
    """A move, or a pass, as it looks one ply later; all numbers from the mover's view, except ownership.

    gain: points compared with passing. lead: expected score. deviation: of the score. ownership: float32 (N, N),
    Black positive. visits: networks' answers behind it.
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
    """The estimate of a position before the move, and its candidates, best first.

    policy: float32 (N*N + 1), the probability of each move by flat index, the last being a pass; None where the model
    does not know it.
    """

    estimate: Estimate
    candidates: tuple[Candidate, ...]
    policy: NDArray[np.float32] | None = None


def rank(turn: Turn, evaluator: Evaluator, refined: int = 0) -> Iterator[Ranking]:
    """Yield better and better rankings of the candidates of a position, the first one soon.

    Points that are in doubt are tried first, MAX_BATCH at a time. Then the best `refined` candidates are looked at
    again under all symmetries of the board, a few at a time. Passing is a candidate with gain 0.
    """
    position = turn.position
    passed = position.play(pass_point(position.side))
    now, after_pass = evaluator.evaluate([position, passed])
    scale = _Scale.of(turn, now)
    ranking = Ranking(scale.estimate, (), now.policy)
    base = scale.candidate(pass_point(position.side), after_pass, after_pass, 1)
    moves = _tries(turn, now)
    for start in range(0, max(1, len(moves)), MAX_BATCH):
        part = moves[start : start + MAX_BATCH]
        tried = _try(part, scale, after_pass, evaluator, 1)
        ranking = _merged(ranking, [*tried, base] if start == 0 else tried)
        yield ranking
    if refined:
        yield from _refine(ranking, dict(moves), scale, evaluator, refined)


def last_ranking(rankings: Iterator[Ranking], interrupted: Callable[[], bool]) -> Ranking:
    """Return the last of the rankings, of which there is at least one, or the one reached when interrupted."""
    ranking = next(rankings)
    while not interrupted() and (better := next(rankings, None)) is not None:
        ranking = better
    return ranking


def _refine(
    ranking: Ranking, tries: dict[int, Position], scale: "_Scale", evaluator: Evaluator, refined: int
) -> Iterator[Ranking]:
    """Yield rankings in which more and more of the best moves have been seen under all symmetries."""
    position = scale.position
    [after_pass] = evaluator.evaluate([position.play(pass_point(position.side))], _ALL_SYMMETRIES)
    base = scale.candidate(pass_point(position.side), after_pass, after_pass, _ALL_SYMMETRIES)
    ranking = _merged(ranking, [base])
    best = [each.point for each in ranking.candidates if each.point in tries][:refined]
    step = MAX_BATCH // _ALL_SYMMETRIES
    for start in range(0, len(best), step):
        part = [(point, tries[point]) for point in best[start : start + step]]
        ranking = _merged(ranking, _try(part, scale, after_pass, evaluator, _ALL_SYMMETRIES))
        yield ranking


@dataclass(frozen=True, eq=False)
class _Scale:
    """Turns ownership one ply later into candidates, on the scale of the estimate before the move."""

    position: Position
    estimate: Estimate
    offset: float

    @classmethod
    def of(cls, turn: Turn, now: Prediction) -> "_Scale":
        estimated = turn.estimate(now)
        return cls(turn.position, estimated, estimated.score - float(now.ownership.sum()))

    def candidate(self, point: int, after: Prediction, after_pass: Prediction, visits: int) -> Candidate:
        sign = 1 if self.position.to_move == BLACK else -1
        total = float(after.ownership.sum())
        return Candidate(
            point=point,
            gain=sign * (total - float(after_pass.ownership.sum())),
            lead=sign * (total + self.offset),
            deviation=score_deviation(after.ownership) if after.deviation is None else after.deviation,
            ownership=after.ownership,
            visits=visits,
        )


def _tries(turn: Turn, now: Prediction) -> list[tuple[int, Position]]:
    """Return the sensible moves with the positions after them, those on points in doubt first."""
    certainty = np.abs(now.ownership).ravel()
    moves = sorted(sensible_moves(turn.position), key=lambda point: float(certainty[point]))
    positions = ((point, turn.position.play(point)) for point in moves)
    return [(point, position) for point, position in positions if position.hash not in turn.earlier]


def _try(
    tries: Sequence[tuple[int, Position]],
    scale: _Scale,
    after_pass: Prediction,
    evaluator: Evaluator,
    symmetries: int,
) -> list[Candidate]:
    if not tries:
        return []
    predictions = evaluator.evaluate([position for _, position in tries], symmetries)
    return [
        scale.candidate(point, prediction, after_pass, symmetries)
        for (point, _), prediction in zip(tries, predictions, strict=True)
    ]


def _merged(ranking: Ranking, candidates: Sequence[Candidate]) -> Ranking:
    """Return the ranking with candidates added or replaced; those seen most often go first."""
    found = {each.point: each for each in (*ranking.candidates, *candidates)}
    ordered = sorted(found.values(), key=lambda each: (-each.visits, -each.lead))
    return replace(ranking, candidates=tuple(ordered))
