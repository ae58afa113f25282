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
from goban.position import Position
from goban.rulesets import Ruleset, Terms
from ownership.inference.evaluator import Prediction
from ownership.search.candidates import sensible_moves

RESIGN: Final = -1
PASS_GAIN: Final = 0.5  # points that a move must gain to be played in a game that looks finished

Move = tuple[int, int]  # (colour, flat index)


@dataclass(frozen=True, eq=False)
class Turn:
    """What a player is asked: to move in a position.

    earlier: Zobrist hashes of the positions so far, which no move of ours repeats. plies: moves played so far.
    clock: the mover's. cleanup: whether the players disagree about dead
    stones, so that all that is dead has to be captured. number: of the game, which makes random choices others.
    start, moves: the game, for players who have to be told it; start is None where that is the empty board.
    """

    position: Position
    earlier: frozenset[int]
    plies: int
    ruleset: Ruleset
    komi: float
    handicap: int
    clock: Clock = field(default_factory=Clock)
    cleanup: bool = False
    number: int = 0
    start: Position | None = None
    moves: tuple[Move, ...] = ()

    @property
    def whole_komi(self) -> float:
        """All that White gets: the komi, and what the rules pay for handicap stones."""
        return self.terms.total_komi

    @property
    def terms(self) -> Terms:
        """What the game is counted by."""
        return Terms(self.ruleset, self.komi, self.handicap)

    @property
    def seconds(self) -> float | None:
        """What the clock allows for this move; None for no clock."""
        return self.clock.allowance(self.position.side, self.plies)

    def estimate(self, prediction: Prediction) -> Estimate:
        """Return what the position is worth, given what a model says about it."""
        return estimate(self.position, prediction.ownership, self.terms, deviation=prediction.deviation)

    def repeats(self, point: int) -> bool:
        """Return whether a legal move brings an earlier position back; a pass never counts."""
        is_pass = point == pass_point(self.position.side)
        return not is_pass and self.position.play(point).hash in self.earlier


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
