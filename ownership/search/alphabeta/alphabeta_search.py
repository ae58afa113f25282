"""Negamax with principal-variation search, one result per depth.

A value is a whole number of thousandths of a point from the view of the side to move: sums and windows are exact. Let
v* be the value of a node by plain minimax of the same candidates. `_search(node, depth, alpha, beta)` returns v with

    alpha < v < beta   =>  v* == v
    v <= alpha         =>  v* <= v
    beta <= v          =>  v <= v*

so that every technique changes how many nodes are searched, and none changes the result.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from goban.coords import pass_point
from goban.position import Position
from ownership.inference.thread_safe_lru_cache import LRUCache
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.alphabeta.candidate_moves import Policy, moves_to_try, unsettled_moves
from ownership.search.alphabeta.transposition_table import (
    EXACT,
    LOWER,
    UPPER,
    Refutations,
    SearchNode,
    TableEntry,
    TranspositionTable,
)
from ownership.search.leaf_evaluation import CountEnded, Evaluate, LeafValue
from ownership.search.search_limits import Limits
from ownership.search.search_result import SearchResult

SCALE: Final = 1000
MAX_DEPTH: Final = 100
_INFINITE: Final = 10**12
_LEAST_CHANCE: Final = 1e-4  # of a move: policies do not predict how rare the rarest moves are
_HISTORY_SHARE: Final = 0.1  # what the most frequent refutation adds to a move's probability when moves are ordered
# Leaves are kept by position, so that a search gives a position one value, however it was reached; of 16,000 lookups in
# 24 moves of 150 evaluations on 9x9 they answered 71%. The evaluator's own cache distinguishes the last moves and lives
# longer than a search: it held 29% of the positions of these searches.
_LEAVES: Final = 1 << 15
_WIDER: Final = 4

_LeafKey = tuple[int, int, int]


class _Found(NamedTuple):
    """The value of a node, the moves to it, and the colours captured in the search for it, as in `TableEntry`."""

    value: int
    line: tuple[int, ...]
    taken: int


class _Child(NamedTuple):
    """A move, what it costs, the colours that it captures, and the node after it."""

    point: int
    cost: int
    takes: int
    node: SearchNode


class _Stopped(Exception):
    """A limit was reached."""


class AlphaBetaSearch:
    """A search of one position, done once.

    Args:
        evaluate: evaluates leaves.
        count: counts a position after two passes.
        options: how to search.
        limits: where to end.
        interrupted: called at every node; the search ends when it returns True.
        earlier: Zobrist hashes of positions that may not come back.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        count: CountEnded,
        options: AlphaBetaOptions,
        limits: Limits,
        interrupted: Callable[[], bool] = lambda: False,
        earlier: frozenset[int] = frozenset(),
    ) -> None:
        self._evaluate = evaluate
        self._count = count
        self._options = options
        self._limits = limits
        self._interrupted = interrupted
        self._earlier = earlier
        self._table = TranspositionTable()
        self._refutations = Refutations()
        self._leaves: LRUCache[_LeafKey, LeafValue] = LRUCache(_LEAVES)
        self._nodes = self._evaluations = 0
        self._cut_short = False  # whether the depth in progress ended some line before the end of the game
        self._best: _Found | None = None  # of the moves at the root, at the depth in progress

    def run(self, position: Position) -> Iterator[SearchResult]:
        """Yield a result for depth 0, which is the likeliest move, and for each depth until a limit is reached.

        Ends when a deeper search would find the same. A depth that was not finished is the last result if its best
        move is known to be as good as the last one's.
        """
        self._began = time.monotonic()
        passed = position.recent[:1] == (pass_point(position.side),)
        root = SearchNode(position, passes=int(passed), line=frozenset([position.hash]))
        likeliest = self._candidates(root, None)[0][0].point
        last = _Found(self._static(root), (likeliest,), 0)
        yield self._result(root, 0, last)
        deepest = MAX_DEPTH if self._limits.depth is None else self._limits.depth
        depth = 1 if self._options.uses("deepening") else deepest
        self._cut_short = True
        while 0 < depth <= deepest and self._cut_short:
            self._begin_depth()
            try:
                last = self._search_root(root, depth, last.value)
            except _Stopped:
                if self._best is not None:
                    yield self._result(root, depth, self._best, complete=False)
                return
            yield self._result(root, depth, last)
            depth += 1

    def _begin_depth(self) -> None:
        self._cut_short, self._best = False, None

    def _result(self, root: SearchNode, depth: int, found: _Found, complete: bool = True) -> SearchResult:
        seconds = time.monotonic() - self._began
        score = found.value * root.position.to_move / SCALE
        return SearchResult(depth, score, found.line, self._nodes, self._evaluations, seconds, complete)

    def _search_root(self, root: SearchNode, depth: int, expected: int) -> _Found:
        """Return the exact value of the root, from windows around the expected one that grow until they hold it."""
        window = self._options.window * SCALE
        width, widest = round(window), _WIDER**3 * window
        alpha, beta = -_INFINITE, _INFINITE
        if self._options.uses("aspiration") and depth > 1:
            alpha, beta = expected - width, expected + width
        while True:
            found = self._search(root, depth, alpha, beta)
            if alpha < found.value < beta or not self._options.uses("pruning"):
                return found
            width *= _WIDER
            if found.value <= alpha:
                alpha = -_INFINITE if width > widest else found.value - width
            else:
                beta = _INFINITE if width > widest else found.value + width

    def _search(self, node: SearchNode, depth: int, alpha: int, beta: int) -> _Found:
        """Return the value of a node, or the bound of it that the module's docstring defines; see `_search_moves`.

        With `softening`, the value below the root is a mean of the best move's and of the node's own evaluation. It
        grows with the value of the best move, so that windows stay exact.
        """
        share = self._options.softening
        if share == 0 or depth <= 0 or node.ply == 0 or node.passes == 2:
            return self._search_moves(node, depth, alpha, beta)
        own = share * self._static(node)
        low, high = math.floor((alpha - own) / (1 - share)), math.ceil((beta - own) / (1 - share))
        found = self._search_moves(node, depth, low, high)
        return found._replace(value=round((1 - share) * found.value + own))

    def _search_moves(self, node: SearchNode, depth: int, alpha: int, beta: int) -> _Found:
        """Return the value of the best move of a node, or of a leaf, or a bound of it.

        Args:
            node: the position, and what its value depends on besides.
            depth: plies to search; from 0 down captures and escapes from atari alone, until -quiet_plies.
            alpha: lower end of the window.
            beta: upper end of the window.

        Raises:
            _Stopped: a limit was reached.
        """
        uses, pruning = self._options.uses, self._options.uses("pruning")
        # 1. Limits.
        self._count_node()
        # 2. Two passes end the game.
        if node.passes == 2:
            return _Found(round(SCALE * self._count(node.position)) * node.position.to_move, (), 0)
        if depth <= 0:
            # 3. A leaf: the mover may leave it at the evaluation, or capture and escape.
            self._cut_short = True
            best = _Found(self._static(node), (), 0)
            quiet = depth == -self._options.quiet_plies or not uses("quiescence")
            if quiet or (best.value >= beta and pruning):
                return best
            entry, (children, forbidden) = None, self._quiescence_moves(node)
        else:
            # 4. The transposition table decides, or names the move to try first.
            entry = self._table.find(node) if uses("transpositions") else None
            if entry and (entry.ply, entry.depth) == (node.ply, depth) and entry.decides(alpha, beta):
                return _Found(entry.value, entry.line, entry.taken)
            best = _Found(-_INFINITE, (), 0)
            children, forbidden = self._candidates(node, entry)
        # 5. The moves; each must be better than the best one so far.
        value, line, taken = best.value, best.line, forbidden
        for number, child in enumerate(children):
            self._evaluate_batch(children[number : number + self._options.batch])
            low, high = -_INFINITE, _INFINITE  # the child's window
            if pruning:
                low, high = -beta - child.cost, -max(alpha, value) - child.cost
            # 6. A null window tests whether a later move is better; the whole window then finds by how much.
            null_window = number > 0 and high - low > 1 and pruning and uses("null-window")
            found = self._search(child.node, depth - 1, high - 1 if null_window else low, high)
            if null_window and low < found.value < high:
                found = self._search(child.node, depth - 1, low, high)
            # 7. The best move; a refutation makes the others superfluous.
            taken |= found.taken | child.takes
            if -found.value - child.cost > value:
                value, line = -found.value - child.cost, (child.point, *found.line)
                if node.ply == 0 and value > alpha:
                    self._best = _Found(value, line, taken)
            if pruning and value >= beta:
                break
        # 8. What the search of a node proves is remembered.
        if depth > 0:
            self._remember(node, depth, (alpha, beta), _Found(value, line, taken))
        return _Found(value, line, taken)

    def _remember(self, node: SearchNode, depth: int, window: tuple[int, int], found: _Found) -> None:
        """Note a refutation, and store the value as a bound or an exact value of the node."""
        alpha, beta = window
        if found.value >= beta:
            self._refutations.note(node, found.line[0], depth)
        if self._options.uses("transpositions"):
            bound = UPPER if found.value <= alpha else LOWER if found.value >= beta else EXACT
            self._table.store(node, TableEntry(node.ply, depth, found.value, bound, found.line, found.taken))

    def _candidates(self, node: SearchNode, entry: TableEntry | None) -> tuple[list[_Child], int]:
        """Return the candidates that repeat no position, in the order to try them, or else a pass; as `_reachable`.

        Args:
            node: where to move.
            entry: what the table holds about the node; its best move is tried first.
        """
        position, leaf = node.position, self._leaf(node.position)
        policy = leaf.policy
        known = entry.line[:1] if entry else ()
        moves = moves_to_try(position, policy, self._options, node.ply, node.passes)
        killers = self._refutations.killers(node.ply) if self._options.uses("killers") else ()
        costs = _costs(moves, policy, self._options.policy_weight * leaf.deviation)

        def rank(move: int) -> tuple[bool, bool, float]:
            chance = 0.0 if policy is None else float(policy[move])
            if self._options.uses("history"):
                chance += _HISTORY_SHARE * self._refutations.share(position.to_move, move)
            return move not in known, move not in killers, -chance

        children, forbidden = self._reachable(node, sorted(moves, key=rank), costs)
        return children or [_child(node, pass_point(position.side), 0)], forbidden

    def _quiescence_moves(self, node: SearchNode) -> tuple[list[_Child], int]:
        """Return the captures and escapes from atari, which cost nothing; as `_reachable`."""
        moves = unsettled_moves(node.position, self._leaf(node.position).policy, self._options)
        return self._reachable(node, moves, dict.fromkeys(moves, 0))

    def _reachable(self, node: SearchNode, moves: Sequence[int], costs: Mapping[int, int]) -> tuple[list[_Child], int]:
        """Return the moves that repeat no position, and the colours that the others would capture: see `TableEntry`."""
        children, forbidden = [], 0
        for move in moves:
            child = _child(node, move, costs[move])
            after = child.node.position.hash
            if move != pass_point(node.position.side) and (after in node.line or after in self._earlier):
                forbidden |= child.takes
            else:
                children.append(child)
        return children, forbidden

    def _static(self, node: SearchNode) -> int:
        return round(SCALE * self._leaf(node.position).score) * node.position.to_move

    def _leaf(self, position: Position) -> LeafValue:
        key = _leaf_key(position)
        if key not in (known := self._leaves.find([key])):
            self._ask({key: position})
            known = self._leaves.find([key])
        return known[key]

    def _evaluate_batch(self, children: Sequence[_Child]) -> None:
        """Evaluate children that are searched next, unless the first of them is known already."""
        positions = {_leaf_key(child.node.position): child.node.position for child in children if child.node.passes < 2}
        known = self._leaves.find(positions)
        first = children[0].node
        if first.passes < 2 and _leaf_key(first.position) not in known:
            self._ask({key: position for key, position in positions.items() if key not in known})

    def _ask(self, positions: Mapping[_LeafKey, Position]) -> None:
        self._evaluations += len(positions)
        self._leaves.add(dict(zip(positions, self._evaluate(list(positions.values())), strict=True)))

    def _count_node(self) -> None:
        """Count a node; raise _Stopped at a limit."""
        limits = self._limits
        late = limits.seconds is not None and time.monotonic() - self._began >= limits.seconds
        evaluated_enough = limits.evaluations is not None and self._evaluations >= limits.evaluations
        if late or evaluated_enough or self._nodes == limits.nodes or self._interrupted():
            raise _Stopped
        self._nodes += 1


def _child(node: SearchNode, move: int, cost: int) -> _Child:
    before, after = node.position, node.position.play(move)
    by_black, by_white = (new - old for new, old in zip(after.prisoners, before.prisoners, strict=True))
    takes = (1 if by_white else 0) | (2 if by_black else 0)
    passes = node.passes + 1 if move == pass_point(before.side) else 0
    return _Child(
        move, cost, takes, SearchNode(after, node.ply + 1, passes, node.taken | takes, node.line | {after.hash})
    )


def _costs(moves: Sequence[int], policy: Policy, weight: float) -> dict[int, int]:
    """Return what each move costs for being less likely than the likeliest one: `weight` points for e times less."""
    if policy is None or not weight:
        return dict.fromkeys(moves, 0)
    logs = [math.log(max(_LEAST_CHANCE, float(policy[move]))) for move in moves]
    return {move: round(SCALE * weight * (max(logs) - log)) for move, log in zip(moves, logs, strict=True)}


def _leaf_key(position: Position) -> _LeafKey:
    return position.hash, position.to_move, position.ko
