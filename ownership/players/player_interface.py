"""The interface of players: the turn that they are given, and the move that they choose."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

from goban.clock import Clock
from goban.counting.estimate import Estimate
from goban.counting.estimate_position import estimate
from goban.game import Game
from goban.move_effects import sensible_moves
from goban.position import Position
from ownership.inference.prediction import Prediction
from ownership.search.search_result import SearchResult

RESIGN: Final = -1


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
        return len(self.game.indexed_moves)

    def seconds_within(self, limit: float | None) -> float | None:
        """Return the seconds for this move: a limit, or less where the clock allows less; None without either."""
        allowed = self.clock.allowance(self.game.side, self.plies)
        return min((seconds for seconds in (limit, allowed) if seconds is not None), default=None)

    def estimate(self, prediction: Prediction) -> Estimate:
        """Return the estimate of the position from a model's prediction about it."""
        return estimate(self.position, prediction.owners, self.game.terms, forecast=prediction.forecast)


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
