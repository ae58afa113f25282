"""From ownership to what players ask: dead stones, territory, the score under a ruleset, how certain, finished or not.

A finished position is counted; of an unfinished one the expected score is told. docs/scoring.md explains both.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY
from goban.position import Position
from goban.scoring import Ruleset, Score, count, format_result, owners

DECIDED = 0.8  # |ownership| of a point that is as good as settled: nine to one
LEANING = 1 / 3  # |ownership| from which an open point is given to somebody: two to one
SPLIT = 0.98  # |ownership| that settles a point of an area which both colours touch: dame stay below
OPEN_STONES = 0.01  # share of the points of a finished position that may hold undecided stones
OPEN_EMPTY = 0.06  # share of its points that may be undecided and empty: dame, seki, gaps
AGREED = 4  # how many times as much may be undecided where the players have ended the game
CORRELATION = 0.57  # variance of the score over the sum of the points' variances
INTERVAL = 1.645  # standard deviations on either side of the expected score that make 90%


@dataclass(frozen=True, eq=False)
class Estimate:
    """What a position is worth, for both players; Black positive throughout.

    ownership: float32 (N, N) in [-1, 1]. dead: bool (N, N), stones that are taken off. owner: int8 (N, N), who
    gets each point, 0 for dame and, while the game goes on, for open points. black, white: points under the
    rules, White's with komi and handicap. deviation: standard deviation of the score in points.
    decided: bool (N, N), points whose owner is nine to one or better, for stones the mean over the chain.
    finished: whether the game looks over.
    """

    ownership: NDArray[np.float32]
    dead: NDArray[np.bool_]
    owner: NDArray[np.int8]
    black: float
    white: float
    deviation: float
    decided: NDArray[np.bool_]
    finished: bool
    rules: str
    komi: float

    @property
    def score(self) -> float:
        """Black minus White, komi included: counted if finished, else expected."""
        return self.black - self.white

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds within which the final score lies nine times in ten."""
        return self.score - INTERVAL * self.deviation, self.score + INTERVAL * self.deviation

    @property
    def black_wins(self) -> float:
        """Probability that Black has more points in the end, a draw counting half."""
        return 0.5 * (1 + math.erf(self.score / max(self.deviation, 1e-6) / math.sqrt(2)))

    @property
    def result(self) -> str:
        """The score as in an SGF record: "B+8.5", "W+0.5" or "0"; rounded to 0.1 while the game goes on."""
        return format_result(self.score if self.finished else round(self.score, 1))


def estimate(
    position: Position,
    ownership: NDArray[np.float32],
    ruleset: Ruleset,
    komi: float,
    *,
    handicap: int = 0,
    agreed: bool = False,
    deviation: float | None = None,
) -> Estimate:
    """Return dead stones, owners and score of a position.

    Args:
        position: the position, N by N.
        ownership: float32 (N, N), from an `Evaluator`.
        ruleset: what is counted.
        komi: points for White. handicap: stones that some rules pay White for.
        agreed: whether the players have ended the game here, so that more doubt is allowed in counting it.
        deviation: the model's own standard deviation of the score; None for `score_deviation`'s.

    It reads no ladder and no life and death: a chain is dead if its points are expected to be the opponent's.
    """
    stones = position.stones
    smooth = position.chain_means(ownership)
    decided = np.abs(smooth) >= DECIDED
    finished = looks_finished(stones, ~decided, AGREED if agreed else 1)
    dead = stones * smooth < (0 if finished else -LEANING)
    score = count(position, dead, ruleset, komi, handicap)
    if finished:
        owner, black, white = _counted(position, dead, ownership, score)
    else:
        owner = (np.sign(smooth) * (np.abs(smooth) >= LEANING)).astype(np.int8)
        black, white = _expected(position, ownership, ruleset, score.komi)
    return Estimate(
        ownership=ownership,
        dead=dead,
        owner=owner,
        black=black,
        white=white,
        deviation=score_deviation(ownership) if deviation is None else deviation,
        decided=decided,
        finished=finished,
        rules=ruleset.name,
        komi=komi,
    )


def looks_finished(stones: NDArray[np.int8], undecided: NDArray[np.bool_], slack: float = 1) -> bool:
    """Return whether so few points are undecided that only dame, seki and small gaps can be left.

    stones: int8 (N, N). undecided: bool (N, N). slack: by how much the limits are multiplied.
    """
    open_stones = int((undecided & (stones != EMPTY)).sum())
    open_empty = int((undecided & (stones == EMPTY)).sum())
    limit = slack * stones.size
    return open_stones <= OPEN_STONES * limit and open_empty <= OPEN_EMPTY * limit


def score_deviation(ownership: NDArray[np.float32]) -> float:
    """Return the standard deviation of the score in points that ownership (N, N) suggests, for models without one."""
    return math.sqrt(CORRELATION * float(np.sum(1 - np.square(ownership, dtype=np.float64))))


def _counted(
    position: Position, dead: NDArray[np.bool_], ownership: NDArray[np.float32], score: Score
) -> tuple[NDArray[np.int8], float, float]:
    """Return who gets each point when the game is over, and both players' points, White's with komi.

    An area that one colour touches is that colour's. In an area that both touch, through a dame or a gap in a
    wall, a point goes to whom the ownership gives it almost certainly.
    """
    shared = (owners(position.stones, dead) == EMPTY) & (np.abs(ownership) >= SPLIT)
    owner = np.where(shared, np.sign(ownership), score.owner).astype(np.int8)
    black = score.black + int((shared & (ownership > 0)).sum())
    white = score.white + int((shared & (ownership < 0)).sum())
    return owner, black, white + score.komi


def _expected(position: Position, ownership: NDArray[np.float32], ruleset: Ruleset, komi: float) -> tuple[float, float]:
    """Return both players' expected points, White's with komi, while the game goes on.

    By territory one's own stones count nothing and the other's that will be taken count two. From now on both
    sides fill in as many points, or the side to move one more: half a point on average.
    """
    chance = (1 + ownership.astype(np.float64)) / 2
    if ruleset.counting == "area":
        return float(chance.sum()), float((1 - chance).sum()) + komi
    black = chance * (1 - position.stones)
    white = (1 - chance) * (1 + position.stones)
    black_fills, white_fills = (0.5, 0.0) if position.to_move == BLACK else (0.0, 0.5)
    return (
        float(black.sum()) + position.prisoners[0] - black_fills,
        float(white.sum()) + position.prisoners[1] - white_fills + komi,
    )
