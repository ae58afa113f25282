"""The count of a finished position, and why it can be trusted, or not."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask, Stones
from goban.coords import BLACK, WHITE
from goban.counting.counted_score import Score, format_result
from goban.counting.dead_stones import StatusAssignment
from goban.counting.estimate import DoubtfulChain, Estimate, first_that_holds
from goban.counting.finished_or_not import OPEN_EMPTY
from goban.counting.languages import say

_IN_DOUBT: Final = 0.02  # probability that the status of a chain is wrong from which it is in doubt


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
        certain: whether no group is in doubt, and claims change nothing and are all followed.
        over: whether no move is left, as far as the players and the model say; else the count is not safe.
        contradicts: the recorded score, and the count by the record's terms that differs from it, with nothing to
            explain that; None for none.
        protected: whether the protective moves are deducted, as in the recorded result.
    """

    status: StatusAssignment
    counted: Score
    findings: PointFindings
    certain: bool
    over: bool
    contradicts: tuple[float, float] | None = None
    protected: bool = False

    @property
    def finished(self) -> bool:
        return True

    @property
    def safe(self) -> bool:
        return self.certain and self.over and self.contradicts is None and self.second_opinion is None

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
        if not (self.doubt >= _IN_DOUBT).any():
            return chains
        for chain in self.position.chains():
            doubt, dead = float(self.doubt.flat[chain.points[0]]), self.dead.flat[chain.points[0]]
            if doubt >= _IN_DOUBT:
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
        recorded, counted = map(format_result, self.contradicts or (0, 0))
        values = {"recorded": recorded, "counted": counted, "program": self.second_opinion, "reasons": _doubts(self)}
        return say(first_that_holds(_TRUST, self), **values)


def _is_safe_as_claimed(answer: Count) -> bool:
    return answer.safe and answer.claimed


def _is_safe(answer: Count) -> bool:
    return answer.safe


def _differs_from_the_record(answer: Count) -> bool:
    return answer.contradicts is not None and not answer.claimed


def _ignores_claims(answer: Count) -> bool:
    return bool(answer.ignored.any())


def _has_a_second_opinion(answer: Count) -> bool:
    return bool(answer.second_opinion)


def _is_open_for_all_claims(answer: Count) -> bool:
    return answer.claimed and int(answer.uncertain_points.sum()) > OPEN_EMPTY * answer.position.stones.size


def _changes_other_groups(answer: Count) -> bool:
    return bool(answer.also_changed.any())


def _has_claims_and_no_doubts(answer: Count) -> bool:
    return answer.claimed and answer.over and not any(_numbers_of_doubts(answer).values())


def _is_doubtful(answer: Count) -> bool:
    return not answer.safe


_TRUST: Final[tuple[tuple[str, Callable[[Count], bool]], ...]] = (
    ("trust_claims", _is_safe_as_claimed),
    ("trust_safe", _is_safe),
    ("trust_contradicts", _differs_from_the_record),
    ("trust_claims_ignored", _ignores_claims),
    ("trust_second_opinion", _has_a_second_opinion),
    ("trust_claims_open", _is_open_for_all_claims),
    ("trust_claims_change", _changes_other_groups),
    ("trust_claims", _has_claims_and_no_doubts),
    ("trust_doubt", _is_doubtful),
)
"""The sentences about trust in a count, each with its test: the first that holds is said."""


def _numbers_of_doubts(answer: Count) -> dict[str, int]:
    return {
        "gap": int(answer.gaps.sum()),
        "chain": len(answer.in_doubt),
        "unsettled": len(answer.unsettled_chains),
        "empty": int((answer.uncertain_points & ~answer.gaps).sum()),
    }


def _doubts(answer: Count) -> str:
    """Return the reasons why a count is not safe, as a list in words."""
    doubts = [] if answer.over else [say("doubt_moves_left")]
    for name, number in _numbers_of_doubts(answer).items():
        if number:
            doubts.append(say(f"doubt_{name}_{'one' if number == 1 else 'many'}", count=number))
    return ", ".join(doubts or [say("doubt_stones")])
