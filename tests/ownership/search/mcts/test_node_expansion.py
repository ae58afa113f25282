"""The moves below a node, and the positions that they lead to."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.coords import BLACK, parse_gtp, pass_point
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.mcts.tree import EVALUATED, EXPANDED, NONE
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits
from tests.support.positions import random_positions
from tests.support.tree_searches import ALONE, Area, game_of, lines, searched, tree_of


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


def test_the_policy_may_be_left_out() -> None:
    options = TreeOptions(threads=1, batch=1, policy_share=0.0)
    search = searched(game_of(random_positions(5, 4)[2]), Area(noise=1.0), options, visits=1)
    priors = search.policy()
    assert priors[priors > 0] == pytest.approx(1 / np.count_nonzero(priors), abs=1e-4)


class Asking(Area):
    """Keeps the policy that the search gives while positions are evaluated."""

    search: TreeSearch

    def __init__(self) -> None:
        super().__init__()
        self.policies: list[NDArray[np.float32]] = []

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        if self.asked:
            self.policies.append(self.search.policy())
        return super().evaluate(positions)


def test_moves_that_are_being_evaluated_keep_their_priors() -> None:
    knowledge = Asking()
    knowledge.search = TreeSearch(knowledge, RULESETS["area"], replace(ALONE, batch=4))
    for _ in knowledge.search.run(Game.empty(3), Limits(visits=20)):
        pass
    assert len(knowledge.policies) > 3
    assert all((policy > 0).all() for policy in knowledge.policies)
