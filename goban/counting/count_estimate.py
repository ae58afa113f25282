"""The count of a finished position."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.coords import BLACK, WHITE
from goban.counting.confirmed_or_safe import state_of, trust_in
from goban.counting.counted_score import Score
from goban.counting.dead_stones import StatusAssignment
from goban.counting.doubts import SAFE_DOUBT, Doubt
from goban.counting.estimate import DoubtfulChain, Estimate, State


class PointFindings(NamedTuple):
    """The findings of a count about the points, bool (N, N) each.

    Attributes:
        decided: points whose owner is nine to one or better.
        gaps: points that close open borders, and that neither side gets.
        teire: by territory rules: points that their owner has to fill once the dame are filled.
        unsettled: points whose owner depends on who moves next.
        also_changed: stones that the players made no claim about, whose status their claims change.
        ignored: stones claimed dead that stay, as they lie within their own side's area.
    """

    decided: Mask
    gaps: Mask
    teire: Mask
    unsettled: Mask
    also_changed: Mask
    ignored: Mask


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Count(Estimate):
    """The count of a finished position, without its dead stones.

    Attributes:
        status: which stones are dead, and with what doubt.
        counted: how the points come about.
        findings: about the points.
        doubts: why the count may be wrong on the board alone, what is worth most first.
        changed_by_claims: whether claims change the status of a stone, or are not followed.
        over: whether no move is left, as far as the players and the model say.
        confirmed: whether the count by the record's terms is the recorded score.
        contradicts: the recorded score, and the count by the record's terms that differs from it, with nothing to
            explain that; None for none.
        protected: whether the protective moves are deducted, as in the recorded result.
    """

    status: StatusAssignment
    counted: Score
    findings: PointFindings
    doubts: tuple[Doubt, ...]
    changed_by_claims: bool
    over: bool
    confirmed: bool = False
    contradicts: tuple[float, float] | None = None
    protected: bool = False

    @property
    def finished(self) -> bool:
        return True

    @property
    def state(self) -> State:
        return state_of(self)

    @property
    def reasons(self) -> tuple[Doubt, ...]:
        return self.doubts if self.over else (Doubt("moves left", self.position.side), *self.doubts)

    @property
    def interval(self) -> None:
        return None

    @property
    def black_wins(self) -> None:
        return None

    @property
    def dead(self) -> Mask:
        return self.status.dead

    @property
    def doubt(self) -> NDArray[np.float32]:
        return self.status.doubt

    @property
    def read(self) -> Mask:
        return self.status.read

    @property
    def owner(self) -> Stones:
        return self.counted.owner

    @property
    def seki(self) -> Mask:
        return self.counted.seki

    @property
    def black(self) -> float:
        return self.counted.black.total

    @property
    def white(self) -> float:
        return self.counted.white.total + self.terms.total_komi

    @property
    def decided(self) -> Mask:
        return self.findings.decided

    @property
    def gaps(self) -> Mask:
        return self.findings.gaps

    @property
    def teire(self) -> Mask:
        return self.findings.teire

    @property
    def unsettled(self) -> Mask:
        return self.findings.unsettled

    @property
    def also_changed(self) -> Mask:
        return self.findings.also_changed

    @property
    def ignored(self) -> Mask:
        return self.findings.ignored

    @property
    def in_doubt(self) -> list[DoubtfulChain]:
        chains: list[DoubtfulChain] = []
        if not (self.doubt > SAFE_DOUBT).any():
            return chains
        for chain in self.position.chains():
            doubt, dead = float(self.doubt.flat[chain.points[0]]), self.dead.flat[chain.points[0]]
            if doubt > SAFE_DOUBT:
                chains.append(DoubtfulChain(chain.colour, chain.points, doubt if dead else 1 - doubt))
        return sorted(chains, key=lambda chain: abs(chain.lives - 0.5))

    @property
    def protective_points(self) -> int:
        """By how many points the protective moves that are left lower the score; 0 once they are deducted."""
        return 0 if self.protected else int((self.teire * self.owner).sum())

    def with_protective_moves(self) -> "Count":
        """Return the same count with the protective moves deducted from the territory of those who owe them."""
        owed = [int((self.teire & (self.owner == colour)).sum()) for colour in (BLACK, WHITE)]
        return replace(self, counted=self.counted.less_territory(*owed), protected=True)

    @property
    def trust(self) -> str:
        return trust_in(self)
