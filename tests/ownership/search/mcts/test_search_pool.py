"""The driver of the tree search: when a search reports, and which of several positions is searched first."""

import threading
from collections.abc import Sequence

import numpy as np
import pytest

from goban.coords import pass_point
from goban.game import Game
from goban.position import Position
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.mcts.search_pool import SearchPool
from ownership.search.mcts.search_stream import SearchStream
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

SIDE = 3


class Even:
    """Every position is even, and every move as likely as any other."""

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        return [self.ended(position) for position in positions]

    def ended(self, position: Position) -> LeafValue:
        return LeafValue(0.0, ownership=np.zeros((position.side, position.side), np.float32))


def stream(game: Game | None = None, **limits: int) -> SearchStream:
    game = game or Game.empty(SIDE)
    search = TreeSearch(Even(), game.ruleset, TreeOptions(threads=1, batch=1))
    return SearchStream(search, game, Limits(**limits))


def test_it_reports_each_doubling_and_the_last_result() -> None:
    assert [result.root.visits for result in stream(visits=11).doublings()] == [1, 2, 4, 8, 11]


def test_it_reports_at_intervals_once_a_move_was_visited() -> None:
    reported = [search.result().root.visits for search in stream(visits=5).every(0.0)]
    assert reported == [2, 3, 4, 5, 5]  # the last batch, and the end
    assert not list(stream(visits=5).every(0.0, first=600.0))


def test_a_stopped_search_has_the_result_of_its_root() -> None:
    stopped = stream()
    stopped.stop()
    assert stopped.finish().root.visits == 1


def visits_of(_: str, searched: SearchStream) -> int:
    return searched.finish().root.visits


def test_the_greatest_priority_goes_first_and_equal_ones_in_order() -> None:
    begun, order = threading.Event(), list[str]()

    def work(name: str, searched: SearchStream) -> int:
        order.append(name)
        begun.wait()
        return visits_of(name, searched)

    with SearchPool(work, 1) as pool:
        answers = [pool.submit("first", stream(visits=2))]
        while not order:
            pass
        for name, priority in (("low", -1), ("one", 0), ("other", 0), ("high", 5)):
            answers.append(pool.submit(name, stream(visits=3), priority))
        begun.set()
        pool.finish()
    assert order == ["first", "high", "one", "other", "low"]
    assert [answer.result() for answer in answers] == [2, 3, 3, 3, 3]


def test_chosen_searches_are_stopped_or_dropped() -> None:
    with SearchPool(visits_of, 1) as pool:
        endless = pool.submit("endless", stream(Game.empty(SIDE).play(pass_point(SIDE)).play(pass_point(SIDE))))
        while not endless.running() and not pool._running:
            pass
        waiting = [pool.submit(name, stream(visits=2)) for name in ("kept", "dropped", "dropped too")]
        assert pool.stop(lambda name: name.startswith("dropped")) == ["dropped", "dropped too"]
        assert [answer.cancelled() for answer in waiting] == [False, True, True]
        assert pool.stop(lambda name: name == "endless") == []
        assert endless.result() >= 1
        assert waiting[0].result() == 2


def test_the_end_of_the_block_stops_all() -> None:
    with SearchPool(visits_of, 2) as pool:
        answers = [pool.submit(str(number), stream()) for number in range(4)]
    assert all(answer.cancelled() or answer.result() >= 1 for answer in answers)


def test_an_error_is_raised_where_the_answer_is_asked_for() -> None:
    def fail(_: str, searched: SearchStream) -> int:
        raise ArithmeticError(searched.game.side)

    with SearchPool(fail, 1) as pool, pytest.raises(ArithmeticError, match="3"):
        pool.submit("wrong", stream()).result()
