"""The player that looks one ply ahead."""

from collections.abc import Callable
from dataclasses import dataclass

from goban.coords import pass_point
from ownership.inference.evaluator import Evaluator
from ownership.players.base import PASS_GAIN, RESIGN, Turn, cleaning_move, is_hopeless
from ownership.players.ranking import Ranking, last_ranking, rank


@dataclass(frozen=True)
class GreedyPlayer:
    """A player of the move that gains most after one ply.

    It passes when no move gains PASS_GAIN points and the game looks finished, or when no sensible move is left.

    Attributes:
        evaluator: a model.
        resign_below: probability of winning below which it resigns, once half the board is played; 0 never.
        averaged: how many of the best moves it evaluates again under all symmetries of the board.
    """

    evaluator: Evaluator
    resign_below: float = 0.02
    averaged: int = 16

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        return self.decide(turn, last_ranking(rank(turn, self.evaluator, self.averaged), interrupted))

    def decide(self, turn: Turn, ranking: Ranking) -> int:
        """Return the move to play, given a ranking of the candidates."""
        passing = pass_point(turn.position.side)
        if turn.cleanup:
            return cleaning_move(turn, ranking.estimate.dead)
        moves = [each for each in ranking.candidates if each.point != passing]
        if not moves:
            return passing
        best = moves[0]
        if is_hopeless(turn, best.wins, self.resign_below):
            return RESIGN
        if ranking.estimate.finished and best.gain < PASS_GAIN:
            return passing
        return best.point
