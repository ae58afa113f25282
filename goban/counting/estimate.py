"""What a position is worth: dead stones, territory, score, how certain; as sentences and as a diagram.

docs/counting.md explains it; `goban.counting.decide` finds it.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from goban import svg
from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_name
from goban.counting.expected import INTERVAL, win_probability
from goban.counting.score import Score, format_result
from goban.counting.strings import say
from goban.position import Chain, Position
from goban.regions import Mask, Stones
from goban.rulesets import Terms

IN_DOUBT = 0.02  # probability that the status of a chain is wrong from which it is in doubt
OPEN_EMPTY = 0.06  # share of the points of a finished position that may be uncertain and empty: dame, seki, gaps


@dataclass(frozen=True)
class DoubtfulChain:
    """A chain whose status may be wrong: its colour and points (flat indices), and the probability that it lives."""

    colour: int
    points: tuple[int, ...]
    lives: float


@dataclass(frozen=True, eq=False, repr=False)
class Estimate:
    """What a position is worth, for both players; Black positive throughout.

    Attributes:
        position: what is estimated, N by N.
        ownership: float32 (N, N) in [-1, 1].
        terms: what is counted.
        dead: bool (N, N), stones that are taken off.
        owner: int8 (N, N), who gets each point, 0 for dame and, while the game goes on, for open points.
        seki: bool (N, N), stones of a finished position that are in seki.
        gaps: bool (N, N), points of a finished position that close open borders, and that neither side gets.
        teire: bool (N, N), by territory rules: points of a finished position that their owner has to fill once the dame
            are filled; they count as territory.
        black, white: points under the rules, White's with komi and handicap; see `before_further_stones`.
        counted: how the points come about, None while the game goes on.
        deviation: standard deviation of the score in points; of a safe count at most what the ownership implies.
        decided: bool (N, N), points whose owner is nine to one or better.
        doubt: float32 (N, N), the probability that the status of a stone is wrong, 0 while the game goes on.
        read: bool (N, N), stones of a finished position whose status reading has decided.
        also_changed: bool (N, N), stones that the players made no claim about, whose status their claims change.
        ignored: bool (N, N), stones claimed dead that stay, as they lie within their own side's area.
        unsettled: bool (N, N), points of a finished position whose owner depends on who moves next.
        over: whether no move is left, as far as the players and the model say; else the count is not safe.
        safe: whether the game is certainly over, no group is in doubt, and claims change nothing and are all followed.
        claimed: whether the players made claims about chains.
        lacks_moves: whether the record has a counted result, and yet seems to lack its last moves.
        contradicts: the recorded score that differs from this count, with nothing to explain it; None for none.
        protected: whether the protective moves are deducted, as in the recorded result.
        second_opinion: the program that decided about chains in doubt, None for the model alone.
    """

    position: Position
    ownership: NDArray[np.float32]
    terms: Terms
    dead: Mask
    owner: Stones
    seki: Mask
    gaps: Mask
    teire: Mask
    black: float
    white: float
    counted: Score | None
    deviation: float
    decided: Mask
    doubt: NDArray[np.float32]
    read: Mask
    also_changed: Mask
    ignored: Mask
    unsettled: Mask
    over: bool
    safe: bool
    claimed: bool = False
    lacks_moves: bool = False
    contradicts: float | None = None
    protected: bool = False
    second_opinion: str | None = None

    @property
    def finished(self) -> bool:
        """Whether the game looks over, and so is counted."""
        return self.counted is not None

    @property
    def before_further_stones(self) -> bool:
        """Whether the stones that each side still plays take off as many of its points: territory, the game goes on."""
        return not self.finished and self.terms.ruleset.counting == "territory"

    @property
    def rules(self) -> str:
        """The name of the ruleset."""
        return self.terms.ruleset.name

    @property
    def komi(self) -> float:
        """Points for White, without those for handicap stones."""
        return self.terms.komi

    @property
    def score(self) -> float:
        """Black minus White, komi included: counted if finished, else expected."""
        return self.black - self.white

    @property
    def protective_points(self) -> int:
        """By how many points the protective moves that are left lower the score; 0 once they are deducted."""
        return 0 if self.protected else int((self.teire * self.owner).sum())

    def with_protective_moves(self) -> "Estimate":
        """Return the same count with the protective moves deducted from the territory of those who owe them."""
        assert self.counted is not None
        owed = [int((self.teire & (self.owner == colour)).sum()) for colour in (BLACK, WHITE)]
        counted = self.counted.less_territory(*owed)
        return replace(self, black=self.black - owed[0], white=self.white - owed[1], counted=counted, protected=True)

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds within which the final score lies with a probability of 90%; by area rules, none beyond the board."""
        low, high = self.score - INTERVAL * self.deviation, self.score + INTERVAL * self.deviation
        if self.terms.ruleset.counting == "area":
            points = self.position.stones.size
            low, high = max(low, -points - self.terms.total_komi), min(high, points - self.terms.total_komi)
        return low, high

    @property
    def black_wins(self) -> float:
        """Probability that Black has more points in the end, a draw counting half."""
        return win_probability(self.score, self.deviation)

    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour has more points in the end, a draw counting half."""
        return self.black_wins if colour == BLACK else 1 - self.black_wins

    @property
    def result(self) -> str:
        """The score as in an SGF record: "B+8.5", "W+0.5" or "0"; rounded to 0.1 while the game goes on."""
        return format_result(self.score if self.finished else round(self.score, 1))

    @property
    def verdict(self) -> str:
        """The winner and the score, such as "Black wins by 20.5", "White leads by 3.2" or "Draw"."""
        return verdict(self.score, self.finished)

    @property
    def trust(self) -> str:
        """One sentence about whether the score can be trusted, and why."""
        points = self.position.stones.size
        if not self.finished:
            name = "trust_lacks_moves" if self.lacks_moves else "trust_open_claims" if self.claimed else "trust_open"
            return say(name, count=points - int(self.decided.sum()), points=points)
        if self.safe:
            return say("trust_claims" if self.claimed else "trust_safe")
        if self.contradicts is not None and not self.claimed:
            return say("trust_contradicts", recorded=format_result(self.contradicts), counted=self.result)
        if self.ignored.any():
            return say("trust_claims_ignored")
        if self.second_opinion:
            return say("trust_second_opinion", program=self.second_opinion)
        if self.claimed and self.uncertain_points.sum() > OPEN_EMPTY * points:
            return say("trust_claims_open")
        if self.also_changed.any():
            return say("trust_claims_change")
        counts = {
            "gap": int(self.gaps.sum()),
            "chain": len(self.in_doubt),
            "unsettled": len(self.unsettled_chains),
            "empty": int((self.uncertain_points & ~self.gaps).sum()),
        }
        if self.claimed and self.over and not any(counts.values()):
            return say("trust_claims")
        reasons = [] if self.over else [say("doubt_moves_left")]
        for name, found in counts.items():
            if found:
                reasons.append(say(f"doubt_{name}_{'one' if found == 1 else 'many'}", count=found))
        return say("trust_doubt", reasons=", ".join(reasons or [say("doubt_stones")]))

    @property
    def in_doubt(self) -> list[DoubtfulChain]:
        """The chains of a finished position whose status may well be wrong, the most doubtful first."""
        found: list[DoubtfulChain] = []
        if not (self.doubt >= IN_DOUBT).any():
            return found
        for chain in self.position.chains():
            doubt, dead = float(self.doubt.flat[chain.points[0]]), self.dead.flat[chain.points[0]]
            if doubt >= IN_DOUBT:
                found.append(DoubtfulChain(chain.colour, chain.points, doubt if dead else 1 - doubt))
        return sorted(found, key=lambda chain: abs(chain.lives - 0.5))

    @property
    def unsettled_chains(self) -> list[Chain]:
        """The chains of a finished position whose status depends on who moves next."""
        return [chain for chain in self.position.chains() if self.unsettled.flat[chain.points[0]]]

    @property
    def uncertain_points(self) -> Mask:
        """Empty points whose owner is uncertain, bool (N, N): open borders, and dame."""
        found: Mask = (self.position.stones == EMPTY) & ~self.decided
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
        worth = "draw" if self.result == "0" else self.result
        return f"<{worth} by {self.rules} rules, komi {self.komi:g}, {state}\n{self.diagram()}>"


def verdict(score: float, finished: bool) -> str:
    """Return the winner and the score, such as "Black wins by 20.5", "White leads by 3.2" or "Draw"."""
    points = score if finished else round(score, 1)
    if points == 0:
        return say("verdict_draw" if finished else "verdict_even")
    winner, how = colour_name(BLACK if points > 0 else WHITE).lower(), "wins" if finished else "leads"
    return say(f"verdict_{winner}_{how}", points=f"{abs(points):g}")
