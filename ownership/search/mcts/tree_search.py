"""Monte-Carlo tree search with a network: PUCT, by workers who share a tree.

Each worker selects leaves, lets them be evaluated together, and backs the values up. Meanwhile virtual losses keep the
others away from these lines. The evaluator puts the batches of all workers in
one queue; no worker waits for another's, so that the networks always have work.
"""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import pass_point
from goban.errors import InputError, require_type
from goban.game import Game
from goban.position import Position
from goban.rulesets import Ruleset, Terms
from ownership.inference.evaluator import AnyEvaluator, as_evaluator
from ownership.inference.model_files import ModelFiles
from ownership.search.forbidden_moves import ForbiddenPlies
from ownership.search.leaf_evaluation import Knowledge, LeafValue, NetworkLeaves, RolloutLeaves
from ownership.search.mcts.kept_subtree import followed_node, move_root
from ownership.search.mcts.kernel_options import KernelOptions, kernel_options
from ownership.search.mcts.leaf_positions import leaf_positions
from ownership.search.mcts.leaf_selection import select_leaves
from ownership.search.mcts.node_expansion import expand, set_priors
from ownership.search.mcts.root_policy import root_policy, stirred_policy
from ownership.search.mcts.tree import EVALUATED, Leaves, SearchTree, new_leaves, new_tree
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_ownership import TreeOwnership, ownership_of
from ownership.search.mcts.tree_result import TreeResult, result_of
from ownership.search.mcts.value_backup import back_up, revalue
from ownership.search.mcts.visit_limits import VisitLimits, room_for, visits_of, waiting_visits
from ownership.search.search_limits import Limits

_WAIT: Final = 0.01  # seconds until a worker who found nothing to do looks again
_GAME: Final = "a Game, such as Game.empty(9)"


def check_search_heads(model: ModelFiles, options: TreeOptions, name: str = "tree search") -> None:
    """Raise InputError if a model lacks a head that a search needs."""
    model.require_head("policy", name)
    if options.rollouts < 1:
        model.require_head("ownership", f"{name} without rollouts=1")


class TreeSearch:
    """A search that keeps its tree from move to move of a game; for one caller at a time.

    Args:
        knowledge: evaluates positions, and counts them after two passes.
        ruleset: decides about suicide; no position is repeated, under all rules.
        options: how to search.

    Raises:
        TypeError: options of another type.
    """

    def __init__(self, knowledge: Knowledge, ruleset: Ruleset, options: TreeOptions) -> None:
        require_type(TreeOptions, "TreeOptions()", options)
        self.options = options
        self._knowledge = knowledge
        self._suicide = ruleset.suicide
        self._terms: Terms | None = None  # that its games have; None for any
        self._tree: SearchTree | None = None
        self._game: Game | None = None  # whose position is at the root
        self._restricted = False
        self._changed = threading.Condition()  # over the tree
        self._stopping = False
        self._centre = 0.0  # points around which the score counts
        self._limits = VisitLimits(Limits(), time.monotonic())

    @classmethod
    def of_game(cls, evaluator: AnyEvaluator, game: Game, options: TreeOptions, symmetries: int = 1) -> "TreeSearch":
        """Return a search by the rules and the komi of a game.

        Args:
            evaluator: a model by name or directory, loaded, or an evaluator of your own; with a policy, and with
                ownership unless leaves are valued by rollouts alone.
            game: with the terms by which leaves are valued.
            options: how to search; their seed is also that of symmetries.
            symmetries: 1 evaluates each leaf in one symmetry, 8 averages over all.

        Raises:
            InputError: the model lacks a head.
            TypeError: an argument of another type.
        """
        require_type(Game, _GAME, game)
        require_type(TreeOptions, "TreeOptions()", options)
        evaluator = as_evaluator(evaluator)
        check_search_heads(evaluator.files, options)
        knowledge: Knowledge
        if options.rollouts:
            knowledge = RolloutLeaves(evaluator, game.terms, options.rollouts, symmetries, options.seed)
        else:
            knowledge = NetworkLeaves(evaluator, game.ruleset, game.terms.total_komi, symmetries, options.seed)
        search = cls(knowledge, game.ruleset, options)
        search._terms = game.terms
        return search

    def run(
        self,
        game: Game,
        limits: Limits,
        interrupted: Callable[[], bool] = lambda: False,
        forbidden: ForbiddenPlies | None = None,
    ) -> Iterator[int]:
        """Search the position of a game and yield the visits at the root, again and again, until a limit is reached.

        Args:
            game: its positions may not come back; with the rules, komi and handicap of `of_game`.
            limits: all but the depth; nodes are those that the tree holds, at most 200,000 by default. Where the game
                has ended, each visit counts as an evaluation.
            interrupted: called after each batch; the search ends when it returns True.
            forbidden: the ply up to which moves may not be made; None for none.

        `result` and `ownership` may be called whenever it yields, and after. When the generator ends or is closed,
        no worker is left.

        Raises:
            InputError: a game with other rules, komi or handicap.
            TypeError: a game or limits of another type.
        """
        require_type(Game, _GAME, game)
        if self._terms is not None and self._terms != game.terms:
            expected, found = _text_of(self._terms), _text_of(game.terms)
            raise InputError(f"expected a game by {expected}, as the search. Received: {found}")
        require_type(Limits, "Limits, such as Limits(visits=800)", limits)
        self._limits, self._stopping = VisitLimits(limits, time.monotonic()), False
        tree = self._start(game, forbidden)
        yield visits_of(tree)
        helpers = self.options.threads - 1
        with ThreadPoolExecutor(max(1, helpers), "search") as threads:
            others = [threads.submit(self._help, game) for _ in range(helpers)]
            try:
                yield from self._search(game, interrupted, others)
            finally:
                with self._changed:
                    self._stopping = True
                    self._changed.notify_all()
        for each in others:
            each.result()
        yield visits_of(tree)

    def result(self) -> TreeResult:
        """Return what was found in the position of the last `run`; raise RuntimeError before the first."""
        with self._changed:
            tree = self._searched()
            evaluations = visits_of(tree) - self._limits.kept
            return result_of(tree, self.options, evaluations, time.monotonic() - self._limits.began)

    def ownership(self) -> tuple[TreeOwnership, dict[int, TreeOwnership]]:
        """Return the ownership averaged over the tree, and over what is below each move at the root, by point."""
        with self._changed:
            return ownership_of(self._searched(), self._side)

    def policy(self) -> NDArray[np.float32]:
        """Return float32 (N*N + 1,): the prior of each move at the root, 0 where it is no move; they sum to 1."""
        with self._changed:
            priors = root_policy(self._searched())
        shares: NDArray[np.float32] = priors / priors.sum()
        return shares

    def _searched(self) -> SearchTree:
        if self._tree is None:
            raise RuntimeError("expected a search first: `for visits in search.run(game, limits)`. Received: none yet")
        return self._tree

    @property
    def _side(self) -> int:
        assert self._game is not None
        return self._game.side

    def _start(self, game: Game, forbidden: ForbiddenPlies | None) -> SearchTree:
        """Return a tree with the position of a game at its root, evaluated, which holds what is known of it."""
        same = self._game is not None and self._game.indexed_moves == game.indexed_moves
        tree = None if forbidden is not None or self._restricted else self._followed(game)
        if tree is not None:
            self._limits = replace(self._limits, kept=visits_of(tree))
        else:
            same = False
            tree = new_tree(game.position, room_for(self._limits.limits, 0), game.hashes, forbidden)
            self._back_up(tree, [0], self._knowledge.evaluate([game.position]), 0)
        if not same:
            self._move_centre(tree)
        if tree.nodes["state"][0] == EVALUATED:
            expand(tree, self._kernel_options(tree), 0, tree.root)
        self._tree, self._game, self._restricted = tree, game, forbidden is not None
        if not same and (self.options.noise or self.options.policy_temperature != 1):
            set_priors(tree, stirred_policy(root_policy(tree), self.options, len(game.indexed_moves)))
        return tree

    def _move_centre(self, tree: SearchTree) -> None:
        """Let the score count around what the root expects, in values of visits before as well."""
        root = tree.nodes[0]
        share = 0.0 if self.options.rollouts else self.options.score_centre
        self._centre = share * float(root["score"]) / int(root["visits"])
        revalue(tree, self._kernel_options(tree))

    def _followed(self, game: Game) -> SearchTree | None:
        """Return the part of the last tree below the position of a game that continues, or None."""
        before, tree = self._game, self._tree
        node = None if before is None or tree is None else followed_node(tree, before, game)
        if tree is None or node is None:
            return None
        room = room_for(self._limits.limits, int(tree.nodes[node]["visits"]))
        if node == 0 and room <= len(tree.nodes):
            return tree
        new = new_tree(game.position, room, game.hashes)
        move_root(tree, node, new)
        return new

    def _search(self, game: Game, interrupted: Callable[[], bool], others: Sequence[Future[None]]) -> Iterator[int]:
        """Work until a limit is reached, and yield the visits after each batch."""
        assert self._tree is not None
        leaves = new_leaves(game.side, self.options.batch)
        while not (self._ends() or interrupted() or any(each.done() for each in others)):
            self._step(game, leaves)
            yield visits_of(self._tree)

    def _ends(self) -> bool:
        assert self._tree is not None
        with self._changed:
            return self._limits.reached(self._tree)

    def _help(self, game: Game) -> None:
        leaves = new_leaves(game.side, self.options.batch)
        while not self._stopping:
            self._step(game, leaves)

    def _step(self, game: Game, leaves: Leaves) -> None:
        """Evaluate a batch of leaves, or wait a moment where there are none."""
        tree = self._tree
        assert tree is not None
        with self._changed:
            wanted = 0 if self._stopping else self._limits.batch(tree, self.options)
            count = select_leaves(tree, self._kernel_options(tree), leaves, wanted)
            if count == 0:
                if waiting_visits(tree):
                    self._changed.wait(_WAIT)
                return
            nodes = leaves.nodes[:count].tolist()
            passes = tree.nodes["passes"][nodes].tolist()
            positions = leaf_positions(tree, game.position, leaves, nodes)
        try:
            answers = self._answers(positions, passes)
        except BaseException:
            self._game = None  # visits of this tree would wait for ever: the next search begins another one
            raise
        with self._changed:
            self._back_up(tree, nodes, answers, 1)
            self._changed.notify_all()

    def _answers(self, positions: Sequence[Position], passes: Sequence[int]) -> list[LeafValue]:
        """Return the evaluation of each position, by the count where the game has ended."""
        going_on = [position for position, count in zip(positions, passes, strict=True) if count < 2]
        evaluated = iter(self._knowledge.evaluate(going_on) if going_on else ())
        return [
            next(evaluated) if count < 2 else self._knowledge.ended(position)
            for position, count in zip(positions, passes, strict=True)
        ]

    def _kernel_options(self, tree: SearchTree) -> KernelOptions:
        return kernel_options(self.options, math.isqrt(tree.ownership.shape[1]), self._suicide, self._centre)

    def _back_up(self, tree: SearchTree, nodes: Sequence[int], leaves: Sequence[LeafValue], waited: int) -> None:
        points = tree.ownership.shape[1]
        alike, neutral = np.full(points + 1, 1 / (points + 1), np.float32), np.zeros(points, np.float32)
        policies = np.array([alike if leaf.policy is None else leaf.policy for leaf in leaves])
        owners = np.array([neutral if leaf.ownership is None else leaf.ownership.ravel() for leaf in leaves])
        values = np.array([(leaf.black_wins, leaf.score, leaf.deviation) for leaf in leaves])
        unplayed = np.zeros(points, np.int8)
        first = np.array([unplayed if leaf.first is None else leaf.first for leaf in leaves])
        back_up(tree, self._kernel_options(tree), np.array(nodes, np.int32), values, policies, owners, first, waited)


def _text_of(terms: Terms) -> str:
    return f"{terms.ruleset.name} rules, komi {terms.komi:g}, handicap {terms.handicap}"


class _Nothing:
    """Knows nothing about any position."""

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        return [self.ended(position) for position in positions]

    def ended(self, position: Position) -> LeafValue:
        return LeafValue(0.0)


def warm_up() -> None:
    """Call every kernel of the search, so that numba caches it on disk."""
    game = Game.empty(2)
    search = TreeSearch(_Nothing(), game.ruleset, TreeOptions(threads=1, noise=0.1))
    for each in (game, game.play(pass_point(2))):
        for _ in search.run(each, Limits(visits=8)):
            pass
    search.result()
    search.ownership()
