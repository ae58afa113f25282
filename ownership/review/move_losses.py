"""The loss of each move of a reviewed game, and the accuracy of the players."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ownership.review.searched_positions import SearchedPosition
from ownership.search.mcts.root_move_choice import TreeMove

PHASES: Final = ("opening", "middle", "end")
_OPENING, _MIDDLE = 0.14, 0.4  # moves by which a phase has ended, as a share of the board's points
_NOISE: Final = 1 / 120  # of the board's points, from 50 to 400 visits (docs/measured.md)
_BASE: Final = 0.75  # by which accuracy falls for each point lost
_LEAST_WEIGHT: Final = 0.05
_FULL_WEIGHT: Final = 4.0  # points lost that give a move its full weight


@dataclass(frozen=True, eq=False)
class ReviewedMove:
    """A move of a game.

    Attributes:
        number: from 1.
        colour, point: the move; N*N for a pass.
        phase: one of PHASES.
        lost: points by which the expected score fell for the mover, 0 or more.
        wins_lost: by how much the mover's probability of winning fell, 0 or more.
        best: the move that the search preferred.
        gained, given: points of ownership that the mover gained, and those that the opponent gained. A point that goes
            from one player for certain to the other counts 2.
        difficulty: points that a move drawn by the policy loses on average, 1 at most.
        noise: points below which a loss means little; see `noise`.
    """

    number: int
    colour: int
    point: int
    phase: str
    lost: float
    wins_lost: float
    best: TreeMove
    gained: float
    given: float
    difficulty: float
    noise: float

    @property
    def is_noise(self) -> bool:
        """Whether the loss is within the noise of the search."""
        return self.lost < self.noise

    @property
    def is_best(self) -> bool:
        """Whether it is the move that the search preferred."""
        return self.best.point == self.point


@dataclass(frozen=True)
class Accuracy:
    """How well a player chose moves.

    Attributes:
        moves: how many.
        accuracy_percent: 100 for no loss; see `player_accuracy`.
        mean_points_lost: points lost by a move on average.
        best_percent: percentage of moves that the search preferred.
    """

    moves: int
    accuracy_percent: float
    mean_points_lost: float
    best_percent: float


def reviewed_moves(positions: Iterable[SearchedPosition]) -> list[ReviewedMove]:
    """Return the moves between positions that follow one another by one move."""
    return [
        _move(before, after)
        for before, after in pairwise(positions)
        if after.move == before.move + 1 and before.candidates
    ]


def phase_of(number: int, side: int) -> str:
    """Return the phase of the game, one of PHASES, that a move belongs to, by its number from 1 and the board side.

    The opening lasts for moves on 14% of the points, the middle game until 40%, as in KaTrain.
    """
    bounds = (math.ceil(share * side * side) for share in (_OPENING, _MIDDLE))
    return PHASES[sum(number >= bound for bound in bounds)]


def noise(side: int) -> float:
    """Return the points of loss that mean little: nine of ten losses change by less when the board is turned around."""
    return _NOISE * side * side


def largest_mistakes(moves: Iterable[ReviewedMove], most: int) -> list[ReviewedMove]:
    """Return the `most` moves that lost most points, where the search preferred another move.

    Losses within the noise of the search are none.
    """
    costly = [move for move in moves if not move.is_noise and not move.is_best]
    return sorted(costly, key=lambda move: -move.lost)[:most]


def player_accuracy(moves: Iterable[ReviewedMove], colour: int, phase: str | None = None) -> Accuracy | None:
    """Return the accuracy of a player in a phase, by default in all; None without moves.

    `accuracy_percent` is 100 * 0.75 to the power of the weighted mean of points lost. Moves weigh more where much can
    be lost: by their difficulty, or a quarter of the points lost if that is more, from 0.05 to 1. Source: KaTrain's
    game report.
    """
    return accuracy_of([move for move in moves if move.colour == colour], phase)


def accuracy_of(moves: Iterable[ReviewedMove], phase: str | None = None) -> Accuracy | None:
    """Return the accuracy of moves, of one player in any games, as `player_accuracy` does."""
    chosen = [move for move in moves if phase in (None, move.phase)]
    if not chosen:
        return None
    lost = np.array([move.lost for move in chosen])
    weights = np.clip(np.maximum([move.difficulty for move in chosen], lost / _FULL_WEIGHT), _LEAST_WEIGHT, 1)
    percent = 100 * _BASE ** float(lost @ weights / weights.sum())
    best = sum(move.is_best for move in chosen)
    return Accuracy(len(chosen), percent, float(lost.mean()), 100 * best / len(chosen))


def _move(before: SearchedPosition, after: SearchedPosition) -> ReviewedMove:
    game = after.game
    colour, point = int(game.move_colours[before.move]), int(game.move_points[before.move])
    change = colour * (after.ownership - before.ownership)
    wins_lost = before.wins_for(colour) - after.wins_for(colour)
    return ReviewedMove(
        number=after.move,
        colour=colour,
        point=point,
        phase=phase_of(after.move, game.side),
        lost=max(0.0, colour * (before.score - after.score)),
        wins_lost=max(0.0, wins_lost),
        best=before.candidates[0],
        gained=float(change[change > 0].sum(dtype=np.float64)),
        given=float(-change[change < 0].sum(dtype=np.float64)),
        difficulty=_difficulty(before, colour),
        noise=noise(game.side),
    )


def _difficulty(before: SearchedPosition, colour: int) -> float:
    chances = np.array([move.prior for move in before.candidates])
    lost = np.array([colour * (before.score - move.value.score) for move in before.candidates])
    return min(1.0, float(np.maximum(lost, 0) @ chances) / max(float(chances.sum()), 1e-6))
