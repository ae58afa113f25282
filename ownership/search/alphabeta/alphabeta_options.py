"""What an alpha-beta search takes: its techniques and numbers."""

from dataclasses import dataclass
from math import inf
from typing import Final

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
"""What each technique does, by its name in `AlphaBetaOptions.uses` and `without`."""

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


@dataclass(frozen=True)
class AlphaBetaOptions:
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
