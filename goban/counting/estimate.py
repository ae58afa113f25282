"""What a position is worth: is the game finished, which stones are dead, who gets what, the score, how certain it is.

A finished position is counted; an unfinished one gets the expected score. docs/counting.md explains both. The sentences
about it have a file for each language in the folder words.
"""

import json
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban import board_svg
from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_name
from goban.counting.score import (
    AS_LIKELY_AS_NOT,
    INTERVAL,
    Claims,
    Forecast,
    Score,
    StatusAssignment,
    assign_status,
    count,
    divide,
    expected_points,
    expected_score,
    format_result,
    score_deviation,
    win_probability,
)
from goban.position import Chain, Position
from goban.reading.ataris import taken_next
from goban.reading.life_and_death import read_dead_chains, short_of_liberties, two_eyed_stones
from goban.reading.reader import Reader, Rollouts
from goban.reading.teire import protective_moves
from goban.regions import Mask, Stones
from goban.rulesets import Terms

LANGUAGES: Final = ("en", "de", "zh", "ja", "ko")
language: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])
"""The language of all sentences in this context, one of LANGUAGES."""

DECIDED = 0.8  # |ownership| of a point that is as good as settled: nine to one
LEANING = 1 / 3  # |ownership| from which an open point has an owner: two to one
OPEN_STONES = 0.01  # share of the points of a finished position that may hold uncertain stones
ENDED_EMPTY = 0.4  # the same where the players have ended the game, however many groups are in doubt
SAFE = 0.01  # probability that the status of a chain is wrong, up to which a count is safe
SAFE_DEVIATION = 0.6  # points, at most, of a safe score: 94% of them are within a point of the recorded score
FEWEST_STONES = 0.1  # share of the points that a board has at least that is counted
RISK = 1.0  # points that hang on an unproved chain, times the probability that it is judged wrong
DEPENDS = 0.5  # difference of the ownership with either side to move from which a point depends on who moves next
IN_DOUBT = 0.02  # probability that the status of a chain is wrong from which it is in doubt
OPEN_EMPTY = 0.06  # share of the points of a finished position that may be uncertain and empty: dame, seki, gaps
_NO_FORECAST: Final = Forecast()


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
        contradicts: the recorded score, and the count by the record's terms that differs from it, with nothing to
            explain that; None for none.
        protected: whether the protective moves are deducted, as in the recorded result.
        second_opinion: the program that decided about chains in doubt, None for the model alone.
        wins: the model's own probability that Black wins while the game goes on; None follows from score and deviation.
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
    contradicts: tuple[float, float] | None = None
    protected: bool = False
    second_opinion: str | None = None
    wins: float | None = None

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
        bounds = (self.score - INTERVAL * self.deviation, self.score + INTERVAL * self.deviation)
        low, high = (_possible(bound, self.position, self.terms) for bound in bounds)
        return low, high

    @property
    def black_wins(self) -> float:
        """Probability that Black has more points in the end, a draw counting half."""
        return win_probability(self.score, self.deviation) if self.wins is None else self.wins

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
            recorded, counted = map(format_result, self.contradicts)
            return say("trust_contradicts", recorded=recorded, counted=counted)
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
        return board_svg.render(
            self.position.stones, last=last, values=self.ownership, crossed=self.dead, label=self.result
        )

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


@cache
def _strings(name: str) -> dict[str, str]:
    texts: dict[str, str] = json.loads(files("goban.counting").joinpath("sentences", f"{name}.json").read_text("utf-8"))
    return texts


def say(name: str, **values: object) -> str:
    """Return a text with its values filled in; raise KeyError for an unknown name."""
    return _strings(language.get())[name].format(**values)


def estimate(
    position: Position,
    ownership: NDArray[np.float32],
    terms: Terms,
    *,
    ended: bool = False,
    forecast: Forecast = _NO_FORECAST,
    claims: Claims | None = None,
    unsettled: Mask | None = None,
    over: bool = True,
    rollouts: Rollouts | None = None,
    goes_on: bool = False,
) -> Estimate:
    """Return dead stones, owners and score of a position: counted if it looks finished, else expected.

    Args:
        position: the position, N by N.
        ownership: float32 (N, N), from an `Evaluator`.
        terms: what is counted: ruleset, komi, handicap stones.
        ended: whether the players have ended the game here, so that more doubt is allowed in counting it.
        forecast: the model's own. Its lead is the score of a game that goes on, which claims change by what they change
            in the sum over the owners; without a lead that sum is the score. Without a deviation it is
            `score_deviation`'s.
        claims: the players' claims about chains, which edit the ownership of a game that goes on.
        unsettled: bool (N, N), points whose owner, as the model predicts it, depends on who moves next; None for none.
        over: whether the players, or the model, say that no move is left; False lets no count be safe, and so spares
            the reading of what seems sure.
        rollouts: a second judge of the stones of a finished position; None for none.
        goes_on: whether the game is known to go on, however finished the position looks.
    """
    deviation = score_deviation(ownership) if forecast.deviation is None else forecast.deviation
    reader = Reader(position, ownership, rollouts)
    uncertain = np.abs(reader.means) < DECIDED
    if goes_on or not looks_finished(position.stones, uncertain, ended=ended):
        answer = _expected(reader, terms, deviation, forecast.lead, forecast.wins)
        return answer if not claims else _with_claims(answer, reader, claims)
    unsettled = np.zeros(ownership.shape, np.bool_) if unsettled is None else unsettled
    return _counted(reader, terms, deviation, claims, unsettled, over)


def looks_finished(stones: Stones, uncertain: Mask, *, ended: bool = False) -> bool:
    """Return whether so few points are uncertain that only dame, seki and small gaps can be left.

    Args:
        stones: int8 (N, N).
        uncertain: bool (N, N).
        ended: whether the players have ended the game here; then any groups may be in doubt, and more borders open.
    """
    if is_bare(stones):
        return False
    open_stones = int((uncertain & (stones != EMPTY)).sum())
    open_empty = int((uncertain & (stones == EMPTY)).sum())
    if ended:
        return open_empty <= ENDED_EMPTY * stones.size
    return open_stones <= OPEN_STONES * stones.size and open_empty <= OPEN_EMPTY * stones.size


def is_bare(stones: Stones) -> bool:
    """Return whether a board, int8 (N, N), has so few stones, or those of one colour alone, that nothing is decided."""
    black, white = int((stones > 0).sum()), int((stones < 0).sum())
    return not black or not white or black + white < FEWEST_STONES * stones.size


def _claimed(reader: Reader, claims: Claims) -> NDArray[np.float32]:
    """Return the ownership of a game that goes on with claimed chains, and the points beside them, as claimed."""
    edited = reader.ownership.copy()
    for chain in reader.chains:
        points, beside = list(chain.points), list(chain.liberties)
        if claims.seki.flat[points[0]]:
            edited.flat[points], edited.flat[beside] = chain.colour, 0
        elif claims.made.flat[points[0]]:
            colour = -chain.colour if claims.dead.flat[points[0]] else chain.colour
            edited.flat[points], edited.flat[beside] = colour, colour * np.abs(edited.flat[beside])
    return edited


def _counted(
    reader: Reader, terms: Terms, deviation: float, claims: Claims | None, unsettled: Mask, over: bool
) -> Estimate:
    """Return the estimate of a finished position: its dead stones, its score without them, and how certain that is."""
    position, ownership = reader.position, reader.ownership
    status = assign_status(reader, claims.status if claims else None)
    unclaimed = ~claims.made if claims else np.ones(unsettled.shape, np.bool_)
    score, gaps = _count_without(status.dead, reader, terms, claims)
    teire = np.zeros_like(gaps)
    if terms.ruleset.counting == "territory":
        teire, in_seki = protective_moves(reader, status.dead, score.owner)
        if in_seki.any():
            score, gaps = _count_without(status.dead, reader, terms, claims, in_seki)
    doubt = status.doubt
    unsettled = unsettled & np.where(position.stones == EMPTY, score.owner != EMPTY, doubt > 0)  # proofs need no move
    if over:
        checks = _check_stones(reader, status)
        doubt = np.maximum(doubt, np.where(unclaimed, checks.doubt, 0)).astype(np.float32)
        unsettled = unsettled | (checks.open & unclaimed)
    decided = _decided(position.stones, ownership, doubt) & ~unsettled & ~gaps
    certain = looks_finished(position.stones, ~decided) and not unsettled.any()
    changed = _changed_by_claims(reader, terms, claims, status.dead, score.seki)
    ignored = claims.dead & ~status.dead if claims else np.zeros_like(gaps)
    safe = over and certain and float(doubt.max()) <= SAFE and not (gaps | changed | ignored).any()
    return Estimate(
        position=position,
        ownership=ownership,
        terms=terms,
        dead=status.dead,
        owner=score.owner,
        seki=score.seki,
        gaps=gaps,
        teire=teire,
        black=score.black.total,
        white=score.white.total + terms.total_komi,
        counted=score,
        deviation=min(deviation, score_deviation(ownership), SAFE_DEVIATION) if safe else deviation,
        decided=decided,
        doubt=doubt,
        read=status.read,
        also_changed=changed & ~claims.made if claims else changed,
        ignored=ignored,
        unsettled=unsettled,
        over=over,
        safe=safe,
        claimed=bool(claims),
    )


def _changed_by_claims(reader: Reader, terms: Terms, claims: Claims | None, dead: Mask, seki: Mask) -> Mask:
    """Return bool (N, N): the stones that are dead, alive or in seki only because of claims about them or others."""
    if not claims:
        return np.zeros(dead.shape, np.bool_)
    without = assign_status(reader).dead
    return np.asarray((dead != without) | (seki != _count_without(without, reader, terms)[0].seki))


def _count_without(
    dead: Mask, reader: Reader, terms: Terms, claims: Claims | None = None, in_seki: Mask | None = None
) -> tuple[Score, Mask]:
    """Return the score without the dead stones, and bool (N, N): the points that close open borders.

    in_seki: bool (N, N), living stones that reading finds in seki; None for none.
    """
    ownership, sharing = reader.ownership, None
    if claims:
        in_seki = claims.seki if in_seki is None else claims.seki | in_seki
        sharing = claims.seki & (reader.survival < 0)
        ownership = np.where(claims.dead, -reader.stones, ownership).astype(np.float32)
    owner, gaps = divide(reader.groups(dead).left, ownership, sharing)
    return count(reader.position, dead, terms, seki=in_seki, divided=owner), gaps


def _decided(stones: Stones, ownership: NDArray[np.float32], doubt: NDArray[np.float32]) -> Mask:
    """Return bool (N, N): the points of a finished position whose owner is nine to one or better.

    Read from the ownership of an empty point, and from the doubt about the status of a stone.
    """
    decided: Mask = np.where(stones == EMPTY, np.abs(ownership) >= DECIDED, doubt <= (1 - DECIDED) / 2)
    return decided


def _with_claims(answer: Estimate, reader: Reader, claims: Claims) -> Estimate:
    """Return the estimate of a game that goes on with the claimed chains as claimed."""
    position, terms = answer.position, answer.terms
    before = expected_score(position, answer.ownership, terms.ruleset, terms.total_komi)
    edited = Reader(position, _claimed(reader, claims))
    after = expected_score(position, edited.ownership, terms.ruleset, terms.total_komi)
    return replace(_expected(edited, terms, answer.deviation, answer.score + after - before), claimed=True)


def _expected(
    reader: Reader, terms: Terms, deviation: float, lead: float | None, wins: float | None = None
) -> Estimate:
    """Return the estimate of a position in which the game goes on: the expected score."""
    position, ownership, means = reader.position, reader.ownership, reader.means
    black, white = expected_points(position, ownership, terms.ruleset, terms.total_komi)
    missing = 0.0 if lead is None else _possible(lead, position, terms) - (black - white)
    return Estimate(
        position=position,
        ownership=ownership,
        terms=terms,
        dead=position.stones * means < -LEANING,
        owner=(np.sign(means) * (np.abs(means) >= LEANING)).astype(np.int8),
        seki=np.zeros(ownership.shape, np.bool_),
        gaps=np.zeros(ownership.shape, np.bool_),
        teire=np.zeros(ownership.shape, np.bool_),
        black=black + missing / 2,
        white=white - missing / 2,
        counted=None,
        deviation=deviation,
        wins=wins,
        decided=np.abs(means) >= DECIDED,
        doubt=np.zeros(ownership.shape, np.float32),
        read=np.zeros(ownership.shape, np.bool_),
        also_changed=np.zeros(ownership.shape, np.bool_),
        ignored=np.zeros(ownership.shape, np.bool_),
        unsettled=np.zeros(ownership.shape, np.bool_),
        over=False,
        safe=False,
    )


def _possible(score: float, position: Position, terms: Terms) -> float:
    """Return the score; by area rules, the largest that the board allows if it is beyond that."""
    if terms.ruleset.counting != "area":
        return score
    points = position.stones.size
    return min(max(score, -points - terms.total_komi), points - terms.total_komi)


class _Checks(NamedTuple):
    """The results of reading what the judgement of a finished position was sure of.

    Attributes:
        open: bool (N, N), stones whose status depends on who moves next, or on a ko.
        doubt: float32 (N, N), the probability that the status of unproved stones is wrong, where much hangs on it.
    """

    open: Mask
    doubt: NDArray[np.float32]


def _check_stones(reader: Reader, status: StatusAssignment) -> _Checks:
    """Return what reading has to say about stones that the judgement of a finished position was sure of.

    Dead chains are captured although their side moves first, living ones of few liberties are not although the other
    side does; else they are open. What cannot be read is in doubt as the judgement leaves it, or as likely as not if
    ownership and rollouts give the stones to different sides; doubts about few points are dropped.
    """
    verdicts = read_dead_chains(reader, status.dead)
    short = short_of_liberties(reader, status.dead, status.dead & ~(verdicts.open | verdicts.unread))
    short |= taken_next(reader, status.dead)
    living = (reader.stones != EMPTY) & ~status.dead
    proved = status.read | two_eyed_stones(reader, status.dead)
    unproved = (verdicts.unread & ~status.read) | status.unproved | (living & reader.contested & ~proved)
    doubt = np.where(reader.contested, AS_LIKELY_AS_NOT, (1 - np.abs(reader.survival)) / 2)
    return _Checks(verdicts.open | short | status.open, _weighty(reader, np.where(unproved, doubt, 0)))


def _weighty(reader: Reader, doubt: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the doubt about those chains whose points, with their liberties, weigh RISK times as much."""
    found = np.zeros(doubt.shape, np.float32)
    for chain in reader.chains:
        chance = float(doubt.flat[chain.points[0]])
        if chance and 2 * chance * (len(chain.points) + len(chain.liberties)) >= RISK:
            found.flat[list(chain.points)] = chance
    return found
