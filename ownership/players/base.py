"""The interface of players, and the rules for resigning and cleaning up that all share."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.clock import Clock
from goban.coords import pass_point
from goban.counting.decide import estimate
from goban.counting.estimate import Estimate
from goban.game import Game
from goban.move_flags import sensible_moves
from goban.position import Position
from goban.rulesets import Ruleset
from ownership.inference.evaluator import Evaluator, Prediction
from ownership.search.results import SearchResult

RESIGN: Final = -1
PASS_GAIN: Final = 0.5  # points that a move must gain to be played in a game that looks finished


@dataclass(frozen=True, eq=False)
class Turn:
    """A request to move in a game.

    Attributes:
        game: the game so far; a player's own moves repeat none of its positions.
        clock: the mover's.
        cleanup: whether the players disagree about dead stones, so that all dead stones have to be captured.
        number: of the game; random choices depend on it.
    """

    game: Game
    clock: Clock = field(default_factory=Clock)
    cleanup: bool = False
    number: int = 0

    @property
    def position(self) -> Position:
        """The position to move in."""
        return self.game.position

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the game."""
        return self.game.ruleset

    @property
    def komi(self) -> float:
        """Points for White, without the bonus for handicap stones."""
        return self.game.komi

    @property
    def handicap(self) -> int:
        """Stones that Black was given."""
        return self.game.handicap

    @property
    def plies(self) -> int:
        """Moves played so far."""
        return len(self.game.moves)

    @property
    def total_komi(self) -> float:
        """Points for White, the bonus for handicap stones included."""
        return self.game.terms.total_komi

    @property
    def seconds(self) -> float | None:
        """Seconds that the clock allows for this move; None without a clock."""
        return self.clock.allowance(self.game.side, self.plies)

    def estimate(self, prediction: Prediction) -> Estimate:
        """Return the estimate of the position from a model's prediction about it."""
        return estimate(self.position, prediction.ownership, self.game.terms, deviation=prediction.deviation)

    def repeats(self, point: int) -> bool:
        """Return whether a legal move brings an earlier position back; a pass does not count."""
        return self.game.repeats(point)


Listener = Callable[[Turn, SearchResult], None]
"""Receives results of a search while it goes on."""


class Player(Protocol):
    """A chooser of moves."""

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return a flat index, N*N to pass, or RESIGN; soon after `interrupted` returns True."""
        ...


def is_hopeless(turn: Turn, wins: float, resign_below: float) -> bool:
    """Return whether the mover should resign: half the board is played and a win is less probable than a limit.

    Args:
        turn: the game.
        wins: probability that the mover wins.
        resign_below: the limit; 0 never resigns.
    """
    half_played = turn.plies >= turn.position.side**2 // 2
    return half_played and wins < resign_below


def unrepeated_moves(turn: Turn) -> list[int]:
    """Return the flat indices of the sensible moves that repeat no position, without the pass."""
    return [move for move in sensible_moves(turn.position) if not turn.repeats(move)]


def gain_after_one_ply(evaluator: Evaluator, turn: Turn, move: int) -> float:
    """Return the points of expected area that the mover gains by a move, compared with a pass."""
    position = turn.position
    after = [position.play(move), position.play(pass_point(position.side))]
    moved, passed = evaluator.ownership(after, terms=turn.game.terms).sum(axis=(1, 2)).tolist()
    return float(moved - passed) * position.to_move


def cleaning_move(turn: Turn, dead: NDArray[np.bool_]) -> int:
    """Return a move towards the capture of the opponent's dead stones, or a pass if there are none.

    Args:
        turn: the game.
        dead: bool (N, N), dead stones.

    Attacks the chain with the fewest liberties first, and risks as few stones as possible: of that chain's liberties,
    it plays the one after which the new stone's chain has the most liberties.
    """
    position = turn.position
    possible = unrepeated_moves(turn)
    chains = [each for each in position.chains() if each.colour != position.to_move and dead.flat[each.points[0]]]
    for chain in sorted(chains, key=lambda each: len(each.liberties)):
        if moves := [move for move in possible if move in chain.liberties]:
            return max(moves, key=lambda move: _liberties_after(position, move))
    return pass_point(position.side)


def _liberties_after(position: Position, move: int) -> int:
    return next(len(chain.liberties) for chain in position.play(move).chains() if move in chain.points)
