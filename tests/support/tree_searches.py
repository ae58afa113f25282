"""Tree searches of small boards, and what must hold of every tree."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from goban.counting.counted_score import tromp_taylor
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.search.leaf_evaluation import LeafValue
from ownership.search.mcts.tree import EXPANDED, NONE, SearchTree
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

ALONE = TreeOptions(threads=1, batch=1)


class Area:
    """Points surrounded now, with noise in points; a policy that prefers the middle, and more or less noise."""

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


def lines(tree: SearchTree) -> list[tuple[int, list[int]]]:
    """Every node with the nodes above it."""
    parents = tree.nodes["parent"][: tree.used[0]].tolist()
    above: list[list[int]] = []
    for parent in parents:
        above.append([] if parent == NONE else [*above[parent], parent])
    return list(enumerate(above))


_GRID = np.linspace(-200, 200, 400_001)
_DENSITY = (1 + _GRID**2 / 3) ** -2.0  # of the t-distribution with three degrees of freedom, but for a factor
_BELOW = (np.cumsum(_DENSITY) - _DENSITY / 2) / np.sum(_DENSITY)


def _shares(nodes: NDArray[np.void], weighting: float) -> NDArray[np.float64]:
    """What a visit of each node counts in its parent's value: more where the node is likelier to be the better one."""
    visits, parents = nodes["visits"][1:].astype(np.float64), nodes["parent"][1:]
    means = nodes["value"][1:] / np.maximum(visits, 1)

    def below(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        sums = np.zeros(len(nodes))
        np.add.at(sums, parents, weights)
        found: NDArray[np.float64] = sums[parents]
        return found

    better = nodes["to_move"][parents] * (means - below(visits * means) / np.maximum(below(visits), 1))
    found = (np.interp(better * np.sqrt(1.5 * np.sqrt(visits)), _GRID, _BELOW) + 1e-4) ** weighting
    counted: NDArray[np.float64] = found * below(visits) / np.maximum(below(found * visits), 1e-9)
    return counted


def check_tree(search: TreeSearch) -> None:
    """Visits and values add up, nothing waits, no line repeats a position, and every move is made once."""
    tree = tree_of(search)
    nodes = tree.nodes[: tree.used[0]]
    assert not nodes["virtual_losses"].any()
    own_visits, values = nodes["own_visits"], nodes["own_value"].astype(np.float64)
    sums = {"score": nodes["own_score"], "value": values, "value_squared": values**2, "wins": nodes["own_wins"]}
    counted = _shares(nodes, 0.0 if search.options.rollouts else search.options.value_weighting)
    for name, own, share in [("visits", 1, 1), *((name, each, counted) for name, each in sums.items())]:
        below = np.bincount(nodes["parent"][1:], share * nodes[name][1:], len(nodes))
        assert nodes[name] == pytest.approx(own_visits * own + below, abs=1e-2, rel=1e-4)
    visited = nodes[nodes["visits"] > 0]
    assert (np.abs(visited["value"] / visited["visits"]) <= 1.3).all()
    assert (visited["wins"] >= 0).all() and (visited["wins"] <= visited["visits"] * (1 + 1e-12)).all()
    for node, above in lines(tree):
        hashes = nodes["hash"][above].tolist()
        assert len(set(hashes)) == len(hashes) - int((nodes["move"][above[1:]] == tree.ownership.shape[1]).sum())
        if nodes["state"][node] == EXPANDED:
            below = np.flatnonzero(nodes["parent"] == node)
            moves = nodes["move"][below].tolist()
            assert len(moves) == len(set(moves))
            assert not tree.priors[node][moves].any(), "each move is tried once"
