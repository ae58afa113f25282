"""From ownership to what players ask: dead stones, territory, the score under a ruleset, how certain, finished or not.

A finished position is counted; of an unfinished one the expected score is told. docs/scoring.md explains both.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goban import svg
from goban.coords import BLACK, EMPTY, WHITE, gtp_name
from goban.counting.dead_stones import Verdict, judge
from goban.counting.expected import INTERVAL, expected_points, score_deviation, win_probability
from goban.counting.score import Score, count, format_result, owners
from goban.position import Position
from goban.rulesets import Ruleset

DECIDED = 0.8  # |ownership| of a point that is as good as settled: nine to one
LEANING = 1 / 3  # |ownership| from which an open point is given to somebody: two to one
SPLIT = 0.98  # |ownership| that settles a point of an area which both colours touch: dame stay below
OPEN_STONES = 0.01  # share of the points of a finished position that may hold undecided stones
OPEN_EMPTY = 0.06  # share of its points that may be undecided and empty: dame, seki, gaps
AGREED = 16  # how many times as much may be undecided where the players have ended the game
DISPUTED = 0.02  # probability that a chain is judged wrongly from which it is in dispute
SAFE = 0.01  # the same, up to which a count is safe


@dataclass(frozen=True)
class Terms:
    """What is counted."""

    ruleset: Ruleset
    komi: float
    handicap: int = 0


@dataclass(frozen=True)
class Dispute:
    """A chain that may be judged wrongly: its colour and points (flat indices), and the probability that it lives."""

    colour: int
    points: tuple[int, ...]
    lives: float


@dataclass(frozen=True, eq=False, repr=False)
class Estimate:
    """What a position is worth, for both players; Black positive throughout.

    position: what is estimated, N by N. ownership: float32 (N, N) in [-1, 1]. dead: bool (N, N), stones that are taken
    off. owner: int8 (N, N), who gets each point, 0 for dame and, while the game goes on, for open points. black, white:
    points under the rules, White's with komi and handicap. counted: how they come about, None while the game goes on.
    deviation: standard deviation of the score in points. decided: bool (N, N), points whose owner is nine to one or
    better. doubt: float32 (N, N), the probability that a stone is judged wrongly, 0 while the game goes on. finished:
    whether the game looks over, and so is counted. safe: whether it certainly is, and no group is in doubt.
    """

    position: Position
    ownership: NDArray[np.float32]
    dead: NDArray[np.bool_]
    owner: NDArray[np.int8]
    black: float
    white: float
    counted: Score | None
    deviation: float
    decided: NDArray[np.bool_]
    doubt: NDArray[np.float32]
    finished: bool
    safe: bool
    rules: str
    komi: float

    @property
    def seki(self) -> NDArray[np.bool_]:
        """Stones in seki of a counted position."""
        from goban.counting.seki import seki_stones

        return seki_stones(self.position, self.dead) if self.finished else np.zeros_like(self.dead)

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
        return win_probability(self.score, self.deviation)

    @property
    def result(self) -> str:
        """The score as in an SGF record: "B+8.5", "W+0.5" or "0"; rounded to 0.1 while the game goes on."""
        return format_result(self.score if self.finished else round(self.score, 1))

    @property
    def disputed(self) -> list[Dispute]:
        """The chains of a finished position that may well be judged wrongly, the most doubtful first."""
        found = []
        for chain in self.position.chains():
            doubt, dead = float(self.doubt.flat[chain.points[0]]), self.dead.flat[chain.points[0]]
            if doubt >= DISPUTED:
                found.append(Dispute(chain.colour, chain.points, doubt if dead else 1 - doubt))
        return sorted(found, key=lambda chain: abs(chain.lives - 0.5))

    @property
    def open_points(self) -> NDArray[np.bool_]:
        """Empty points whose owner is not decided, bool (N, N): open borders, and dame."""
        found: NDArray[np.bool_] = (self.position.stones == EMPTY) & ~self.decided
        return found

    def diagram(self) -> str:
        """Return the board with GTP coordinates; each point is a mark and, where it is not certain, a "?"."""
        side = self.position.side
        cells = [self._cell(point) for point in range(side * side)]
        header = "   " + " ".join(gtp_name(column, side)[0] for column in range(side))
        rows = []
        for row in range(side):
            number = side - row
            rows.append(f"{number:>2} {''.join(cells[row * side : (row + 1) * side])}{number}")
        return "\n".join([header, *rows, header])

    def _cell(self, point: int) -> str:
        colour, owner = int(self.position.stones.flat[point]), int(self.owner.flat[point])
        if colour == EMPTY:
            mark = {BLACK: "+", WHITE: "-", EMPTY: "."}[owner]
        else:
            mark = "X" if colour == BLACK else "O"
            mark = mark.lower() if self.dead.flat[point] else mark
        certain = self.decided.flat[point] or mark == "."
        return mark + (" " if certain else "?")

    def _repr_svg_(self) -> str:
        """Return the picture that Jupyter shows: stones, the dead ones crossed, and who owns each point how surely."""
        last = self.position.recent[0] if self.position.recent else None
        return svg.render(self.position.stones, last=last, values=self.ownership, crossed=self.dead, label=self.result)

    def __repr__(self) -> str:
        """Return the result, what it rests on, and the diagram."""
        state = f"{'safe' if self.safe else 'not safe'} to count" if self.finished else "not finished"
        return f"<{self.result} by {self.rules} rules, komi {self.komi:g}, {state}\n{self.diagram()}>"


def estimate(
    position: Position,
    ownership: NDArray[np.float32],
    ruleset: "Ruleset | Terms",
    komi: float = 0.0,
    *,
    handicap: int = 0,
    agreed: bool = False,
    ended: bool = False,
    deviation: float | None = None,
    known: NDArray[np.int8] | None = None,
    seki: NDArray[np.bool_] | None = None,
) -> Estimate:
    """Return dead stones, owners and score of a position.

    Args:
        position: the position, N by N.
        ownership: float32 (N, N), from an `Evaluator`.
        ruleset: what is counted.
        komi: points for White. handicap: stones that some rules pay White for.
        agreed: whether the players have ended the game here, so that more doubt is allowed in counting it.
        deviation: the model's own standard deviation of the score; None for `score_deviation`'s.
        known: int8 (N, N), 1 for stones that live and -1 for dead ones by the players' word, 0 for others; a position
            of which they know something is counted whatever it looks like.
        seki: bool (N, N), those of the living ones that are in seki; None for none but what looks like it.

    It reads no ladder and no life and death: `judge` says which verdict on the stones fits the ownership best.
    """
    agreed = agreed or ended
    if isinstance(ruleset, Terms):
        ruleset, komi, handicap = ruleset.ruleset, ruleset.komi, ruleset.handicap
    decided = np.abs(position.chain_means(ownership)) >= DECIDED
    if looks_finished(position.stones, ~decided, AGREED if agreed else 1) or known is not None:
        verdict = judge(position, ownership, known)
        score = count(position, verdict.dead, ruleset, komi, handicap, seki=seki)
        shared_out = known is None or not known.any()  # else the players' word may be against it
        return _finished(position, ownership, verdict, score, deviation, shared_out)
    dead = position.stones * position.chain_means(ownership) < -LEANING
    score = count(position, dead, ruleset, komi, handicap)
    return _unfinished(position, ownership, dead, score, deviation)


def looks_finished(stones: NDArray[np.int8], undecided: NDArray[np.bool_], slack: float = 1) -> bool:
    """Return whether so few points are undecided that only dame, seki and small gaps can be left.

    stones: int8 (N, N). undecided: bool (N, N). slack: by how much the limits are multiplied.
    """
    open_stones = int((undecided & (stones != EMPTY)).sum())
    open_empty = int((undecided & (stones == EMPTY)).sum())
    limit = slack * stones.size
    return open_stones <= OPEN_STONES * limit and open_empty <= OPEN_EMPTY * limit


def _finished(
    position: Position,
    ownership: NDArray[np.float32],
    verdict: Verdict,
    score: Score,
    deviation: float | None,
    shared_out: bool,
) -> Estimate:
    """Return the estimate of a position that is counted.

    An area that one colour touches is that colour's. In an area that both touch, through a dame or a gap in a
    wall, a point goes to whom the ownership gives it almost certainly, if such areas are `shared_out`.
    """
    stones = position.stones
    shared = shared_out & (owners(stones, verdict.dead) == EMPTY) & (np.abs(ownership) >= SPLIT)
    owner = np.where(shared, np.sign(ownership), score.owner).astype(np.int8)
    counted = replace(
        score,
        owner=owner,
        black=replace(score.black, territory=score.black.territory + int((shared & (ownership > 0)).sum())),
        white=replace(score.white, territory=score.white.territory + int((shared & (ownership < 0)).sum())),
    )
    decided = np.where(stones == EMPTY, np.abs(ownership) >= DECIDED, verdict.doubt <= (1 - DECIDED) / 2)
    return Estimate(
        position=position,
        ownership=ownership,
        dead=verdict.dead,
        owner=owner,
        black=counted.black.total,
        white=counted.white.total + score.komi,
        counted=counted,
        deviation=score_deviation(ownership) if deviation is None else deviation,
        decided=decided,
        doubt=verdict.doubt,
        finished=True,
        safe=looks_finished(stones, ~decided) and float(verdict.doubt.max()) <= SAFE,
        rules=score.rules.name,
        komi=score.komi - score.bonus,
    )


def _unfinished(
    position: Position, ownership: NDArray[np.float32], dead: NDArray[np.bool_], score: Score, deviation: float | None
) -> Estimate:
    """Return the estimate of a position in which the game goes on."""
    smooth = position.chain_means(ownership)
    black, white = expected_points(position, ownership, score.rules, score.komi)
    return Estimate(
        position=position,
        ownership=ownership,
        dead=dead,
        owner=(np.sign(smooth) * (np.abs(smooth) >= LEANING)).astype(np.int8),
        black=black,
        white=white,
        counted=None,
        deviation=score_deviation(ownership) if deviation is None else deviation,
        decided=np.abs(smooth) >= DECIDED,
        doubt=np.zeros(ownership.shape, np.float32),
        finished=False,
        safe=False,
        rules=score.rules.name,
        komi=score.komi - score.bonus,
    )
