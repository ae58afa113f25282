"""The search against plain minimax: techniques change the number of nodes, none the result."""

import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban.coords import gtp_name, pass_point
from goban.counting.counted_score import tromp_taylor
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.search.alphabeta.alphabeta_options import TECHNIQUES, AlphaBetaOptions
from ownership.search.alphabeta.alphabeta_search import AlphaBetaSearch
from ownership.search.alphabeta.transposition_table import EXACT, LOWER, UPPER, TableEntry
from ownership.search.leaf_evaluation import LeafValue, NetworkLeaves
from ownership.search.search_limits import Limits
from tests.support.minimax import EVERYTHING, KO_FIGHTS, NARROW, as_it_stands, guess, guess_at, last, minimax
from tests.support.positions import random_positions

FULL_BOARDS = st.builds(
    lambda side, index: random_positions(side, 12)[index], st.sampled_from([2, 3, 4]), st.integers(4, 11)
)


@given(FULL_BOARDS, st.integers(1, 4), st.sets(st.sampled_from(sorted(TECHNIQUES))), st.sampled_from([0.0, 0.3]))
@settings(max_examples=60)
def test_it_equals_minimax_with_any_techniques(
    position: Position, depth: int, without: set[str], softening: float
) -> None:
    options = replace(NARROW, without=frozenset(without), batch=1 + len(without), softening=softening)
    assert last(position, options, depth=depth).score == minimax(position, options, depth)


@pytest.mark.parametrize("technique", [None, *TECHNIQUES])
@pytest.mark.parametrize("index", [3, 5, 7])
def test_it_equals_minimax_among_all_moves(technique: str | None, index: int) -> None:
    options = replace(EVERYTHING, without=frozenset({technique} if technique else ()), quiet_plies=2)
    position = random_positions(3, 8)[index]
    assert last(position, options, depth=3).score == minimax(position, options, 3)


def test_a_score_at_the_end_of_a_window_is_no_exact_value() -> None:
    """Scores of whole points, which come to lie there, and a first window that the score of a deeper search leaves."""

    def whole(position: Position) -> LeafValue:
        leaf = guess_at(position)
        return leaf._replace(score=float(tromp_taylor(position.stones) + round(4 * (leaf.deviation - 1))))

    options = AlphaBetaOptions(width=4, least_width=2, policy_weight=0.0, window=1, quiet_plies=0)
    for position in random_positions(3, 16)[2:]:
        search = AlphaBetaSearch(lambda positions: list(map(whole, positions)), as_it_stands, options, Limits(depth=4))
        *_, result = search.run(position)
        assert result.score == minimax(position, options, 4, whole)


PERFECT = [
    # side, score for Black without komi, best first moves: known since long
    (2, 1, {"A1", "A2", "B1", "B2"}),
    pytest.param(3, 9, {"B2"}, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("side", "score", "moves"), PERFECT)
def test_perfect_play_on_the_smallest_boards(side: int, score: int, moves: set[str]) -> None:
    options = replace(EVERYTHING, policy_weight=0.0, without=frozenset({"quiescence"}))
    search = AlphaBetaSearch(
        area_alone, lambda position: float(tromp_taylor(position.stones)), options, Limits(depth=13)
    )
    *_, result = search.run(Position.empty(side))
    assert result.score == score
    assert gtp_name(result.move, side) in moves


def area_alone(positions: Sequence[Position]) -> list[LeafValue]:
    """Points surrounded now; the middle of the board is likelier than its edge."""
    return [LeafValue(float(tromp_taylor(position.stones)), _middle_first(position.side)) for position in positions]


def _middle_first(side: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    far = np.abs(np.arange(side) - (side - 1) / 2)
    chances = np.exp(-np.add.outer(far, far)).ravel()
    return np.append(chances, 1e-3).astype(np.float32)


@pytest.mark.parametrize("technique", ["pruning", "transpositions", "killers"])
def test_techniques_save_nodes(technique: str) -> None:
    nodes = []
    for without in ({"quiescence"}, {"quiescence", technique}):
        options = replace(EVERYTHING, policy_weight=0.0, without=frozenset(without))
        *_, result = AlphaBetaSearch(area_alone, as_it_stands, options, Limits(depth=4)).run(Position.empty(3))
        nodes.append(result.nodes)
    assert nodes[0] < nodes[1]


def test_the_same_search_visits_the_same_nodes() -> None:
    runs = [
        list(AlphaBetaSearch(guess, as_it_stands, NARROW, Limits(depth=4)).run(random_positions(4, 3)[1]))
        for _ in range(2)
    ]
    first, second = ([replace(result, seconds=0.0) for result in run] for run in runs)
    assert first == second
    assert [result.depth for result in first] == [0, 1, 2, 3, 4]
    assert all(earlier.nodes < later.nodes for earlier, later in pairwise(first))


OPEN = ". . . . . / . . O . . / . X . O . / . . X . . / . . . . ."
KNOWN = [
    # board, Black to move; techniques left out; nodes, evaluations and line of a search four plies deep
    (KO_FIGHTS[0], "", 657, 489, "A2 A4 D1 C1 B4"),
    (OPEN, "", 140, 84, "B1 C5 C1 A2"),
    (OPEN, "pruning", 560, 411, "B1 C5 C1 A2"),
    (OPEN, "null-window+aspiration", 117, 85, "B1 C5 C1 A2"),
    (OPEN, "transpositions", 207, 93, "B1 C5 C1 A2"),
    (OPEN, "killers+history", 136, 83, "B1 C5 C1 A2"),
    (OPEN, "forcing+vital", 154, 75, "B1 C5 C1 A2"),
    (OPEN, "quiescence", 137, 71, "B1 C5 C1 A2"),
    (OPEN, "deepening", 78, 90, "B1 C5 C1 A2"),
]


@pytest.mark.parametrize(("board", "without", "nodes", "evaluations", "line"), KNOWN)
def test_known_node_counts(board: str, without: str, nodes: int, evaluations: int, line: str) -> None:
    """A change of the search that should only make it clearer changes none of these."""
    options = replace(NARROW, without=frozenset(without.split("+")) - {""})
    position = Position.from_diagram(board)
    result = last(position, options, depth=4)
    names = " ".join(gtp_name(move, position.side) for move in result.line)
    assert (result.nodes, result.evaluations, names) == (nodes, evaluations, line)


def test_nothing_is_evaluated_twice_and_siblings_share_a_batch() -> None:
    asked: list[int] = []
    sizes = []

    def noting(positions: Sequence[Position]) -> list[LeafValue]:
        asked.extend(hash((position.hash, position.to_move, position.ko)) for position in positions)
        sizes.append(len(positions))
        return guess(positions)

    *_, result = AlphaBetaSearch(noting, as_it_stands, EVERYTHING, Limits(depth=3)).run(random_positions(3, 4)[1])
    assert len(asked) == len(set(asked)) == result.evaluations
    assert max(sizes) == EVERYTHING.batch


@pytest.mark.parametrize("nodes", [1, 2, 30, 500])
def test_it_stops_after_so_many_nodes_and_has_a_move(nodes: int) -> None:
    position = random_positions(4, 3)[1]
    result = last(position, NARROW, nodes=nodes)
    assert result.nodes <= nodes
    assert position.is_legal(result.move)


@pytest.mark.parametrize("evaluations", [1, 20, 500])
def test_it_stops_after_so_many_evaluations(evaluations: int) -> None:
    asked = 0

    def counting(positions: Sequence[Position]) -> list[LeafValue]:
        nonlocal asked
        asked += len(positions)
        return guess(positions)

    list(
        AlphaBetaSearch(counting, as_it_stands, EVERYTHING, Limits(evaluations=evaluations)).run(
            random_positions(4, 3)[1]
        )
    )
    assert evaluations <= asked < evaluations + EVERYTHING.batch


def test_it_stops_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = 0

    def slow(positions: Sequence[Position]) -> list[LeafValue]:
        nonlocal seconds
        seconds += len(positions)
        return guess(positions)

    monkeypatch.setattr("ownership.search.alphabeta.alphabeta_search.time", SimpleNamespace(monotonic=lambda: seconds))
    results = list(AlphaBetaSearch(slow, as_it_stands, EVERYTHING, Limits(seconds=300)).run(Position.empty(9)))
    assert 300 <= seconds < 300 + EVERYTHING.batch
    assert results[-1].depth >= 1


@pytest.mark.parametrize("side", [9, 19])
def test_an_interrupt_ends_it_soon(side: int, bundled: Evaluator) -> None:
    wanted, told = threading.Event(), list[float]()

    def interrupt() -> None:
        told.append(time.process_time())
        wanted.set()

    network = NetworkLeaves(bundled, RULESETS["area"], 7.5)
    search = AlphaBetaSearch(network.evaluate, network.count, AlphaBetaOptions(), Limits(), wanted.is_set)
    results = search.run(Position.empty(side))
    assert [next(results).depth, next(results).depth] == [0, 1]
    threading.Timer(0.2, interrupt).start()
    assert all(result.depth > 1 for result in results)
    assert time.process_time() - told[0] < 3, "0.2 s; wall time says more about what else the machine does"


def test_a_line_can_be_played_and_leads_to_the_score() -> None:
    options = replace(NARROW, policy_weight=0.0, without=frozenset({"quiescence"}))
    for position in random_positions(4, 8):
        result = last(position, options, depth=4)
        end = position
        for move in result.line:
            end = end.play(move)
        passes = [move == pass_point(4) for move in result.line[-2:]] == [True, True]
        score = as_it_stands(end) if passes else guess_at(end).score
        assert round(score, 3) == result.score


def test_a_pass_after_a_pass_ends_the_game() -> None:
    options = replace(EVERYTHING, policy_weight=0.0)

    def worse(positions: Sequence[Position]) -> list[LeafValue]:
        return [LeafValue(100.0 * position.to_move, None) for position in positions]  # for the player who moved there

    for position in random_positions(4, 8):
        *_, result = AlphaBetaSearch(worse, as_it_stands, options, Limits(depth=1)).run(position.play(pass_point(4)))
        assert (result.line, result.score) == ((pass_point(4),), as_it_stands(position))


def test_no_position_comes_back() -> None:
    position = random_positions(4, 3)[1]
    best = last(position, EVERYTHING, depth=2).move
    earlier = frozenset({position.play(best).hash})
    *_, result = AlphaBetaSearch(guess, as_it_stands, EVERYTHING, Limits(depth=2), earlier=earlier).run(position)
    assert result.move != best


def test_bounds_decide_only_what_they_can() -> None:
    def entry(bound: int) -> TableEntry:
        return TableEntry(0, 1, 10, bound, (0,), 0)

    assert entry(EXACT).decides(-99, 99)
    assert entry(LOWER).decides(0, 10) and not entry(LOWER).decides(0, 11)
    assert entry(UPPER).decides(10, 20) and not entry(UPPER).decides(9, 20)


def test_every_technique_has_its_branch() -> None:
    asked = set()

    class Recording(AlphaBetaOptions):
        def uses(self, technique: str) -> bool:
            asked.add(technique)
            return super().uses(technique)

    last(random_positions(3, 8)[3], Recording(), depth=3)
    assert asked == set(TECHNIQUES)


def test_an_unknown_technique_is_an_error() -> None:
    with pytest.raises(InputError, match=r"techniques must be among pruning, .* Received: prunning"):
        AlphaBetaOptions().uses("prunning")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"without": frozenset({"magic"})}, "techniques must be among pruning"),
        ({"width": 0}, "width: expected a whole number from 1 up. Received: 0"),
        ({"narrowing": 1.5}, r"narrowing: expected a number 0\.01\.\.1\. Received: 1\.5"),
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        AlphaBetaOptions(**wrong)  # type: ignore[arg-type]
