"""The tree search: known results of small boards, its limits, and failures of its parts."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from goban.coords import WHITE, gtp_name, pass_point
from goban.errors import InputError
from goban.game import Game
from goban.move_effects import sensible_moves
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.search.leaf_evaluation import LeafValue, NetworkLeaves
from ownership.search.mcts.tree import NODE, new_tree
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits
from tests.support.positions import random_positions
from tests.support.tree_searches import ALONE, Area, check_tree, game_of, searched, tree_of


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


def test_the_same_search_builds_the_same_tree() -> None:
    position = random_positions(5, 4)[2]
    trees = [tree_of(searched(game_of(position), Area(noise=1.0), visits=300)) for _ in range(2)]
    assert trees[0].used.tolist() == trees[1].used.tolist()
    for name in ("hash", "parent", "move", "prior", "visits", "value", "score", "wins", "own_value", "next_move"):
        first, second = (tree.nodes[name][: tree.used[0]].tolist() for tree in trees)
        assert first == second, name


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


def test_an_interrupt_ends_it_and_no_worker_is_left() -> None:
    search = TreeSearch(Area(), RULESETS["area"], TreeOptions(threads=3, batch=2))
    before = set(threading.enumerate())
    asked = iter([False, False, True])
    assert len(list(search.run(Game.empty(5), Limits(), lambda: next(asked)))) == 4
    assert set(threading.enumerate()) <= before
    check_tree(search)


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


def test_two_passes_are_counted() -> None:
    board = "X X . X X / X X X X X / O O O O O / O O O O O / . O . O ."
    game = game_of(Position.from_diagram(board, -1)).play(pass_point(5))
    result = searched(game, Area(komi=-5.5), visits=60).result()
    assert result.move == pass_point(5)
    assert result.moves[0].value.wins == 1
    assert result.moves[0].value.deviation == 0


def test_what_a_node_costs() -> None:
    tree = new_tree(Position.empty(19), 100, frozenset())
    arrays = (tree.nodes, tree.priors, tree.ownership)
    assert sum(array.nbytes for array in arrays) / 100 <= 1300, "bytes: 130 MB for 100,000 nodes"
    assert NODE.itemsize <= 136


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
        check_tree(search)
        trees.append([(each.point, each.visits) for each in search.result().moves])
    assert trees[0] == trees[1] and len(trees[0]) > 3


def test_rollouts_judge_where_a_network_cannot(small_model: Path) -> None:
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
