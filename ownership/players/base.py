"""The interface of players, and when those that think clean up, resign and pass: the same rules for all."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.clock import Clock
from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.counting.estimate_position import estimate
from goban.game import Game
from goban.position import Position
from goban.tactics import sensible_moves
from ownership.inference.evaluator import Evaluator, Prediction
from ownership.search.search_options import SearchResult

RESIGN: Final = -1
PASS_GAIN: Final = 0.75  # points that a move must gain to be played in a game that looks finished: less than a dame


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
    def plies(self) -> int:
        """Moves played so far."""
        return len(self.game.moves)

    @property
    def seconds(self) -> float | None:
        """Seconds that the clock allows for this move; None without a clock."""
        return self.clock.allowance(self.game.side, self.plies)

    def estimate(self, prediction: Prediction) -> Estimate:
        """Return the estimate of the position from a model's prediction about it."""
        return estimate(self.position, prediction.ownership, self.game.terms, forecast=prediction.forecast)


Listener = Callable[[Turn, SearchResult], None]
"""Receives results of a search while it goes on."""


class Player(Protocol):
    """A chooser of moves."""

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return a flat index, N*N to pass, or RESIGN; soon after `interrupted` returns True."""
        ...


def unrepeated_moves(turn: Turn) -> list[int]:
    """Return the flat indices of the sensible moves that repeat no position, without the pass."""
    return [move for move in sensible_moves(turn.position) if not turn.game.repeats(move)]


@dataclass(frozen=True)
class Thought:
    """What a player found out about a position.

    Attributes:
        move: the best one: a flat index, N*N to pass, or RESIGN.
        wins: the probability that the mover wins.
        gain: finds the points by which the move is better than a pass, for the mover.
    """

    move: int
    wins: float
    gain: Callable[[], float]


@dataclass(frozen=True)
class ThinkingPlayer(ABC):
    """A player with a model. In a clean-up it captures what is dead; else it thinks, and plays, passes or resigns.

    It passes when the game looks finished and its move gains less than PASS_GAIN points. With a model that predicts no
    owners it passes where its move is a pass, and in clean-ups.

    Attributes:
        evaluator: the model.
        resign_below: probability of winning below which it resigns, once half the board is played; 0 never.
    """

    evaluator: Evaluator
    resign_below: float = field(default=0.02, kw_only=True)

    @abstractmethod
    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> Thought:
        """Return the best move, given the estimate of the position."""

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        estimate = self.estimate(turn)
        if turn.cleanup:
            return pass_point(turn.game.side) if estimate is None else cleaning_move(turn, estimate.dead)
        return self.decide(turn, estimate, self.think(turn, estimate, interrupted))

    def decide(self, turn: Turn, estimate: Estimate | None, thought: Thought) -> int:
        """Return the move to play, a pass, or RESIGN."""
        passing = pass_point(turn.game.side)
        if turn.plies >= turn.position.stones.size // 2 and thought.wins < self.resign_below:
            return RESIGN
        if estimate is None or not estimate.finished or thought.move in (passing, RESIGN):
            return thought.move
        return thought.move if thought.gain() >= PASS_GAIN else passing

    def estimate(self, turn: Turn) -> Estimate | None:
        """Return the estimate of a position, None with a model that predicts no owners."""
        if "ownership" not in self.evaluator.files.heads:
            return None
        [prediction] = self.evaluator.evaluate([turn.position], terms=turn.game.terms)
        return turn.estimate(prediction)


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
