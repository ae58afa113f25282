"""Players without a search: one that tries every move one ply deep, one that plays a record again.

`rank` is the heart of the first: what each sensible move gains, in points of expected ownership, compared with
passing. It weighs moves by an ownership model alone, which has seen few bad moves: it plays, but not well.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, colour_name, pass_point
from goban.errors import InputError
from goban.position import Position
from goban.scoring import Ruleset
from ownership.estimate import Estimate, estimate, score_deviation
from ownership.evaluator import MAX_BATCH, Evaluator, Opinion
from preprocessing.record import Game

RESIGN: Final = -1
PASS_GAIN: Final = 0.5  # points that a move must gain to be played in a game that looks finished
_ALL_SYMMETRIES: Final = 8


@dataclass(frozen=True, eq=False)
class Situation:
    """What a player is asked: to move in a position.

    earlier: Zobrist hashes of the positions so far, which no move of ours repeats. plies: moves played so far.
    """

    position: Position
    earlier: frozenset[int]
    plies: int
    ruleset: Ruleset
    komi: float
    handicap: int

    def estimate(self, opinion: Opinion) -> Estimate:
        """Return what the position is worth, given what a model says about it."""
        return estimate(
            self.position,
            opinion.ownership,
            self.ruleset,
            self.komi,
            handicap=self.handicap,
            deviation=opinion.deviation,
        )


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


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, situation: Situation, interrupted: Callable[[], bool]) -> int:
        """Return a flat index, N*N to pass, or RESIGN; soon, with what is known, once `interrupted` says so."""
        ...


def win_probability(lead: float, deviation: float) -> float:
    """Return the probability of winning with an expected lead, in points, of that standard deviation."""
    return 0.5 * (1 + math.erf(lead / max(deviation, 1e-6) / math.sqrt(2)))


def sensible_moves(situation: Situation) -> list[int]:
    """Return the legal moves that fill no eye of the mover and repeat no earlier position, as flat indices.

    An eye is a point with the mover's stones, or the edge, on all four sides and at most one of the opponent's
    at its corners, none at the edge. No suicide, whatever the rules.
    """
    position = situation.position
    legal = position.legal_moves()[:-1] & ~own_eyes(position.stones * position.to_move).ravel()
    return np.flatnonzero(legal).tolist()


def own_eyes(stones: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return bool (N, N), the eyes of the player whose stones are 1 in `stones` int8 (N, N)."""
    side = len(stones)
    framed = np.pad(stones, 1, constant_values=2)

    def beside(row: int, column: int) -> NDArray[np.int8]:
        return framed[1 + row : 1 + row + side, 1 + column : 1 + column + side]

    walls = [beside(*step) for step in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    corners = [beside(*step) for step in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    closed = np.all([(wall == 1) | (wall == 2) for wall in walls], axis=0)
    holes = np.sum([corner == -1 for corner in corners], axis=0)
    at_edge = np.any([corner == 2 for corner in corners], axis=0)
    eyes: NDArray[np.bool_] = (stones == 0) & closed & (holes + at_edge < 2)
    return eyes


def rank(situation: Situation, evaluator: Evaluator, refined: int = 0) -> Iterator[Ranking]:
    """Yield better and better rankings of the candidates of a position, the first one soon.

    Points that are in doubt are tried first, MAX_BATCH at a time. Then the best `refined` candidates are looked at
    again under all symmetries of the board, a few at a time. Passing is a candidate with gain 0.
    """
    position = situation.position
    passed = position.play(pass_point(position.side))
    now, after_pass = evaluator.evaluate([position, passed])
    scale = _Scale.of(situation, now)
    ranking = Ranking(scale.estimate, (), now.policy)
    base = scale.candidate(pass_point(position.side), after_pass, after_pass, 1)
    moves = _tries(situation, now)
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
    def of(cls, situation: Situation, now: Opinion) -> "_Scale":
        estimated = situation.estimate(now)
        return cls(situation.position, estimated, estimated.score - float(now.ownership.sum()))

    def candidate(self, point: int, after: Opinion, after_pass: Opinion, visits: int) -> Candidate:
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


def _tries(situation: Situation, now: Opinion) -> list[tuple[int, Position]]:
    """Return the sensible moves with the positions after them, those on points in doubt first."""
    certainty = np.abs(now.ownership).ravel()
    moves = sorted(sensible_moves(situation), key=lambda point: float(certainty[point]))
    positions = ((point, situation.position.play(point)) for point in moves)
    return [(point, position) for point, position in positions if position.hash not in situation.earlier]


def _try(
    tries: Sequence[tuple[int, Position]],
    scale: _Scale,
    after_pass: Opinion,
    evaluator: Evaluator,
    symmetries: int,
) -> list[Candidate]:
    if not tries:
        return []
    opinions = evaluator.evaluate([position for _, position in tries], symmetries)
    return [
        scale.candidate(point, opinion, after_pass, symmetries)
        for (point, _), opinion in zip(tries, opinions, strict=True)
    ]


def _merged(ranking: Ranking, candidates: Sequence[Candidate]) -> Ranking:
    """Return the ranking with candidates added or replaced; those seen most often go first."""
    found = {each.point: each for each in (*ranking.candidates, *candidates)}
    ordered = sorted(found.values(), key=lambda each: (-each.visits, -each.lead))
    return replace(ranking, candidates=tuple(ordered))


@dataclass(frozen=True)
class OnePlyPlayer:
    """Plays the move that gains most after one ply.

    It passes when no move gains PASS_GAIN points and the game looks finished, or when no sensible move is left. It
    resigns when its probability of winning is below `resign_below` (0: never) and half the board has been played.
    refined: how many of the best moves it looks at again under all symmetries.
    """

    evaluator: Evaluator
    resign_below: float = 0.02
    refined: int = 0

    def choose(self, situation: Situation, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        return self.decide(situation, last_ranking(rank(situation, self.evaluator, self.refined), interrupted))

    def decide(self, situation: Situation, ranking: Ranking) -> int:
        """Return the move to choose, given the candidates."""
        side = situation.position.side
        moves = [each for each in ranking.candidates if each.point != pass_point(side)]
        if not moves:
            return pass_point(side)
        best = moves[0]
        if best.wins < self.resign_below and situation.plies >= side * side // 2:
            return RESIGN
        if ranking.estimate.finished and best.gain < PASS_GAIN:
            return pass_point(side)
        return best.point


@dataclass(frozen=True)
class ReplayPlayer:
    """Plays the moves of a record again; after its end it passes, or resigns for the player who did."""

    game: Game

    def choose(self, situation: Situation, interrupted: Callable[[], bool]) -> int:
        """Return the record's next move; raise InputError if the position is not the record's."""
        game, plies, mover = self.game, situation.plies, situation.position.to_move
        side = situation.position.side
        if game.side != side:
            raise InputError(f"expected the record's board side, {game.side}. Received: {side}; set the board size")
        if plies > len(game.moves) or game.position(plies).hash != situation.position.hash:
            raise InputError(f"expected the record's position after {plies} moves. Received: another; clear the board")
        if plies == len(game.moves):
            lost = game.result.kind == "resign" and game.result.winner == -mover
            return RESIGN if lost else pass_point(side)
        if int(game.colours[plies]) != mover:
            raise InputError(f"expected the colour of the record's move {plies + 1}. Received: {colour_name(mover)}")
        return int(game.moves[plies])
