"""Values of the transposition table hold only where they are exact."""

from collections.abc import Sequence

import numpy as np
import pytest

from goban.coords import WHITE
from goban.position import Position
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.alphabeta.alphabeta_search import AlphaBetaSearch
from ownership.search.alphabeta.transposition_table import EXACT, SearchNode, TableEntry, TranspositionTable
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.search_limits import Limits
from tests.support.minimax import KO_FIGHTS, NARROW, last, minimax
from tests.support.positions import random_positions


@pytest.mark.parametrize("board", [pytest.param(KO_FIGHTS[0], marks=pytest.mark.long), *KO_FIGHTS[1:]])
@pytest.mark.parametrize("to_move", [1, -1])
def test_kos_leave_no_stale_values_in_the_table(board: str, to_move: int) -> None:
    """Where positions repeat, the value of a position depends on the way to it."""
    position = Position.from_diagram(board, to_move)
    assert last(position, NARROW, depth=5).score == minimax(position, NARROW, 5)


def test_lines_of_the_same_moves_in_another_order_are_different_lines() -> None:
    """With stones of both colours captured and played again, their values would differ."""
    taken = 3
    start = Position.empty(3)
    nodes = []
    for order in ((0, 8, 2), (2, 8, 0)):
        line, position = {start.hash}, start
        for move in order:
            position = position.play(move)
            line.add(position.hash)
        nodes.append(SearchNode(position, 3, 0, taken, frozenset(line)))
    one, other = nodes
    assert one.key == other.key
    table = TranspositionTable()
    table.store(one, TableEntry(3, 1, 10, EXACT, (4,), taken))
    assert table.find(one) is not None
    assert table.find(other) is None


def test_a_value_after_captures_of_one_colour_holds_only_after_captures_of_that_colour() -> None:
    """After stones of the other colour too were captured, a position may come back."""
    position = Position.empty(3).play(4)
    found, same, other = (
        SearchNode(position, 1, 0, taken, frozenset({number})) for number, taken in enumerate((1, 1, 2))
    )
    table = TranspositionTable()
    table.store(found, TableEntry(1, 1, 10, EXACT, (0,), 1))
    assert table.find(same) is not None
    assert table.find(other) is None


def test_a_value_after_captures_of_the_other_colour_holds_only_in_its_line() -> None:
    """Stones of one colour were captured before, of the other in the search: a position may come back."""
    position = Position.empty(3).play(4)
    found, *others = (
        SearchNode(position, 1, 0, taken, frozenset({number})) for number, taken in enumerate((1, 0, 1, 2, 3))
    )
    table = TranspositionTable()
    table.store(found, TableEntry(1, 1, 10, EXACT, (0,), 2))
    assert table.find(found) is not None
    assert [table.find(other) for other in others] == [None] * 4


def test_a_value_holds_only_for_positions_as_far_from_the_root() -> None:
    position = Position.empty(3).play(4)
    table = TranspositionTable()
    table.store(SearchNode(position, 3), TableEntry(3, 1, 10, EXACT, (0,), 0))
    found = [table.find(SearchNode(position, ply)) is not None for ply in (1, 2, 3, 4, 5)]
    assert found == [False, False, True, False, False]


def test_the_table_does_not_change_the_result() -> None:
    """On 2x2, where stones of both colours are captured in nearly every line."""

    def noise(positions: Sequence[Position]) -> list[LeafValue]:
        leaves = []
        for position in positions:
            chance = np.random.default_rng((position.hash % 2**31, position.to_move + 1, position.ko + 1, 11))
            policy = chance.random(5, np.float32) ** 4
            score = float(position.stones.sum()) - 0.5 + 3 * float(chance.normal())
            leaves.append(LeafValue(score, policy / policy.sum(), 1.0))
        return leaves

    def difference(position: Position) -> float:
        return float(position.stones.sum()) - 0.5

    position = Position.from_diagram(". . / . X", WHITE, recent=(3, 1, 3, 0, 3))
    scores = []
    for without in ({"aspiration", "quiescence"}, {"aspiration", "quiescence", "transpositions"}):
        options = AlphaBetaOptions(3, 1.0, 3, 2, policy_weight=0.0, without=frozenset(without))
        *_, result = AlphaBetaSearch(noise, difference, options, Limits(depth=9)).run(position)
        scores.append(result.score)
    assert scores == [0.5, 0.5]


def test_the_table_forgets_the_oldest() -> None:
    table = TranspositionTable(size=2)
    nodes = [SearchNode(position) for position in random_positions(3, 3)]
    for node in nodes:
        table.store(node, TableEntry(0, 1, 0, EXACT, (0,), 0))
    assert [table.find(node) is not None for node in nodes] == [False, True, True]
    assert len(table) == 2
