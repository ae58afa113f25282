"""What players are asked and answer, and what all of them find sensible."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.clock import Clock
from goban.coords import pass_point
from goban.counting.estimate import Estimate, estimate
from goban.counting.expected import win_probability
from goban.counting.score import count
from goban.game import Game
from goban.position import Position
from goban.rulesets import Ruleset
from ownership.inference.evaluator import Prediction
from ownership.search.candidates import sensible_moves

RESIGN: Final = -1
PASS_GAIN: Final = 0.5  # points that a move must gain to be played in a game that looks finished

Move = tuple[int, int]  # (colour, flat index)


@dataclass(frozen=True, eq=False)
class Turn:
    """A request to move: the game, the mover's clock and how the move is to be chosen.

    Attributes:
        game: the game so far.
        clock: the mover's.
        cleanup: whether the players disagree about dead stones, so that all dead stones have to be captured.
        number: of the game, which varies random choices.
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
    def earlier(self) -> frozenset[int]:
        """The hashes of the positions so far."""
        return self.game.hashes

    @property
    def start(self) -> Position:
        """The position before the first move."""
        return self.game.start

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return self.game.moves

    @property
    def plies(self) -> int:
        """The number of moves so far."""
        return len(self.game.moves)

    @property
    def ruleset(self) -> Ruleset:
        """The rules."""
        return self.game.ruleset

    @property
    def komi(self) -> float:
        """Points for White."""
        return self.game.komi

    @property
    def handicap(self) -> int:
        """Stones that Black was given."""
        return self.game.handicap

    @property
    def total_komi(self) -> float:
        """Komi plus the bonus for handicap stones."""
        none_dead = np.zeros(self.position.stones.shape, np.bool_)
        return count(self.position, none_dead, self.ruleset, self.komi, self.handicap).komi

    whole_komi = total_komi

    @property
    def seconds(self) -> float | None:
        """Seconds that the clock allows for this move; None without a clock."""
        return self.clock.allowance(self.position.side, self.plies)

    def estimate(self, prediction: Prediction) -> Estimate:
        """Return the estimate of the position, given a model's prediction."""
        return estimate(self.position, prediction.ownership, self.game.terms, deviation=prediction.deviation)

    def repeats(self, point: int) -> bool:
        """Return whether a legal move brings an earlier position back; a pass never counts."""
        return self.game.repeats(point)


class Player(Protocol):
    """Whoever chooses moves."""

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return a flat index, N*N to pass, or RESIGN; soon, with what is known, once `interrupted` says so."""
        ...


def is_hopeless(turn: Turn, lead: float, deviation: float, resign_below: float) -> bool:
    """Return whether the mover should resign: half the board is played and winning is less probable than that."""
    half_played = turn.plies >= turn.position.side**2 // 2
    return half_played and win_probability(lead, deviation) < resign_below


def cleaning_move(turn: Turn, dead: NDArray[np.bool_]) -> int:
    """Return a move that comes nearer to capturing dead stones of the other side, or a pass if there are none.

    Args: `dead` bool (N, N). Takes the chain with the fewest liberties first, and puts no more stones at risk than it
    must: of that chain's liberties, the move with the most liberties of its own.
    """
    position = turn.position
    possible = [move for move in sensible_moves(position) if not turn.repeats(move)]
    chains = [each for each in position.chains() if each.colour != position.to_move and dead.flat[each.points[0]]]
    for chain in sorted(chains, key=lambda each: len(each.liberties)):
        if moves := [move for move in possible if move in chain.liberties]:
            return max(moves, key=lambda move: _liberties_after(position, move))
    return pass_point(position.side)


def _liberties_after(position: Position, move: int) -> int:
    return next(len(chain.liberties) for chain in position.play(move).chains() if move in chain.points)
