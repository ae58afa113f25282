"""The tree search: what is known of small boards, and what must hold of every tree."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from goban.coords import BLACK, WHITE, gtp_name, parse_gtp, pass_point
from goban.counting.counted_score import tromp_taylor
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from goban.tactics import sensible_moves
from ownership.inference.evaluator import Evaluator
from ownership.search.leaf_evaluation import LeafValue, NetworkLeaves
from ownership.search.mcts.tree import EVALUATED, EXPANDED, NODE, NONE, SearchTree, new_tree
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_options import Limits, TreeOptions
from tests.support.positions import random_positions

ALONE = TreeOptions(threads=1, batch=1)


class Area:
    """Points surrounded now, with noise of so many points; a policy that prefers the middle, and more or less noise."""

    def __init__(self, komi: float = 0.5, noise: float = 0.0) -> None:
        self.komi = komi
        self.noise = noise
        self.asked: list[Position] = []

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        self.asked += positions
        return [self._leaf(position) for position in positions]

    def _leaf(self, position: Position) -> LeafValue:
        side = position.side
        chance = np.random.default_rng((position.hash % 2**31, position.to_move + 1, position.ko + 1))
        far = np.abs(np.arange(side) - (side - 1) / 2)
        policy = np.append(np.exp(-np.add.outer(far, far)).ravel(), 0.1).astype(np.float32)
        policy *= 1 + self.noise * chance.random(len(policy), np.float32) ** 4
        ownership = np.clip(position.stones + self.noise * chance.normal(size=(side, side)), -1, 1)
        score = self._score(position) + self.noise * float(chance.normal())
        return LeafValue(score, policy / policy.sum(), 2.0, ownership.astype(np.float32))

    def ended(self, position: Position) -> LeafValue:
        return LeafValue(self._score(position), None, 0.0, position.stones.astype(np.float32))

    def _score(self, position: Position) -> float:
        return tromp_taylor(position.stones) - self.komi


class Playouts(Area):
    """The end of one game of random moves from a position, always the same one."""

    def _leaf(self, position: Position) -> LeafValue:
        chance = np.random.default_rng((position.hash % 2**31, position.to_move + 1, position.ko + 1))
        end, passing = position, pass_point(position.side)
        for _ in range(3 * position.side**2):
            moves = sensible_moves(end)
            if not moves and end.recent[:1] == (passing,):
                break
            end = end.play(int(chance.choice(moves)) if moves else passing)
        return super()._leaf(position)._replace(score=self._score(end), deviation=0.1)


def game_of(position: Position, rules: str = "area") -> Game:
    return Game((position,), ruleset=RULESETS[rules])


def searched(game: Game, knowledge: Area, options: TreeOptions = ALONE, **limits: int) -> TreeSearch:
    search = TreeSearch(knowledge, game.ruleset, options)
    for _ in search.run(game, Limits(**limits)):
        pass
    return search


def tree_of(search: TreeSearch) -> SearchTree:
    tree = search._tree
    assert tree is not None
    return tree


PERFECT = [
    # side, komi, whether Black wins, best first moves: known since long
    (2, 0.5, True, {"A1", "A2", "B1", "B2"}),
    (2, 1.5, False, None),
    (3, 8.5, True, {"B2"}),
    (3, 9.5, False, None),
]


@pytest.mark.parametrize(("side", "komi", "wins", "moves"), PERFECT)
def test_perfect_play_on_the_smallest_boards(side: int, komi: float, wins: bool, moves: set[str] | None) -> None:
    """With random games as the only knowledge."""
    result = searched(Game.empty(side), Playouts(komi), visits=700).result()
    assert (result.root.wins > 0.5) == wins
    assert moves is None or gtp_name(result.move, side) in moves


def lines(tree: SearchTree) -> list[tuple[int, list[int]]]:
    """Every node with the nodes above it."""
    parents = tree.nodes["parent"][: tree.used[0]].tolist()
    above: list[list[int]] = []
    for parent in parents:
        above.append([] if parent == NONE else [*above[parent], parent])
    return list(enumerate(above))


GRID = np.linspace(-200, 200, 400_001)
DENSITY = (1 + GRID**2 / 3) ** -2.0  # of the t-distribution with three degrees of freedom, but for a factor
BELOW = (np.cumsum(DENSITY) - DENSITY / 2) / np.sum(DENSITY)


def shares(nodes: NDArray[np.void], weighting: float) -> NDArray[np.float64]:
    """What a visit of each node counts in its parent's value: more where the node is likelier to be the better one."""
    visits, parents = nodes["visits"][1:].astype(np.float64), nodes["parent"][1:]
    means = nodes["value"][1:] / np.maximum(visits, 1)

    def below(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros(len(nodes))
        np.add.at(sums, parents, weights)
        found: NDArray[np.float64] = sums[parents]
        return found

    better = nodes["to_move"][parents] * (means - below(visits * means) / np.maximum(below(visits), 1))
    found = (np.interp(better * np.sqrt(1.5 * np.sqrt(visits)), GRID, BELOW) + 1e-4) ** weighting
    counted: NDArray[np.float64] = found * below(visits) / np.maximum(below(found * visits), 1e-9)
    return counted


def check(search: TreeSearch) -> None:
    """Visits and values add up, nothing waits, no line repeats a position, and every move is made once."""
    tree = tree_of(search)
    nodes = tree.nodes[: tree.used[0]]
    assert not nodes["virtual_losses"].any()
    own_visits, values = nodes["own_visits"], nodes["own_value"].astype(np.float64)
    sums = {"score": nodes["own_score"], "value": values, "value_squared": values**2, "wins": nodes["own_wins"]}
    counted = shares(nodes, 0.0 if search.options.rollouts else search.options.value_weighting)
    for name, own, share in [("visits", 1, 1), *((name, each, counted) for name, each in sums.items())]:
        below = np.bincount(nodes["parent"][1:], share * nodes[name][1:], len(nodes))
        assert nodes[name] == pytest.approx(own_visits * own + below, abs=1e-2, rel=1e-4)
    visited = nodes[nodes["visits"] > 0]
    assert (np.abs(visited["value"] / visited["visits"]) <= 1.3).all()
    assert (visited["wins"] >= 0).all() and (visited["wins"] <= visited["visits"]).all()
    for node, above in lines(tree):
        hashes = nodes["hash"][above].tolist()
        assert len(set(hashes)) == len(hashes) - int((nodes["move"][above[1:]] == tree.ownership.shape[1]).sum())
        if nodes["state"][node] == EXPANDED:
            below = np.flatnonzero(nodes["parent"] == node)
            moves = nodes["move"][below].tolist()
            assert len(moves) == len(set(moves))
            assert not tree.priors[node][moves].any(), "each move is tried once"


TREES = st.builds(
    lambda side, index, batch, threads, noise, weighting: (
        random_positions(side, 8)[index],
        TreeOptions(batch=batch, threads=threads, noise=noise, value_weighting=weighting),
    ),
    st.sampled_from([2, 3, 4, 5]),
    st.integers(0, 7),
    st.integers(1, 5),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.25]),
    st.sampled_from([0.0, 0.25, 1.0]),
)


@given(TREES, st.integers(1, 300))
@settings(max_examples=40)
def test_every_tree_adds_up(given_tree: tuple[Position, TreeOptions], visits: int) -> None:
    position, options = given_tree
    search = searched(game_of(position, "new-zealand"), Area(noise=1.0), options, visits=visits)
    check(search)
    result = search.result()
    assert result.root.visits == visits
    assert sum(each.visits for each in result.moves) == visits - 1
    assert result.nodes <= visits


def test_the_same_search_builds_the_same_tree() -> None:
    position = random_positions(5, 4)[2]
    trees = [tree_of(searched(game_of(position), Area(noise=1.0), visits=300)) for _ in range(2)]
    assert trees[0].used.tolist() == trees[1].used.tolist()
    for name in ("hash", "parent", "move", "prior", "visits", "value", "score", "wins", "own_value", "next_move"):
        first, second = (tree.nodes[name][: tree.used[0]].tolist() for tree in trees)
        assert first == second, name


def test_leaves_are_the_positions_that_the_moves_lead_to() -> None:
    """With the last moves, prisoners, ko and the boards before, as if each move had been played."""
    knowledge = Area(noise=1.0)
    start = Game.empty(3).play(4).play(0).play(1)
    tree = tree_of(searched(start, knowledge, visits=200))
    found = set(knowledge.asked[1:])
    depths = set()
    for node, above in lines(tree):
        game, moves = start, tree.nodes["move"][[*above[1:], node][: len(above)]].tolist() if above else []
        for move in moves:
            game = game.play(move)
        depths.add(len(moves))
        if tree.nodes["state"][node] not in (EVALUATED, EXPANDED) or node == 0:
            continue
        [same] = [each for each in found if each == game.position]
        boards = [[(board.stones.tolist(), board.ko) for board in each.earlier] for each in (same, game.position)]
        assert boards[0] == boards[1]
        assert same.hash == game.position.hash
    assert max(depths) > 5


@pytest.mark.parametrize("options", [ALONE, TreeOptions(threads=3, batch=4)])
def test_the_tree_is_kept_while_the_game_goes_on(options: TreeOptions) -> None:
    options = replace(options, score_centre=0.0)  # a centre that moves with the root moves values
    game = game_of(random_positions(5, 4)[1])
    search = searched(game, Area(noise=1.0), options, visits=400)
    before = search.result()
    answer = before.moves[0].line[1]
    later = game.play(before.move).play(answer)
    maps = search.ownership()[1][before.move]
    first = next(search.run(game.play(before.move), Limits(visits=1)))
    assert first == before.moves[0].visits
    assert search.result().root.score == pytest.approx(before.moves[0].value.score)
    assert search.ownership()[0].mean == pytest.approx(maps.mean)
    check(search)
    kept = next(search.run(later, Limits(visits=1)))
    assert kept == before.moves[0].line_visits[1]
    check(search)
    assert next(search.run(game_of(random_positions(5, 4)[2]), Limits(visits=1))) == 1, "another game"


def test_the_tree_is_not_kept_when_a_player_moved_twice() -> None:
    game = Game.empty(3, ruleset=RULESETS["area"])
    search = TreeSearch(Area(), game.ruleset, ALONE)
    for _ in search.run(game, Limits(visits=60)):
        pass
    first, second = search.result().moves[0].line[:2]
    twice = game.play(first, WHITE).play(second, WHITE)
    assert twice.position.to_move == game.position.to_move
    assert next(search.run(twice, Limits(visits=60))) == 1


def test_a_search_goes_on_where_it_ended() -> None:
    game = game_of(random_positions(5, 4)[1])
    search = searched(game, Area(noise=1.0), visits=50)
    assert list(search.run(game, Limits(visits=80)))[-1] == 80
    alone = tree_of(searched(game, Area(noise=1.0), visits=80))
    assert (tree_of(search).nodes["visits"][:70] == alone.nodes["visits"][:70]).all()


@pytest.mark.parametrize(
    ("limits", "visits"),
    [
        (Limits(visits=1), 1),
        (Limits(visits=30), 30),
        (Limits(evaluations=30), 30),
        (Limits(nodes=64), 64),
        (Limits(seconds=0), 1),
    ],
)
@pytest.mark.parametrize("options", [ALONE, TreeOptions(threads=2, batch=4)])
def test_it_ends_at_its_limits(limits: Limits, visits: int, options: TreeOptions) -> None:
    if limits.seconds is not None and options.threads > 1:
        pytest.skip("the other worker may have begun a batch")
    search = TreeSearch(Area(), RULESETS["area"], options)
    assert list(search.run(Game.empty(5), limits))[-1] == visits
    assert search.result().root.visits == visits


@pytest.mark.parametrize("name", ["visits", "nodes", "evaluations", "depth", "seconds"])
def test_negative_limits_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"{name}: expected a .*number from 0 up\. Received: -1"):
        Limits(**{name: -1})


def test_an_interrupt_ends_it_and_no_worker_is_left() -> None:
    search = TreeSearch(Area(), RULESETS["area"], TreeOptions(threads=3, batch=2))
    before = set(threading.enumerate())
    asked = iter([False, False, True])
    assert len(list(search.run(Game.empty(5), Limits(), lambda: next(asked)))) == 4
    assert set(threading.enumerate()) <= before
    check(search)


def test_an_error_of_the_network_reaches_the_caller() -> None:
    class Broken(Area):
        def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
            if len(self.asked) > 20:
                raise InputError("broken")
            return super().evaluate(positions)

    knowledge = Broken()
    search = TreeSearch(knowledge, RULESETS["area"], TreeOptions(threads=3, batch=2))
    with pytest.raises(InputError, match="broken"):
        list(search.run(Game.empty(5), Limits(visits=500)))
    knowledge.asked.clear()
    assert list(search.run(Game.empty(5), Limits(visits=15)))[-1] == 15, "with another tree"


EYES = [
    # board, rules, Black's moves besides a pass
    (". X . / X X X / . X .", "area", ""),
    (". O . / O X . / . . .", "area", "C3 C2 A1 B1 C1"),
    (". O X / X X . / . . .", "area", "A3 C2 A1 B1 C1"),
    (". O . / O O X / . . .", "area", "C3 A1 B1 C1"),
    (". X O / O O . / . . .", "area", "C2 A1 B1 C1"),
    (". X O / O O . / . . .", "new-zealand", "A3 C2 A1 B1 C1"),
]


@pytest.mark.parametrize(("board", "rules", "moves"), EYES)
def test_moves_are_legal_and_fill_an_own_eye_only_to_save_a_chain(board: str, rules: str, moves: str) -> None:
    game = game_of(Position.from_diagram(board, BLACK), rules)
    search = searched(game, Area(), visits=1)
    found = np.flatnonzero(search.policy()).tolist()
    expected = [parse_gtp(name, 3) for name in [*moves.split(), "pass"]]
    assert sorted(found) == sorted(expected)


def test_no_position_of_the_game_comes_back() -> None:
    position = Position.from_diagram(". X O . / X O . O / . X O . / . . . .", BLACK)
    game = game_of(position)
    capture = parse_gtp("C3", 4)
    taken = game.play(capture)
    retake = parse_gtp("B3", 4)
    there_and_away = taken.play(pass_point(4)).play(pass_point(4))
    tree = tree_of(searched(there_and_away, Area(), visits=400))
    assert retake not in tree.nodes["move"][tree.nodes["parent"] == 0]


def test_some_moves_may_be_forbidden_up_to_a_ply() -> None:
    forbidden = np.zeros((2, 10), np.int16)
    forbidden[0] = 3
    forbidden[0, [0, 8]] = 0
    search = TreeSearch(Area(), RULESETS["area"], replace(ALONE, exploration=2.0))
    for _ in search.run(Game.empty(3), Limits(visits=400), forbidden=forbidden):
        pass
    nodes = tree_of(search).nodes[: tree_of(search).used[0]]
    black = (nodes["to_move"] != BLACK) & (nodes["parent"] != NONE)
    assert set(nodes["move"][black & (nodes["ply"] <= 3)].tolist()) <= {0, 8, 9}
    assert 4 in nodes["move"][black & (nodes["ply"] > 3)]


def test_two_passes_are_counted() -> None:
    board = "X X . X X / X X X X X / O O O O O / O O O O O / . O . O ."
    game = game_of(Position.from_diagram(board, -1)).play(pass_point(5))
    result = searched(game, Area(komi=-5.5), visits=60).result()
    assert result.move == pass_point(5)
    assert result.moves[0].value.wins == 1
    assert result.moves[0].value.deviation == 0


def test_ownership_is_averaged_with_its_deviation() -> None:
    search = searched(game_of(random_positions(4, 4)[2]), Area(noise=1.0), visits=100)
    tree = tree_of(search)
    whole, below = search.ownership()
    used = int(tree.used[0])
    weights = tree.nodes["own_visits"][:used]
    boards = tree.ownership[:used].astype(float).reshape(used, 4, 4) / 127
    mean = np.average(boards, axis=0, weights=weights)
    assert whole.mean == pytest.approx(mean, abs=1e-6)
    variance = np.average((boards - mean) ** 2, axis=0, weights=weights)
    assert whole.deviation == pytest.approx(np.sqrt(variance), abs=1e-5)
    assert set(below) == {each.point for each in search.result().moves}


def test_a_value_may_be_that_of_the_best_move() -> None:
    """With `minimax` 1, the value of a node is plain minimax over its children."""
    options = TreeOptions(threads=1, batch=1, minimax=1.0)
    search = searched(game_of(random_positions(5, 4)[2]), Area(noise=1.0), options, visits=300)
    nodes = tree_of(search).nodes[: tree_of(search).used[0]]
    check(search)
    for node in range(len(nodes)):
        below = nodes["to_move"][node] * nodes["best"][nodes["parent"] == node]
        own = nodes["own_value"][node] if not len(below) else nodes["to_move"][node] * below.max()
        assert nodes["best"][node] == pytest.approx(own)


def test_the_policy_may_be_left_out() -> None:
    options = TreeOptions(threads=1, batch=1, policy_share=0.0)
    search = searched(game_of(random_positions(5, 4)[2]), Area(noise=1.0), options, visits=1)
    priors = search.policy()
    assert priors[priors > 0] == pytest.approx(1 / np.count_nonzero(priors), abs=1e-4)


def test_the_lower_bound_may_decide() -> None:
    game = game_of(random_positions(5, 4)[2])
    moves = searched(game, Area(noise=1.0), TreeOptions(threads=1, batch=1, choice="lcb"), visits=200).result().moves
    often = [each.lower_bound for each in moves if each.visits >= 0.1 * max(each.visits for each in moves)]
    assert often == sorted(often, reverse=True)
    assert all(0 <= bound <= 1 for bound in often)


class Slight(Area):
    """Black wins a little more often with a stone in the middle; all moves are as likely."""

    def _leaf(self, position: Position) -> LeafValue:
        wins = 0.52 if position.stones[1, 1] == BLACK else 0.5
        return LeafValue(0.0, np.full(10, 0.1, np.float32), 2.0, np.zeros((3, 3), np.float32), wins)


def test_the_exploration_may_follow_the_deviation_of_the_values() -> None:
    """Where they differ little, a small difference decides sooner where most visits go."""
    fixed, following = (replace(ALONE, exploration_scaling=scaling) for scaling in (0.0, 1.0))
    before, after = (share_of_the_middle(Slight(), options, 400) for options in (fixed, following))
    assert after > 2 * before > 0.2


def share_of_the_middle(knowledge: Area, options: TreeOptions, visits: int) -> float:
    """Return the share of the visits that the middle of an empty board of side 3 gets."""
    moves = searched(Game.empty(3), knowledge, options, visits=visits).result().moves
    return next(move.visits for move in moves if move.point == 4) / visits


def test_moves_that_seem_worse_count_less() -> None:
    """So a position is worth more to the side to move than the mean over its moves, and less than its best move."""
    position = random_positions(5, 4)[2]
    alike, weighted = (
        searched(game_of(position), Area(noise=1.0), replace(ALONE, value_weighting=weighting), visits=400).result()
        for weighting in (0.0, 0.25)
    )
    for result, least, most in ((alike, -1e-6, 1e-6), (weighted, 1e-4, 1.0)):
        means = [position.to_move * each.value.value for each in result.moves]
        visits = [each.visits for each in result.moves]
        total = position.to_move * (result.root.visits * result.root.value - result.own.value)
        mean = np.average(means, weights=visits)
        assert least <= total / sum(visits) - mean < min(most, max(means) - mean)


class FarAhead(Area):
    """Black wins, by 40 points, and by 4 more with a stone in the middle; all moves are as likely."""

    def _leaf(self, position: Position) -> LeafValue:
        score = 44.0 if position.stones[1, 1] == BLACK else 40.0
        return LeafValue(score, np.full(10, 0.1, np.float32), 2.0, np.zeros((3, 3), np.float32), 0.99)


def test_a_side_far_ahead_still_plays_for_points() -> None:
    """Where the score counts around what is expected; around 0, four points are little to one who is 40 ahead."""
    around_zero, around_expected = (replace(ALONE, score_centre=centre) for centre in (0.0, 0.8))
    before, after = (share_of_the_middle(FarAhead(), options, 200) for options in (around_zero, around_expected))
    assert after > 3 * before > 0.2


def test_values_follow_the_centre_of_the_score() -> None:
    """The score that the root expects is their middle, whether visits were made before or after the root moved."""
    options = replace(ALONE, score_centre=1.0)
    search = searched(Game.empty(3), FarAhead(), options, visits=50)
    first = search.result().root
    game = Game.empty(3).play(4)
    list(search.run(game, Limits(visits=50)))
    for root in (first, search.result().root):
        assert root.value == pytest.approx(2 * 0.99 - 1, abs=0.08)
    fresh = searched(game, FarAhead(), options, visits=50).result().root
    assert search.result().root.value == pytest.approx(fresh.value, abs=1e-3)


class Worse(Area):
    """Black, to move, wins one game in four wherever he plays; all moves are as likely."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        self.sizes.append(len(positions))
        return super().evaluate(positions)

    def _leaf(self, position: Position) -> LeafValue:
        return LeafValue(0.0, np.full(10, 0.1, np.float32), 2.0, np.zeros((3, 3), np.float32), 0.25)


def test_a_visit_that_waits_counts_as_a_lost_game() -> None:
    """For a player who does not win either, so that the visits of a batch go to moves of their own."""
    knowledge = Worse()
    searched(Game.empty(3), knowledge, TreeOptions(threads=1, batch=4, waiting=1), visits=8)
    assert knowledge.sizes == [1, 1, 2, 4]


class LateWin(Area):
    """Black wins by playing at A3, which the policy hardly suggests: it plays in the middle."""

    def _leaf(self, position: Position) -> LeafValue:
        policy = np.zeros(10, np.float32)
        policy[[0, 4]] = 0.03, 0.97
        wins = 1.0 if position.stones[0, 0] == BLACK else 0.5
        return LeafValue(0.0, policy, 2.0, np.zeros((3, 3), np.float32), wins)


def test_a_lower_bound_of_few_visits_does_not_decide() -> None:
    options = TreeOptions(threads=1, batch=1, choice="lcb")
    found = (searched(Game.empty(3), LateWin(), options, visits=visits).result().moves for visits in range(60, 200))
    often, seldom = next(moves for moves in found if len(moves) == 2 and min(move.visits for move in moves) == 3)
    assert (often.point, seldom.point) == (4, 0)
    assert seldom.lower_bound > often.lower_bound


def test_what_a_node_costs() -> None:
    tree = new_tree(Position.empty(19), 100, frozenset())
    arrays = (tree.nodes, tree.priors, tree.ownership)
    assert sum(array.nbytes for array in arrays) / 100 <= 1300, "bytes: 130 MB for 100,000 nodes"
    assert NODE.itemsize <= 136


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"batch": 0}, "batch: expected a whole number from 1 up. Received: 0"),
        ({"choice": "best"}, "choice: expected one of visits, lcb. Received: 'best'"),
        ({"noise": 2.0}, r"noise: expected a number 0\.\.1\. Received: 2"),
    ],
)
def test_wrong_options_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        TreeOptions(**wrong)  # type: ignore[arg-type]


def test_a_network_at_the_leaves(bundled: Evaluator) -> None:
    """In a finished game, Black to answer a pass, the tree has the winner."""
    game = Game.empty(5, ruleset=RULESETS["chinese"], komi=0.5)
    knowledge = NetworkLeaves(bundled, game.ruleset, 0.5, seed=3)
    search = TreeSearch(knowledge, game.ruleset, TreeOptions(threads=2, batch=2))
    for _ in search.run(game, Limits(visits=60)):
        pass
    result = search.result()
    middle = {"C3", "B3", "D3", "C2", "C4"}
    assert gtp_name(result.move, 5) in middle, "in the middle Black comes to own the board"
    assert result.root.wins > 0.5
    assert search.ownership()[0].mean.sum() > 0


@pytest.mark.parametrize(
    "options",
    [replace(ALONE, rollouts=1.0), replace(ALONE, rollouts=0.5), replace(ALONE, rollouts=1.0, rave=200.0)],
)
def test_a_tree_of_rollouts(options: TreeOptions, small_model: Path) -> None:
    """It adds up, and is the same again."""
    game = Game.empty(5)
    trees = []
    for _ in range(2):
        search = TreeSearch.of_game(Evaluator.load(str(small_model)), game, options)
        for _ in search.run(game, Limits(visits=200)):
            pass
        check(search)
        trees.append([(each.point, each.visits) for each in search.result().moves])
    assert trees[0] == trees[1] and len(trees[0]) > 3


def test_rollouts_save_what_a_network_cannot_judge(small_model: Path) -> None:
    """An untrained network and rollouts: White lives in the corner and wins by the komi."""
    board = """
        ...OX.X
        OOOOXXX
        XXXXXXX
        XXXXXXX
        XXXXXXX
        XX.XXXX
        XXXXXXX
    """
    game = Game((Position.from_diagram(board, WHITE),), komi=36.5)
    for rave in (0.0, 300.0):
        options = TreeOptions(threads=1, batch=1, rollouts=1.0, rave=rave, policy_share=0.0)
        search = TreeSearch.of_game(Evaluator.load(str(small_model)), game, options)
        for _ in search.run(game, Limits(visits=500)):
            pass
        result = search.result()
        assert gtp_name(result.move, 7) == "B7" and result.root.wins < 0.2
