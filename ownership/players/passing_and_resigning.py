"""When players with a model resign, pass and clean up: the same rules for all."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.players.player_interface import RESIGN, Turn, unrepeated_moves

PASS_GAIN: Final = 0.75  # points that a move must gain to be played in a game that looks finished: less than a dame


@dataclass(frozen=True)
class ConsideredMove:
    """A player's findings about a position.

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
    """A player with a model. In a clean-up it captures dead stones; else it thinks, and plays, passes or resigns.

    It passes when the game looks finished and its move gains less than PASS_GAIN points. With a model that predicts no
    owners it passes where its move is a pass, and in clean-ups.

    Attributes:
        evaluator: the model.
        resign_below: probability of winning below which it resigns, once half the board is played; 0 never.
    """

    evaluator: Evaluator
    resign_below: float = field(default=0.02, kw_only=True)

    @abstractmethod
    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the best move, given the estimate of the position."""

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        estimate = self.estimate(turn)
        if turn.cleanup:
            return pass_point(turn.game.side) if estimate is None else cleaning_move(turn, estimate.dead)
        return self.decide(turn, estimate, self.think(turn, estimate, interrupted))

    def decide(self, turn: Turn, estimate: Estimate | None, considered: ConsideredMove) -> int:
        """Return the move to play, a pass, or RESIGN."""
        passing = pass_point(turn.game.side)
        if turn.plies >= turn.position.stones.size // 2 and considered.wins < self.resign_below:
            return RESIGN
        if estimate is None or not estimate.finished or considered.move in (passing, RESIGN):
            return considered.move
        return considered.move if considered.gain() >= PASS_GAIN else passing

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
