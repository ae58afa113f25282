"""The player that looks one ply ahead."""

from collections.abc import Callable
from dataclasses import dataclass

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from ownership.players.move_ranking import Ranking, last_ranking, rank
from ownership.players.passing_and_resigning import ConsideredMove, ThinkingPlayer
from ownership.players.player_interface import Turn


@dataclass(frozen=True)
class GreedyPlayer(ThinkingPlayer):
    """A player of the move that gains most after one ply; it also passes when no sensible move is left.

    Attributes:
        averaged: how many of the best moves it evaluates again under all symmetries of the board.
    """

    averaged: int = 16

    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the best candidate."""
        return self.considered(turn, last_ranking(rank(turn, self.evaluator, self.averaged), interrupted))

    def considered(self, turn: Turn, ranking: Ranking) -> ConsideredMove:
        """Return the best candidate of a ranking."""
        passing = pass_point(turn.position.side)
        moves = [each for each in ranking.candidates if each.point != passing]
        return (
            ConsideredMove(moves[0].point, moves[0].wins, lambda: moves[0].gain)
            if moves
            else ConsideredMove(passing, 1, float)
        )
