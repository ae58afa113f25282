"""The player that searches with alpha-beta."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.counting.expected_score import win_probability
from goban.position import Position
from ownership.players.passing_and_resigning import ConsideredMove, ThinkingPlayer
from ownership.players.player_interface import Listener, Turn
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.alphabeta.alphabeta_search import AlphaBetaSearch
from ownership.search.leaf_evaluation import NetworkLeaves
from ownership.search.search_limits import Limits
from ownership.search.search_result import SearchResult

_CHECK = Limits(depth=2, nodes=200)  # of the two searches that compare a move with a pass
_CHECK_SHARE = 0.1  # of the time for a move, for each of these


@dataclass(frozen=True)
class AlphaBetaPlayer(ThinkingPlayer):
    """A player of the best move of an alpha-beta search, with the model's expected score at the leaves.

    What a move gains is looked for two plies later.

    Attributes:
        evaluator: a model with policy and ownership.
        options: how to search.
        limits: where a search ends; earlier if the clock allows less.
        symmetries: 1, or 8 to average every evaluation over the symmetries of the board.
        listener: receives every result of the search for a move.

    Raises:
        InputError: the model has no policy or no ownership.
    """

    options: AlphaBetaOptions = field(default_factory=AlphaBetaOptions)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    symmetries: int = 1
    listener: Listener | None = None

    def __post_init__(self) -> None:
        for head in ("policy", "ownership"):
            self.evaluator.files.require_head(head, "player alphabeta")

    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the best move of a search."""
        for result in self.results(turn, interrupted):
            if self.listener:
                self.listener(turn, result)
        assert estimate is not None
        wins = win_probability(turn.position.to_move * result.score, estimate.deviation)
        return ConsideredMove(result.move, wins, lambda: self._gain(turn, result.move, interrupted))

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

    def _search(self, turn: Turn, limits: Limits, share: float, interrupted: Callable[[], bool]) -> AlphaBetaSearch:
        network = NetworkLeaves(self.evaluator, turn.game.ruleset, turn.game.terms.total_komi, self.symmetries)
        seconds = turn.seconds_within(limits.seconds)
        limits = replace(limits, seconds=None if seconds is None else share * seconds)
        return AlphaBetaSearch(network.evaluate, network.count, self.options, limits, interrupted, turn.game.hashes)
