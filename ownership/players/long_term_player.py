"""The player that plays its policy's best moves on, each inside a window around it."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from ownership.players.passing_and_resigning import ConsideredMove, ThinkingPlayer, gain_after_one_ply
from ownership.players.player_interface import Listener, Turn, unrepeated_moves
from ownership.search.leaf_evaluation import LeafValue, NetworkLeaves
from ownership.search.local_continuations import LongTermOptions, LongTermSearch
from ownership.search.search_result import SearchResult


@dataclass(frozen=True)
class LongTermPlayer(ThinkingPlayer):
    """A player of the move with the best sum of log prior and expected points after local continuations.

    It also passes when the pass is the likeliest move. What a move gains is looked for one ply later.

    Attributes:
        evaluator: a model with policy and ownership.
        options: how it plays on.
        seconds: for a move, at most; None has no limit. The clock may allow less.
        listener: receives the result after each ply.

    Raises:
        InputError: the model has no policy or no ownership.
    """

    options: LongTermOptions = field(default_factory=LongTermOptions)
    seconds: float | None = None
    listener: Listener | None = None

    def __post_init__(self) -> None:
        for head in ("policy", "ownership"):
            self.evaluator.files.require_head(head, "player longterm")

    def think(self, turn: Turn, estimate: Estimate | None, interrupted: Callable[[], bool]) -> ConsideredMove:
        """Return the best move after continuations."""
        for result in self.results(turn, interrupted):
            if self.listener:
                self.listener(turn, result)
        assert estimate is not None
        wins = estimate.wins_for(turn.position.to_move)
        return ConsideredMove(result.move, wins, lambda: gain_after_one_ply(self.evaluator, turn, result.move))

    def results(self, turn: Turn, interrupted: Callable[[], bool]) -> Iterator[SearchResult]:
        """Yield the result of the policy alone, then one after each ply, within the limits of time."""
        began = time.monotonic()
        seconds = turn.seconds_within(self.seconds)

        def stopped() -> bool:
            return interrupted() or (seconds is not None and time.monotonic() - began >= seconds)

        leaves = NetworkLeaves(self.evaluator, turn.game.ruleset, turn.game.terms.total_komi)
        [root] = leaves.evaluate([turn.position])
        moves = self._candidates(turn, root)
        yield SearchResult(0, root.score, (moves[0],), 1, 1, time.monotonic() - began)
        if moves[0] == pass_point(turn.position.side):
            return
        search = LongTermSearch(leaves.evaluate, turn.position, root, moves, self.options)
        for ranked in search.run(stopped):
            score = root.score + turn.position.to_move * ranked[0].gain()
            evaluated = 1 + search.evaluations
            yield SearchResult(1 + search.plies, score, ranked[0].line, evaluated, evaluated, time.monotonic() - began)

    def _candidates(self, turn: Turn, root: LeafValue) -> list[int]:
        """Return the likeliest moves, the likeliest first; a pass only as the first."""
        assert root.policy is not None
        passing = pass_point(turn.position.side)
        moves = np.array([*unrepeated_moves(turn), passing])
        likely: list[int] = moves[np.argsort(-root.policy[moves], kind="stable")].tolist()
        if likely[0] == passing:
            return [passing]
        return [move for move in likely if move != passing][: self.options.candidates]
