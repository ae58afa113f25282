"""The searches of queries: each position is answered while it is searched, if the query asks for it, and at the end."""

import sys
import traceback
from collections.abc import Callable, Collection
from typing import Any

from goban.game import Game
from ownership.inference.evaluator import Evaluator
from ownership.katago_protocol.answer import answer, no_results
from ownership.katago_protocol.query import Query
from ownership.search.mcts.search_pool import SearchPool
from ownership.search.mcts.search_stream import SearchStream
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

Write = Callable[[dict[str, Any]], None]
"""Writes an answer; called by several threads."""

_Turn = tuple[Query, int]

_BATCH = 4


class QuerySearches:
    """Searches of positions of queries, of which each gets one final answer; a `with` block ends them all.

    Args:
        evaluator: the model.
        write: receives the answers.
        workers: positions that are searched at the same time.

    Attributes:
        latest: the game of the last query, or None.
    """

    def __init__(self, evaluator: Evaluator, write: Write, workers: int) -> None:
        self.latest: Game | None = None
        self._evaluator = evaluator
        self._write = write
        self._pool = SearchPool(self._answer, workers)

    def submit(self, query: Query) -> None:
        """Queue all turns of a query."""
        self.latest = query.game
        for turn, priority in zip(query.turns, query.priorities, strict=True):
            self._pool.submit((query, turn), self._stream(query, turn), priority)

    def terminate(self, identity: object = None, turns: Collection[int] | None = None) -> None:
        """End the searches of a query, or all if `identity` is None; of some turns only, if any are given.

        A position that was not begun is answered without results, one that is searched with what was found.
        """

        def meant(task: _Turn) -> bool:
            query, turn = task
            return (identity is None or query.id == identity) and (turns is None or turn in turns)

        for query, turn in self._pool.stop(meant):
            self._write(no_results(query, turn))

    def close(self, finish: bool) -> None:
        """End the workers, after all that waits if `finish`, else as soon as the running batches end."""
        if not finish:
            self.terminate()
        self._pool.finish()

    def __enter__(self) -> "QuerySearches":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.__exit__()

    def _stream(self, query: Query, turn: int) -> SearchStream:
        game = query.game.undo(len(query.game.indexed_moves) - turn)
        options = TreeOptions(
            threads=1, batch=_BATCH, waiting=1, noise=query.noise, policy_temperature=query.policy_temperature
        )
        search = TreeSearch.of_game(self._evaluator, game, options)
        return SearchStream(search, game, Limits(visits=query.visits, seconds=query.seconds), forbidden=query.forbidden)

    def _answer(self, task: _Turn, stream: SearchStream) -> None:
        query, turn = task
        try:
            found = self._searched(query, stream)
        except Exception:
            traceback.print_exc(file=sys.stderr)
            found = no_results(query, turn)
        self._write(found)

    def _searched(self, query: Query, stream: SearchStream) -> dict[str, Any]:
        """Search a position, report meanwhile if the query requests it, and return the last answer."""
        if query.every is None:
            stream.finish()
        else:
            for search in stream.every(query.every, query.first):
                if (found := answer(query, stream.game, search, True))["moveInfos"]:
                    self._write(found)
        return answer(query, stream.game, stream.search, False)
