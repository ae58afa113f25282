"""The player that looks one ply ahead."""

from collections.abc import Callable
from dataclasses import dataclass

from goban.coords import pass_point
from ownership.inference.evaluator import Evaluator
from ownership.players.base import PASS_GAIN, RESIGN, Turn, cleaning_move, is_hopeless
from ownership.players.ranking import Ranking, last_ranking, rank


@dataclass(frozen=True)
class GreedyPlayer:
    """Plays the move that gains most after one ply.

    It passes when no move gains PASS_GAIN points and the game looks finished, or when no sensible move is left. It
    resigns when its probability of winning is below `resign_below` (0: never) and half the board has been played.
    refined: how many of the best moves it looks at again under all symmetries.
    """

    evaluator: Evaluator
    resign_below: float = 0.02
    refined: int = 16

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        return self.decide(turn, last_ranking(rank(turn, self.evaluator, self.refined), interrupted))

    def decide(self, turn: Turn, ranking: Ranking) -> int:
        """Return the move to choose, given the candidates."""
        side = turn.position.side
        if turn.cleanup:
            return cleaning_move(turn, ranking.estimate.dead)
        moves = [each for each in ranking.candidates if each.point != pass_point(side)]
        if not moves:
            return pass_point(side)
        best = moves[0]
        if is_hopeless(turn, best.lead, best.deviation, self.resign_below):
            return RESIGN
        if ranking.estimate.finished and best.gain < PASS_GAIN:
            return pass_point(side)
        return best.point
