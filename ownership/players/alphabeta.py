"""The player that searches with alpha-beta."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from goban.coords import pass_point
from goban.counting.expected import win_probability
from goban.position import Position
from ownership.inference.abilities import require_head
from ownership.inference.evaluator import Evaluator
from ownership.players.base import PASS_GAIN, RESIGN, Listener, Turn, cleaning_move, is_hopeless
from ownership.search.alphabeta import Search
from ownership.search.leaves import NetworkLeaves
from ownership.search.options import Limits, SearchOptions
from ownership.search.results import SearchResult

_CHECK = Limits(depth=2, nodes=200)  # of the two searches that compare a move with a pass
_CHECK_SHARE = 0.1  # of the time for a move, for each of these


@dataclass(frozen=True)
class AlphaBetaPlayer:
    """A player of the best move of an alpha-beta search, with the model's expected score at the leaves.

    It passes when the game looks finished and its move gains less than PASS_GAIN points two plies later.

    Attributes:
        evaluator: a model with a policy.
        options: how to search.
        limits: where a search ends; earlier if the clock allows less.
        resign_below: probability of winning below which it resigns, once half the board is played; 0 never.
        symmetries: 1, or 8 to average every evaluation over the symmetries of the board.
        listener: receives every result of the search for a move.

    Raises:
        InputError: the model has no policy.
    """

    evaluator: Evaluator
    options: SearchOptions = field(default_factory=SearchOptions)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    resign_below: float = 0.02
    symmetries: int = 1
    listener: Listener | None = None

    def __post_init__(self) -> None:
        require_head(self.evaluator.files, "policy", "player alphabeta")

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        [prediction] = self.evaluator.evaluate([turn.position], terms=turn.game.terms)
        estimate = turn.estimate(prediction)
        if turn.cleanup:
            return cleaning_move(turn, estimate.dead)
        for result in self.results(turn, interrupted):
            if self.listener:
                self.listener(turn, result)
        wins = win_probability(turn.position.to_move * result.score, estimate.deviation)
        if is_hopeless(turn, wins, self.resign_below):
            return RESIGN
        if estimate.finished and self._gain(turn, result.move, interrupted) < PASS_GAIN:
            return pass_point(turn.position.side)
        return result.move

    def results(self, turn: Turn, interrupted: Callable[[], bool]) -> Iterator[SearchResult]:
        """Yield the results of a search, depth by depth, within the limits and the clock."""
        share = 1 - 2 * _CHECK_SHARE
        return self._search(turn, self.limits, share, interrupted).run(turn.position)

    def _gain(self, turn: Turn, move: int, interrupted: Callable[[], bool]) -> float:
        """Return the points by which a move is better than a pass, for the mover."""
        position = turn.position

        def score(after: Position) -> float:
            limits = replace(_CHECK, seconds=self.limits.seconds)
            *_, result = self._search(turn, limits, _CHECK_SHARE, interrupted).run(after)
            return result.score * position.to_move

        return score(position.play(move)) - score(position.play(pass_point(position.side)))

    def _search(self, turn: Turn, limits: Limits, share: float, interrupted: Callable[[], bool]) -> Search:
        network = NetworkLeaves(self.evaluator, turn.ruleset, turn.total_komi, self.symmetries)
        allowed = [seconds for seconds in (limits.seconds, turn.seconds) if seconds is not None]
        limits = replace(limits, seconds=share * min(allowed) if allowed else None)
        return Search(network.evaluate, network.count, self.options, limits, interrupted, turn.game.hashes)
