"""The player that searches a tree."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.game import Game
from goban.rulesets import Terms
from ownership.players.passing_and_resigning import ConsideredMove, ThinkingPlayer
from ownership.players.player_interface import Listener, Turn
from ownership.players.random_player import generator
from ownership.search.forbidden_moves import ForbiddenPlies
from ownership.search.mcts.search_stream import SearchStream
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_result import TreeResult
from ownership.search.mcts.tree_search import TreeSearch, check_search_heads
from ownership.search.mcts.tree_value import TreeValue
from ownership.search.search_limits import Limits

_LEAST_VISITS: Final = 16  # of the search that values a pass in a finished game
_TIME_FOR_PASS: Final = 0.2  # of the time for a move, which a clock has in reserve
_SLIGHT_GAIN: Final = 0.25  # points that a move must gain to be played for the chance to win that it brings
_CHANCE: Final = 0.05  # to win, that a pass may cost such a move in a finished game


@dataclass(frozen=True)
class MctsPlayer(ThinkingPlayer):
    """A player of the move that a tree search with the model at its leaves visits most; it keeps the tree of a game.

    Attributes:
        evaluator: a model with a policy; and with ownership, unless leaves are valued by rollouts alone.
        options: how to search.
        limits: where a search ends; earlier if the clock allows less.
        symmetries: 1, or 8 to average every evaluation over the symmetries of the board.
        listener: receives results of the search for a move, each after twice the visits of the one before.

    Raises:
        InputError: the model lacks a head.
    """

    options: TreeOptions = field(default_factory=TreeOptions)
    limits: Limits = field(default_factory=lambda: Limits(seconds=1.0))
    symmetries: int = 1
    listener: Listener | None = None
    _searches: dict[Terms, TreeSearch] = field(default_factory=dict, init=False, repr=False, compare=False)  # the last

    def __post_init__(self) -> None:
        check_search_heads(self.evaluator.files, self.options, "player mcts")

    def search(self, game: Game) -> TreeSearch:
        """Return the search of a game in progress, with its tree as long as the game has the same terms."""
        found = self._searches.get(game.terms)
        if found is None:
            self._searches.clear()
            found = self._searches[game.terms] = self._without_tree(game)
        return found

    def _without_tree(self, game: Game) -> TreeSearch:
        return TreeSearch.of_game(self.evaluator, game, self.options, self.symmetries)

    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the move of a search."""
        for result in self.results(turn, interrupted):
            if self.listener:
                self.listener(turn, result)
        return self.considered(turn, result, interrupted)

    def considered(self, turn: Turn, result: TreeResult, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the move that a result of the search gives; `interrupted` ends the search of a pass."""
        wins = result.root.wins_for(turn.position.to_move)
        return ConsideredMove(self._drawn(turn, result), wins, lambda: self._gain(turn, result, interrupted))

    def limits_of(self, turn: Turn) -> Limits:
        """Return the limits of the search for a move: the player's own, or less time if the clock allows less."""
        return replace(self.limits, seconds=turn.seconds_within(self.limits.seconds))

    def results(self, turn: Turn, interrupted: Callable[[], bool]) -> Iterator[TreeResult]:
        """Yield results of a search within the limits and the clock: the first, the last, and some between."""
        return self.stream(turn, interrupted).doublings()

    def stream(
        self, turn: Turn, interrupted: Callable[[], bool], forbidden: ForbiddenPlies | None = None
    ) -> SearchStream:
        """Return the search for a move, within the limits and the clock, by the tree of the game."""
        return SearchStream(self.search(turn.game), turn.game, self.limits_of(turn), interrupted, forbidden)

    def _drawn(self, turn: Turn, result: TreeResult) -> int:
        """Return the best move, or one drawn by visits."""
        if not self.options.temperature or not result.moves:
            return result.move
        most = result.moves[0].visits
        chances = [(each.visits / most) ** (1 / self.options.temperature) for each in result.moves]
        shares = [chance / sum(chances) for chance in chances]
        return result.moves[int(generator(turn, self.options.seed).choice(len(shares), p=shares))].point

    def _gain(self, turn: Turn, result: TreeResult, interrupted: Callable[[], bool]) -> float:
        best = result.moves[0].value if result.moves else result.root
        after = self._after_pass(turn, result, best.visits, interrupted)
        return gain_over_pass(best, after, turn.position.to_move)

    def _after_pass(self, turn: Turn, result: TreeResult, visits: int, interrupted: Callable[[], bool]) -> TreeValue:
        """Return the value of the position after a pass, by as many visits as the best move has.

        With fewer the two do not compare: the more a search sees of a position, the further its value is from the
        network's.
        """
        passing, visits = pass_point(turn.game.side), max(_LEAST_VISITS, visits)
        for each in result.moves:
            if each.point == passing and each.visits >= visits:
                return each.value
        seconds = self.limits_of(turn).seconds
        limits = Limits(visits=visits, seconds=None if seconds is None else _TIME_FOR_PASS * seconds)
        game = turn.game.play(passing)
        return SearchStream(self._without_tree(game), game, limits, interrupted).finish().root


def gain_over_pass(best: TreeValue, after: TreeValue, mover: int) -> float:
    """Return the points by which a move is better than a pass, for the mover.

    Infinite where the game is close, so that half a point counts: the move gains some, and a pass costs chances to win.

    Args:
        best: the value of the position after the move.
        after: the value of the position after a pass.
        mover: BLACK or WHITE.
    """
    gain = (best.score - after.score) * mover
    decisive = gain > _SLIGHT_GAIN and best.wins_for(mover) - after.wins_for(mover) > _CHANCE
    return math.inf if decisive else gain
