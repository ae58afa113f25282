"""What a search takes: techniques and numbers, limits and forbidden moves; and what it reports."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, colour_name
from goban.errors import InputError, check_fields, cut

TECHNIQUES: Final = {
    "pruning": "alpha-beta: a move that refutes ends the search of its siblings",
    "null-window": "after the first move, test only whether a move is better, and search again if it is",
    "aspiration": "search in a window around the score of one ply less, and again if the score lies outside",
    "deepening": "search one ply deep, then two, and so on; each finds the best order of moves for the next",
    "transpositions": "remember positions that several orders of moves reach, and their best moves",
    "killers": "try first the moves that refuted a sibling",
    "history": "try early the moves that refuted other positions of the search",
    "forcing": "captures, ataris and answers to them are candidates even where the policy gives them no chance",
    "vital": "so are the points of small eye spaces of chains with few liberties",
    "quiescence": "go on with captures and escapes from atari before evaluating a position",
}
"""What each technique does, by its name in `SearchOptions.uses` and `without`."""

ForbiddenPlies = NDArray[np.int16]
"""int16 (2, N*N + 1): the ply up to which Black (0) and White (1) may not make each move."""

CHOICES: Final = ("visits", "lcb")
"""By what the move to play is chosen: the most visits, or the highest lower confidence bound."""

_MOST_PLIES: Final = 10_000  # deeper than any search
_RANGES: Final = {
    "width": (1, inf),
    "narrowing": (0.01, 1),
    "least_width": (1, inf),
    "forcing": (0, inf),
    "vital": (0, inf),
    "policy_weight": (0, inf),
    "softening": (0, 0.99),
    "window": (0.01, inf),
    "quiet_plies": (0, inf),
    "batch": (1, inf),
}
_SHARE: Final = (0.0, 1.0)
_TREE_RANGES: Final = {
    **dict.fromkeys(("exploration_scaling", "score_centre", "minimax", "rollouts", "policy_share", "noise"), _SHARE),
    **dict.fromkeys(("exploration", "first_play", "score_weight", "waiting", "rave", "temperature"), (0.0, inf)),
    "value_weighting": (0.0, inf),
    **dict.fromkeys(("score_scale", "policy_temperature"), (0.01, inf)),
    **dict.fromkeys(("batch", "threads"), (1, inf)),
    "seed": (0, inf),
}


@dataclass(frozen=True)
class SearchOptions:
    """The moves that a search tries, and how.

    Args:
        width: the likeliest moves that are candidates at the root; None takes every move everywhere.
        narrowing: factor, 0.01 to 1, by which fewer moves are candidates one ply deeper, and so on; never below
            `least_width`.
        forcing: additional captures, ataris and escapes from atari.
        vital: additional points of small eye spaces.
        policy_weight: what a move costs for being e times less likely than the likeliest one, in standard deviations of
            the score that is expected before it: the less is known, the more the policy counts.
        softening: share of a position's own evaluation in its value, 0 to 0.99; the rest is that of its best
            move. The root has none.
        window: points on either side of the expected score with which aspiration begins.
        quiet_plies: plies of quiescence, at most.
        batch: siblings that are evaluated in one call.
        without: names of TECHNIQUES that are left out.

    Raises:
        InputError: a number out of range, or an unknown technique.
    """

    width: int | None = 10
    narrowing: float = 0.7
    least_width: int = 3
    forcing: int = 4
    vital: int = 1
    policy_weight: float = 0.2
    softening: float = 0.0
    window: float = 2.0
    quiet_plies: int = 4
    batch: int = 2
    without: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for technique in sorted(self.without):
            _check_technique(technique)
        check_fields(self, _RANGES)

    def uses(self, technique: str) -> bool:
        """Return whether a technique is switched on; raise InputError unless it is one of TECHNIQUES."""
        _check_technique(technique)
        return technique not in self.without

    def width_at(self, ply: int) -> int | None:
        """Return how many of the likeliest moves are candidates `ply` moves below the root; None for all."""
        return None if self.width is None else max(self.least_width, round(self.width * self.narrowing**ply))


def _check_technique(name: str) -> None:
    if name not in TECHNIQUES:
        raise InputError(f"techniques must be among {', '.join(TECHNIQUES)}. Received: {cut(name)}")


@dataclass(frozen=True)
class Limits:
    """Where a search ends; None is no limit.

    Attributes:
        depth: plies.
        nodes: positions of the tree.
        evaluations: evaluated positions; the batch in which the limit is reached is finished.
        seconds: since the search began.
        visits: of the root of a tree, with visits of earlier searches.

    Raises:
        InputError: a negative number.
    """

    depth: int | None = None
    nodes: int | None = None
    evaluations: int | None = None
    seconds: float | None = None
    visits: int | None = None

    def __post_init__(self) -> None:
        check_fields(self, {each.name: (0, inf) for each in fields(self)})


@dataclass(frozen=True)
class SearchResult:
    """What a search found so far.

    Attributes:
        depth: plies that were searched; of a tree, the plies of its longest line.
        score: expected points of Black minus White's after `line`, komi included.
        line: the best moves, the first one to be played now.
        nodes: searched since the search began; of a tree, all that it holds.
        evaluations: positions evaluated since the search began.
        seconds: since the search began.
        complete: whether the depth was finished; if not, some moves at the root were not searched.
    """

    depth: int
    score: float
    line: tuple[int, ...]
    nodes: int
    evaluations: int
    seconds: float
    complete: bool = True

    @property
    def move(self) -> int:
        """The move to play."""
        return self.line[0]


class ForbiddenMoves:
    """The moves that either colour may not make up to a ply; none at first.

    KataGo's protocols name some to avoid, or all but some to allow.
    """

    def __init__(self, side: int) -> None:
        self._plies = np.zeros((2, side * side + 1), np.int16)
        self._keys: dict[int, str] = {}

    @property
    def plies(self) -> ForbiddenPlies | None:
        """The ply up to which each move is forbidden, as for `TreeSearch.run`; None forbids nothing."""
        return self._plies if self._plies.any() else None

    def add(self, key: str, colour: int, points: Collection[int], plies: int) -> None:
        """Forbid a colour some moves up to a ply, or with the key `allow` all others.

        Args:
            key: `avoid` may be given several times, `allow` once and alone, for each colour.
            colour: BLACK or WHITE.
            points: flat indices, N*N for a pass.
            plies: from 1 up.

        Raises:
            InputError: `allow` together with another key of the same colour.
        """
        before = self._keys.get(colour, "")
        if before and "allow" in (before, key):
            expected = f"avoid, or allow once, for {colour_name(colour)}"
            raise InputError(f"expected {expected}. Received: {before} and {key}")
        self._keys[colour] = key
        row = self._plies[0 if colour == BLACK else 1]
        chosen = np.isin(np.arange(len(row)), list(points))
        forbidden = chosen if key == "avoid" else ~chosen
        row[forbidden] = np.maximum(row[forbidden], min(plies, _MOST_PLIES))


@dataclass(frozen=True)
class TreeOptions:
    """How a tree is searched.

    Args:
        exploration: weight of the policy in the choice of a move: c of PUCT.
        exploration_scaling: how far the exploration follows the standard deviation of the values below a position, 0 to
            1: 0 leaves it as it is, 1 makes it proportional to them (Wu: Other methods implemented in KataGo, 2021).
            Rollouts, whose results differ by chance, do without.
        first_play: first-play urgency: by how much a move not yet tried is valued below its position, times the
            square root of the probability that the policy gives to all moves tried.
        score_weight: the most that the expected score adds to a value or takes away; winning adds or takes 1.
        score_scale: points that are worth half of that.
        score_centre: share, 0 to 1, of the score expected at the root that is the middle of the two: a side that is far
            ahead or behind still plays for points. Rollouts do without.
        batch: positions that a worker evaluates together, at most.
        waiting: how many visits may wait for their evaluations, as a share of the visits made, though always one: a
            visit that waits cannot guide the next one.
        threads: workers; with one of them and a batch of 1, the same search builds the same tree.
        minimax: share of the best move's value in the value of a position, 0 to 1; the rest is the mean over visits.
        value_weighting: how much less moves that seem worse count in the value of a position. Each visit counts by the
            probability that its move is better than the mean, to this power; with 0, and with rollouts, all count
            alike.
        rollouts: share of a rollout's result in the value of a leaf, 0 to 1; the rest is the network's.
        rave: visits at which the mean of a move counts as much as that of all rollouts in which the same side played
            there first (Gelly and Silver: Combining online and offline knowledge in UCT, 2007); 0 leaves those out.
        policy_share: share of the policy in the priors of moves, 0 to 1; the rest is the same for all moves.
        noise: share of chance in the policy at the root, 0 to 1.
        policy_temperature: of the policy at the root; above 1 it is flatter.
        choice: one of CHOICES.
        temperature: 0 plays the best move; 1 draws one by visits.
        seed: of everything random in a search.

    Raises:
        InputError: a number out of range, or an unknown choice.
    """

    exploration: float = 1.1
    exploration_scaling: float = 0.85
    first_play: float = 0.15
    score_weight: float = 0.3
    score_scale: float = 10.0
    score_centre: float = 0.8
    batch: int = 4
    waiting: float = 1 / 16
    threads: int = 2
    minimax: float = 0.0
    value_weighting: float = 0.25
    rollouts: float = 0.0
    rave: float = 0.0
    policy_share: float = 1.0
    noise: float = 0.0
    policy_temperature: float = 1.0
    choice: str = "lcb"
    temperature: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        check_fields(self, _TREE_RANGES, {"choice": CHOICES})
