"""The positions of a game, each searched."""

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.counting.counted_score import format_result
from goban.counting.estimate import State
from goban.counting.estimate_position import estimate
from goban.counting.expected_score import INTERVAL, Forecast
from ownership.inference.evaluator import Evaluator
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import timeline
from ownership.search.mcts.root_move_choice import TreeMove
from ownership.search.mcts.search_pool import SearchPool, default_workers
from ownership.search.mcts.search_stream import SearchStream
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_result import TreeResult
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

DEFAULT_VISITS: Final = 100
MOST_REVIEW_VISITS: Final = 1_000_000
_OPTIONS: Final = TreeOptions(threads=1, batch=8)


class SearchedPosition(Protocol):
    """A position of a game and what a search of it found, by this package or in a record; Black's view throughout.

    Attributes:
        game: the record.
        move: how many were played before.
        visits: of the search, 0 where the score is counted.
        score: expected or counted points of Black minus White's, komi included.
        interval: bounds of the final score with a probability of 90%; None where it is counted.
        black_wins: probability that Black wins; None where the score is counted.
        candidates: moves that were visited, best first; none where the score is counted.
        ownership: float32 (N, N), +1 Black.
    """

    @property
    def game(self) -> GameRecord: ...
    @property
    def move(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def score(self) -> float: ...
    @property
    def interval(self) -> tuple[float, float] | None: ...
    @property
    def black_wins(self) -> float | None: ...
    @property
    def candidates(self) -> tuple[TreeMove, ...]: ...
    @property
    def ownership(self) -> NDArray[np.float32]: ...
    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour wins."""


@dataclass(frozen=True, eq=False)
class ReviewedPosition:
    """A position of a game with the result of its search; Black's view throughout.

    Attributes:
        scored: the position with dead stones and owners by the ownership of the tree.
        search: the result of the search; None at the end of a game that is counted.
        policy: float32 (N*N + 1), the network's probability of each move by flat index, 0 for illegal ones.
    """

    scored: ScoredGame
    search: TreeResult | None
    policy: NDArray[np.float32]

    @property
    def game(self) -> GameRecord:
        """The record."""
        return self.scored.game

    @property
    def move(self) -> int:
        """How many moves were played before."""
        return self.scored.move

    @property
    def candidates(self) -> tuple[TreeMove, ...]:
        """Moves that were visited, best first; none where the score is counted."""
        return () if self.search is None else self.search.moves

    @property
    def ownership(self) -> NDArray[np.float32]:
        """Float32 (N, N), averaged over the tree, +1 Black."""
        return self.scored.estimate.ownership

    @property
    def finished(self) -> bool:
        """Whether the position is the end of the game and counted."""
        return self.search is None

    @property
    def visits(self) -> int:
        """Visits of the search, 0 where the game is counted."""
        return 0 if self.search is None else self.search.root.visits

    @property
    def score(self) -> float:
        """Expected or counted points of Black minus White's, komi included."""
        return self.scored.estimate.score if self.search is None else self.search.root.score

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds within which the final score lies with a probability of 90%; None where it is counted."""
        if self.search is None:
            return self.scored.estimate.interval
        margin = INTERVAL * self.search.root.deviation
        return self.score - margin, self.score + margin

    @property
    def black_wins(self) -> float | None:
        """Probability that Black wins; None where the score is counted."""
        return self.scored.estimate.black_wins if self.search is None else self.search.root.wins

    @property
    def state(self) -> State:
        """What is known about the score, as for an `Estimate`."""
        return self.scored.estimate.state if self.search is None else "open"

    def wins_for(self, colour: int) -> float:
        """Return the probability that a colour wins."""
        return self.scored.estimate.wins_for(colour) if self.search is None else self.search.root.wins_for(colour)

    @property
    def result(self) -> str:
        """The score as in an SGF record, rounded to 0.1 unless it is counted."""
        return self.scored.estimate.result if self.search is None else format_result(round(self.score, 1))


def review(
    game: GameRecord,
    evaluator: Evaluator,
    options: ScoreOptions,
    visits: int,
    plies: Sequence[int] | None = None,
    interrupted: Callable[[], bool] = lambda: False,
) -> Generator[ReviewedPosition]:
    """Yield the positions of a game, searched side by side, in their order.

    Args:
        game: the record.
        evaluator: a model with a policy.
        options: rules, komi and symmetries, by which the end is scored; `move` is not read.
        visits: of each search.
        plies: numbers of moves after which positions are searched, by default all, the last one included.
        interrupted: called after each batch of a search; searches end when it returns True, with fewer visits.

    Raises:
        InputError: a number of moves that the game does not have.
    """
    [end] = timeline(game, evaluator, options, [len(game.move_points)])
    yield from search_positions(end, evaluator, visits, plies, interrupted)


def search_positions(
    end: ScoredGame,
    evaluator: Evaluator,
    visits: int,
    plies: Sequence[int] | None = None,
    interrupted: Callable[[], bool] = lambda: False,
) -> Generator[ReviewedPosition]:
    """Yield the positions of a game, given its score at the end, as `review` does."""
    game = end.game
    last, terms = len(game.move_points), end.estimate.terms
    played = replace(game.as_game(ruleset=terms.ruleset), ruleset=terms.ruleset, komi=terms.komi)

    def submitted(ply: int) -> Future[ReviewedPosition] | None:
        """Return the position to come, None for the end of a game that is counted."""
        if ply == last and end.estimate.finished:
            return None
        now = played.undo(last - ply)
        if ply < last:
            now = now.with_player(int(game.move_colours[ply]))
        search = TreeSearch.of_game(evaluator, now, _OPTIONS)
        return pool.submit(end, SearchStream(search, now, Limits(visits=visits), interrupted))

    no_moves = np.zeros(game.side**2 + 1, np.float32)
    with SearchPool(_reviewed, default_workers()) as pool:
        positions = deque(map(submitted, range(last + 1) if plies is None else plies))
        while positions:
            position = positions.popleft()
            yield position.result() if position else ReviewedPosition(end, None, no_moves)


def _reviewed(end: ScoredGame, stream: SearchStream) -> ReviewedPosition:
    result, search, game = stream.finish(), stream.search, stream.game
    (whole, _), policy, root = search.ownership(), search.policy(), result.root
    forecast = Forecast(root.score, root.deviation, root.wins)
    answer = estimate(game.position, whole.mean, game.terms, forecast=forecast)
    scored = replace(end, move=len(game.indexed_moves), position=game.position, estimate=answer, policy=policy)
    return ReviewedPosition(scored, result, policy)
