"""The score of a board: counted, once the dead stones are gone, or expected, by who is likely to own each point.

Dead are the stones of the status assignment that makes the ownership likeliest. A chain is not judged alone: whether it
lives also decides who owns the points around it, and whether its neighbours live.

Open borders are walls of a finished position that have gaps: `divide` finds the points that close them.
"""

import math
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.board_kernels import label
from goban.coords import BLACK, EMPTY, WHITE
from goban.position import Position
from goban.reading.life_and_death import (
    LEAST_LIVING,
    Verdicts,
    living_under_the_stones,
    read_dead_groups,
    read_out,
    read_weak_groups,
)
from goban.reading.reader import Reader
from goban.reading.seki import double_ko_race, double_ko_seki, nakade_seki, seki_groups
from goban.regions import Mask, Stones, owners, points_beside, region_owners
from goban.rulesets import Ruleset, Terms

UNSURE = 0.85  # |ownership| of a chain from which it is taken as it is
SURE = 0.95  # the same of the network's alone, where rollouts agree about the side
MOST_ASSIGNMENTS = 243  # to the least sure groups that are all tried; the others are decided one by one
DAME = 0.3  # probability that a point without any ownership belongs to neither colour in the end
_FLOOR = 0.01  # no point is surer than this
_DAME_FLOOR = 0.02
AS_LIKELY_AS_NOT = 0.5
_CORRELATED = 4.0  # points that live and die together count as one in so many
_ROUNDS = 3  # of reading weak groups: one that dies may leave others weak, or alive

CORRELATION: Final = 0.57  # variance of the score over the sum of the points' variances
INTERVAL: Final = 1.645  # standard deviations on either side of the expected score that hold 90%
_OWNED: Final = 0.8  # mean ownership of a part of an area from which it is territory
_SURPLUS: Final = 2  # points that a part has at least beyond those that close it; fewer are dame
_EACH: Final = 25  # cost of a point of a border, beside its certainty in hundredths
_UNLIMITED: Final = 1 << 40

_Node = tuple[int, int]  # a point's entrance, 0, or exit, 1
_BLACK_END: Final = (-1, 1)
_WHITE_END: Final = (-2, 0)


@dataclass(frozen=True, eq=False)
class Claims:
    """Chains that the players call dead, alive or in seki; each chain once, and as a whole.

    Attributes:
        dead, alive, seki: bool (N, N).
    """

    dead: Mask
    alive: Mask
    seki: Mask

    @property
    def status(self) -> NDArray[np.int8]:
        """int8 (N, N): 1 for stones that live, those in seki included, -1 for dead ones, 0 for all others."""
        lives = self.alive | self.seki
        return lives.astype(np.int8) - self.dead.astype(np.int8)

    @property
    def made(self) -> Mask:
        """bool (N, N): the stones of all chains with a claim."""
        return self.dead | self.alive | self.seki

    def __bool__(self) -> bool:
        """Return whether anything is claimed."""
        return bool(self.made.any())


@dataclass(frozen=True, eq=False)
class StatusAssignment:
    """Which stones are dead.

    Attributes:
        dead: bool (N, N), stones to take off.
        doubt: float32 (N, N), the probability that a stone's status is wrong: the same for all stones of a group, 0 for
            empty points and for what is certain.
        read: bool (N, N), stones whose status reading has decided.
        open: bool (N, N), stones whose status depends on who moves next, or on a ko, as reading shows.
        unproved: bool (N, N), living stones of groups without two eyes of which reading does not show that they live.
    """

    dead: Mask
    doubt: NDArray[np.float32]
    read: Mask
    open: Mask
    unproved: Mask


def assign_status(reader: Reader, claimed: Stones | None = None) -> StatusAssignment:
    """Return the likeliest status of all stones of a finished position.

    Args:
        reader: of the position, N by N, and its ownership from an `Evaluator`.
        claimed: int8 (N, N), 1 for stones that the players claim to live, -1 for dead ones, 0 for all others.
    """
    stones, survival = reader.stones, reader.survival
    known, read = known_status(reader, claimed)
    marked = (stones != EMPTY) & np.where(known, known < 0, survival < 0)
    unsure = groups(stones, (known == 0) & (np.abs(survival) < UNSURE))
    unsure.sort(key=lambda group: abs(float(survival[group].mean())))
    likelihood = Likelihood(stones, reader.judged)
    dead = _improve(likelihood, _likeliest_of_few(likelihood, marked, unsure), unsure)
    dead = _without_living(reader, dead, claimed)
    doubt = np.zeros(stones.shape, np.float32)
    for group in unsure:
        doubt[group] = likelihood.doubt(dead, [dead & ~group | choice for choice in group_choices(dead, group)])
    nothing = np.zeros(stones.shape, np.bool_)
    status = _with_weak_groups_read(reader, claimed, StatusAssignment(dead, doubt, read, nothing, nothing))
    return replace(status, doubt=_with_races(reader, status.doubt, claimed))


def known_status(reader: Reader, claimed: Stones | None = None) -> tuple[Stones, Mask]:
    """Return int8 (N, N), 1 for stones that are known to live, -1 for dead ones, 0 for all others, and what was read.

    What the players claim comes first, then unconditional life (Benson, 1976) with the stones in the eyes of living
    chains, then what reading out small areas proves. Reading takes chains of which the ownership is sure as they are.
    """
    unconditional, survival = reader.pass_alive * reader.stones, reader.survival
    known = unconditional if claimed is None else np.where(claimed, claimed, unconditional)
    agreed = (np.abs(reader.means) >= SURE) & ~reader.contested
    sure = np.sign(survival) * (agreed | (np.abs(survival) >= UNSURE))
    read = read_out(reader, np.where(known, known, sure).astype(np.int8), survival > 0)
    return np.where(known, known, read).astype(np.int8), (known == 0) & (read != 0)


class Likelihood:
    """How likely a status assignment makes the ownership of the whole board.

    Each point is Black's, White's or neutral with a probability of its own; an assignment fixes which.
    """

    def __init__(self, stones: Stones, ownership: NDArray[np.float32]) -> None:
        """Prepare for assignments to the stones, int8 (N, N), given the ownership, float32 (N, N)."""
        self._stones = stones
        black = np.clip((1 + ownership.astype(np.float64)) / 2, _FLOOR, 1 - _FLOOR)
        neutral = _DAME_FLOOR + DAME * (1 - np.abs(ownership))
        self._logarithms = np.log([1 - black, neutral, black]).reshape(3, -1)
        self._points = np.arange(stones.size)

    def log_likelihood(self, dead: Mask) -> float:
        """Return the log-likelihood of an assignment, minus infinity if dead stones do not lie with the enemy."""
        owner = owners(self._stones, dead)
        if not consistent(self._stones, owner, dead):
            return -np.inf
        return float(self._logarithms[owner.ravel() + 1, self._points].sum())

    def doubt(self, dead: Mask, alternatives: list[Mask]) -> float:
        """Return the probability that one of the alternatives is right and not `dead`, which may be among them."""
        best = self.log_likelihood(dead)
        if best == -np.inf:
            return AS_LIKELY_AS_NOT
        differences = np.array([self.log_likelihood(other) for other in alternatives]) - best
        return float(1 - 1 / np.exp(np.minimum(differences, 0) / _CORRELATED).sum())


def _likeliest_of_few(likelihood: Likelihood, marked: Mask, unsure: list[Mask]) -> Mask:
    """Return the likeliest assignment to the least certain groups, in MOST_ASSIGNMENTS tries; others stay as marked."""
    for count in range(len(unsure), 0, -1):
        tried = list(assignments(marked, unsure[:count], MOST_ASSIGNMENTS))
        if tried:
            return max(tried, key=likelihood.log_likelihood)
    return marked


def _improve(likelihood: Likelihood, dead: Mask, unsure: list[Mask]) -> Mask:
    """Return the assignment after changing it group by group as long as that makes it likelier."""
    best, before = likelihood.log_likelihood(dead), -np.inf
    while best > before:
        before = best
        for group in unsure:
            for choice in group_choices(dead, group):
                other = dead & ~group | choice
                if (log_likelihood := likelihood.log_likelihood(other)) > best:
                    dead, best = other, log_likelihood
    return dead


def _without_living(reader: Reader, dead: Mask, claimed: Stones | None) -> Mask:
    """Return the dead stones without those in territory of their own.

    Without those in nakade seki and those that live by stones played where they stood, too, nor those that no longer
    lie with the enemy because these live, unless claimed to be dead.
    """
    dead = dead & (reader.groups(dead).owner != reader.stones)
    asked = dead if claimed is None else dead & (claimed >= 0)
    living = (nakade_seki(reader, dead) | living_under_the_stones(reader, dead)) & asked
    if living.any():
        living |= asked & (reader.groups(dead & ~living).owner == EMPTY)
    return dead & ~living


def _with_races(reader: Reader, doubt: NDArray[np.float32], claimed: Stones | None) -> NDArray[np.float32]:
    """Return the doubt about stones with that about races by double ko, which neither network nor reading decides."""
    racing = double_ko_race(reader.position) & (claimed is None or claimed == 0)
    return np.where(racing, np.maximum(doubt, AS_LIKELY_AS_NOT), doubt).astype(np.float32)


def _with_weak_groups_read(reader: Reader, claimed: Stones | None, status: StatusAssignment) -> StatusAssignment:
    """Return the assignment with weak groups read: those that are dead taken off, and doubt about those left open."""
    dead = status.dead
    unclaimed = np.ones(dead.shape, np.bool_) if claimed is None else claimed == 0
    read = read_dead_groups(reader, dead) & unclaimed
    dead = dead & ~read
    for _ in range(_ROUNDS):
        verdicts = read_weak_groups(reader, dead)
        captured = _captured(reader, verdicts, dead) & unclaimed
        if not captured.any():
            break
        read |= captured
        dead = _without_living(reader, dead | captured, claimed)
    survival = reader.survival
    doubt = np.where(dead == status.dead, status.doubt, 0)
    open_ = verdicts.open | verdicts.dead
    open_ &= ~nakade_seki(reader, dead | open_)
    doubted = np.where(
        open_, AS_LIKELY_AS_NOT, np.where(verdicts.unproved & (survival < UNSURE), (1 - survival) / 2, 0)
    )
    doubt = np.maximum(doubt, np.where(unclaimed, doubted, 0)).astype(np.float32)
    read = (status.read | read | (verdicts.living & unclaimed)) & ~open_
    return StatusAssignment(dead, doubt, read, open_ & unclaimed, verdicts.unproved & unclaimed)


def _captured(reader: Reader, verdicts: Verdicts, dead: Mask) -> Mask:
    """Return bool (N, N): the captured chains in groups with one of some size, or beside such a one that is dead."""
    large = [chain for chain in reader.chains if len(chain.points) >= LEAST_LIVING]
    captured = [chain for chain in large if verdicts.dead.flat[chain.points[0]]]
    groups = {int(verdicts.groups.flat[chain.points[0]]) for chain in captured}
    gone = captured + [chain for chain in large if dead.flat[chain.points[0]]]
    liberties = {(chain.colour, point) for chain in gone for point in chain.liberties}
    beside = [chain for chain in reader.chains if any((chain.colour, point) in liberties for point in chain.liberties)]
    found: Mask = verdicts.dead & (np.isin(verdicts.groups, list(groups)) | reader.mask(beside))
    return found


def groups(stones: Stones, chosen: Mask) -> list[Mask]:
    """Return the groups, bool (N, N) each, of the chosen stones: chains of one colour that empty points connect.

    Args:
        stones: int8 (N, N).
        chosen: bool (N, N), whole chains.
    """
    found = []
    for colour in (BLACK, WHITE):
        own = chosen & (stones == colour)
        passable = (own | (stones == EMPTY)).astype(np.int8)
        areas = label(len(stones), passable.ravel()).reshape(stones.shape)
        found += [own & (areas == area) for area in np.unique(areas[own])]
    return found


def group_choices(marked: Mask, group: Mask) -> list[Mask]:
    """Return which stones of a group may be dead: those that are marked, all, none; each choice once."""
    return list({choice.tobytes(): choice for choice in (marked & group, group, ~group & False)}.values())


def assignments(marked: Mask, open_groups: list[Mask], most: int) -> Iterator[Mask]:
    """Yield the dead stones, bool (N, N), for every combination of the groups' choices.

    Args:
        marked: bool (N, N), the dead stones to begin with, which are the first assignment.
        open_groups: of `groups`; no other stones change.
        most: yields nothing if there are more combinations.
    """
    choices = [group_choices(marked, group) for group in open_groups]
    if math.prod(map(len, choices)) > most:
        return
    fixed = marked & ~np.logical_or.reduce([np.zeros_like(marked), *open_groups])
    for parts in product(*choices):
        yield np.logical_or.reduce([fixed, *parts])


def consistent(stones: Stones, owner: Stones, dead: Mask) -> bool:
    """Return whether the dead stones lie with the enemy; owner: int8 (N, N), of each point once they are gone."""
    return np.array_equal(owner[dead], -stones[dead])


@dataclass(frozen=True, slots=True)
class Points:
    """What a player's points are made of, without komi.

    Attributes:
        territory: points surrounded, those under dead stones included.
        stones: living stones on the board, by area rules.
        dead: the opponent's stones that are taken off at the end, by territory rules.
        prisoners: stones captured during the game, by territory rules.
    """

    territory: int
    stones: int = 0
    dead: int = 0
    prisoners: int = 0

    @property
    def total(self) -> int:
        """The sum of all these points."""
        return self.territory + self.stones + self.dead + self.prisoners


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A counted game.

    Attributes:
        terms: what it is counted by.
        black, white: the players' points, without komi.
        owner: int8 (N, N), 1 Black, -1 White, 0 neutral.
        seki: bool (N, N), living stones that are in seki.
    """

    terms: Terms
    black: Points
    white: Points
    owner: Stones
    seki: Mask

    @property
    def margin(self) -> float:
        """Black's points minus White's, komi included."""
        return self.black.total - self.white.total - self.terms.total_komi

    @property
    def rows(self) -> tuple[tuple[str, float, float], ...]:
        """A name, Black's points and White's for each part of the score, komi and points for handicap included."""
        black, white = self.black, self.white
        if self.terms.ruleset.counting == "area":
            parts = [("stones", black.stones, white.stones), ("territory", black.territory, white.territory)]
        else:
            parts = [
                ("territory", black.territory, white.territory),
                ("dead stones", black.dead, white.dead),
                ("prisoners", black.prisoners, white.prisoners),
            ]
        given = (("komi", 0.0, self.terms.komi), ("handicap", 0.0, float(self.terms.bonus)))
        return (*parts, *(row for row in given if row[2]))

    def less_territory(self, black: int, white: int) -> "Score":
        """Return the score with so many points of territory less for Black and for White."""
        return replace(
            self,
            black=replace(self.black, territory=self.black.territory - black),
            white=replace(self.white, territory=self.white.territory - white),
        )

    @property
    def result(self) -> str:
        """The result in the spelling of game records."""
        return format_result(self.margin)


def format_result(margin: float) -> str:
    """Return "B+8.5" for a margin of 8.5 points, "W+0.5" for -0.5, "0" for a draw."""
    if margin == 0:
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def count(
    position: Position, dead: Mask, terms: Terms, *, seki: Mask | None = None, divided: Stones | None = None
) -> Score:
    """Return the score of a finished game.

    Args:
        position: with its prisoners, N by N.
        dead: bool (N, N), stones that are taken off; ignored at empty points.
        terms: ruleset, komi and handicap stones.
        seki: bool (N, N), living stones that the players claim to be in seki.
        divided: int8 (N, N), 1 or -1 for points that a side gets of areas that both colours touch, 0 for all others.

    Territory counting adds prisoners and dead stones, and leaves dame and eyes in seki out. Does not judge which
    stones are dead.
    """
    left = np.where(dead, EMPTY, position.stones).astype(np.int8)
    owner = owners(position.stones, dead)
    if divided is not None:
        owner = np.where(divided, divided, owner).astype(np.int8)
    in_seki = _groups_in_seki(left, owner, seki)
    if terms.ruleset.counting == "territory":
        owner[in_seki & (left == EMPTY)] = EMPTY
    black, white = (_points(position, dead, terms.ruleset, owner, colour) for colour in (BLACK, WHITE))
    return Score(terms, black, white, owner, in_seki & (left != EMPTY))


def _groups_in_seki(left: Stones, owner: Stones, claimed: Mask | None) -> Mask:
    """Return bool (N, N): stones and eyes of groups in seki by definition or because of claims."""
    side = len(left)
    claims = np.zeros(left.shape, np.bool_) if claimed is None else claimed
    found: Mask = seki_groups(side, left.ravel(), owner.ravel(), claims.ravel()).reshape(owner.shape)
    found |= double_ko_seki(Position.from_stones(left), np.zeros(left.shape, np.bool_))
    return found


def _points(position: Position, dead: Mask, ruleset: Ruleset, owner: Stones, colour: int) -> Points:
    """Return a player's points, given who owns what."""
    living = (position.stones == colour) & ~dead
    territory = int(((owner == colour) & ~living).sum())
    if ruleset.counting == "area":
        return Points(territory, stones=int(living.sum()))
    taken = int((dead & (position.stones == -colour)).sum())
    return Points(territory, dead=taken, prisoners=position.prisoners[0 if colour == BLACK else 1])


def tromp_taylor(stones: Stones) -> int:
    """Return Black's area minus White's, without komi, of stones int8 (N, N) that all count as alive."""
    return int(owners(stones, np.zeros(stones.shape, np.bool_)).sum())


class Borders(NamedTuple):
    """How the empty areas that both colours touch are divided.

    Attributes:
        owner: int8 (N, N), 1 or -1 for the points of these areas that Black or White gets, 0 for all others.
        gaps: bool (N, N), the points that close open borders, which neither side gets; no dame.
    """

    owner: Stones
    gaps: Mask


def divide(left: Stones, ownership: NDArray[np.float32], sharing: Mask | None = None) -> Borders:
    """Return who gets the points of the empty areas that both colours touch.

    Args:
        left: int8 (N, N), the living stones of a finished position.
        ownership: float32 (N, N).
        sharing: bool (N, N), stones in seki that the ownership takes for dead; None for none. What would be closed
            beside them stays dame, as they share it.

    The border through an area is the cheapest set of points that separates the colours: few of them, and uncertain
    ones (a minimum cut: Ford and Fulkerson, 1956). Each part on one side of it is territory if it has two points more
    than it takes to close it and the ownership, on average, gives it to the colour beside it by nine to one. The points
    that close it are gaps. Everything else is dame.
    """
    stones, certainty = left.ravel(), ownership.ravel()
    beside = points_beside(len(left))
    owner, gaps = np.zeros(stones.size, np.int8), np.zeros(stones.size, np.bool_)
    theirs = set() if sharing is None else {p for stone in np.flatnonzero(sharing) for p in beside[stone]}
    shared = (stones == EMPTY) & (region_owners(len(left), stones) == EMPTY)
    for area in _parts(set(np.flatnonzero(shared).tolist()), beside):
        border = _border(area, stones, beside, certainty)
        for part in _parts(area - border, beside):
            closing = {point for inner in part for point in beside[inner] if point in border}
            colour = int(np.sign(certainty[list(part)].sum()))
            belongs = _touched(part, stones, beside) == {colour} and abs(certainty[list(part)].mean()) >= _OWNED
            if belongs and len(part) - len(closing) >= _SURPLUS and not closing & theirs:
                owner[list(part)] = colour
                gaps[list(closing)] = True
    return Borders(owner.reshape(left.shape), gaps.reshape(left.shape))


def _parts(points: set[int], beside: list[list[int]]) -> Iterator[set[int]]:
    """Yield the connected parts of a set of points."""
    left = set(points)
    while left:
        waiting = [left.pop()]
        part = set(waiting)
        while waiting:
            new = left.intersection(beside[waiting.pop()])
            left -= new
            part |= new
            waiting += new
        yield part


def _touched(points: set[int], stones: Stones, beside: list[list[int]]) -> set[int]:
    """Return the colours of the stones beside empty points."""
    return {int(stones[other]) for point in points for other in beside[point]} - {EMPTY}


def _border(area: set[int], stones: Stones, beside: list[list[int]], certainty: NDArray[np.float32]) -> set[int]:
    """Return the cheapest points of an area without which no part of it touches both colours."""
    touched = {point: _touched({point}, stones, beside) for point in area}
    border = {point for point, colours in touched.items() if len(colours) > 1}
    for part in _parts(area - border, beside):
        black, white = ({point for point in part if colour in touched[point]} for colour in (BLACK, WHITE))
        if black and white:
            border |= _minimum_cut(_network(part, black, white, beside, certainty))
    return border


def _network(
    part: set[int], black: set[int], white: set[int], beside: list[list[int]], certainty: NDArray[np.float32]
) -> dict[_Node, dict[_Node, int]]:
    """Return the capacities from node to node: through a point what it costs, between points without limit.

    `black`, `white`: the points beside stones of that colour.
    """
    capacity: dict[_Node, dict[_Node, int]] = {_BLACK_END: {}, _WHITE_END: {}}
    capacity |= {(point, side): {} for point in part for side in (0, 1)}
    for point in part:
        links = [((point, 1), (other, 0), _UNLIMITED) for other in beside[point] if other in part]
        links.append(((point, 0), (point, 1), _EACH + round(100 * abs(float(certainty[point])))))
        links += [(_BLACK_END, (point, 0), _UNLIMITED)] * (point in black)
        links += [((point, 1), _WHITE_END, _UNLIMITED)] * (point in white)
        for start, end, most in links:
            capacity[start][end] = most
            capacity[end].setdefault(start, 0)
    return capacity


def _minimum_cut(capacity: dict[_Node, dict[_Node, int]]) -> set[int]:
    """Return the points of a minimum cut, after using up the capacities along shortest paths."""
    while True:
        came_from = _reached(capacity)
        if _WHITE_END not in came_from:
            return {point for point, side in came_from if side == 0 and (point, 1) not in came_from}
        path = [_WHITE_END]
        while path[-1] != _BLACK_END:
            path.append(came_from[path[-1]])
        links = list(zip(path[1:], path, strict=False))
        flow = min(capacity[start][end] for start, end in links)
        for start, end in links:
            capacity[start][end] -= flow
            capacity[end][start] += flow


def _reached(capacity: dict[_Node, dict[_Node, int]]) -> dict[_Node, _Node]:
    """Return the nodes that capacity is left to reach from Black, each with the one before it on a shortest path."""
    came_from, waiting = {_BLACK_END: _BLACK_END}, deque([_BLACK_END])
    while waiting:
        node = waiting.popleft()
        for other, left in capacity[node].items():
            if left > 0 and other not in came_from:
                came_from[other] = node
                waiting.append(other)
    return came_from


class Forecast(NamedTuple):
    """What a model predicts about the final score besides the owners; None where it does not.

    Attributes:
        lead: the expected score in points, Black minus White, komi included.
        deviation: its standard deviation in points.
        wins: the probability that Black wins, 0..1, a draw counting half.
    """

    lead: float | None = None
    deviation: float | None = None
    wins: float | None = None


def expected_points(
    position: Position, ownership: NDArray[np.float32], ruleset: Ruleset, komi: float
) -> tuple[float, float]:
    """Return the expected points of Black and of White.

    Args:
        position: side N, with its prisoners.
        ownership: float32 (N, N) in [-1, 1], +1 Black.
        ruleset: decides between area and territory.
        komi: everything that White is given, in points.

    By territory rules a player's own stones count nothing, and stones that will be captured count twice. From now on
    both sides fill the same number of points, which is not taken off, or the side to move one more: half a point on
    average. So both have more points than in the end; the difference is the expected score.
    """
    if ruleset.counting == "area":
        surplus = float(ownership.sum(dtype=np.float64))
        return (ownership.size + surplus) / 2, (ownership.size - surplus) / 2 + komi
    chance = (1 + ownership.astype(np.float64)) / 2
    black = chance * (1 - position.stones)
    white = (1 - chance) * (1 + position.stones)
    black_fills, white_fills = (0.5, 0.0) if position.to_move == BLACK else (0.0, 0.5)
    return (
        float(black.sum()) + position.prisoners[0] - black_fills,
        float(white.sum()) + position.prisoners[1] - white_fills + komi,
    )


def expected_score(position: Position, ownership: NDArray[np.float32], ruleset: Ruleset, komi: float) -> float:
    """Return Black's expected points minus White's; see `expected_points`."""
    black, white = expected_points(position, ownership, ruleset, komi)
    return black - white


def score_deviation(ownership: NDArray[np.float32]) -> float:
    """Return the standard deviation of the score in points, for models that do not predict it.

    Args:
        ownership: (N, N) in [-1, 1].
    """
    return math.sqrt(CORRELATION * float(np.sum(1 - np.square(ownership, dtype=np.float64))))


def win_probability(lead: float, deviation: float) -> float:
    """Return the probability that the final score is above 0, a draw counting half.

    Args:
        lead: expected score in points.
        deviation: its standard deviation in points.
    """
    return 0.5 * (1 + math.erf(lead / max(deviation, 1e-6) / math.sqrt(2)))


def logistic_probability(lead: float, spread: float) -> float:
    """Return the probability that the final score is above 0 by a logistic distribution.

    Args:
        lead: expected score in points.
        spread: of the distribution in points, above 0.
    """
    return 0.5 * (1 + math.tanh(lead / (2 * spread)))
