"""Negamax with principal-variation search, one result per depth.

Inside, a value is a whole number of thousandths of a point from the view of the side to move: sums and windows are
exact, so that every technique finds the same value as the plain minimax of the same candidates.
"""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from goban.coords import pass_point
from goban.position import Position
from ownership.inference.cache import LRUCache
from ownership.search.candidates import Policy, candidates, unsettled_moves
from ownership.search.leaves import Count, Evaluate, Leaf
from ownership.search.options import Limits, SearchOptions
from ownership.search.table import EXACT, LOWER, UPPER, Entry, Node, Refutations, TranspositionTable

SCALE: Final = 1000
MAX_DEPTH: Final = 100
_INFINITE: Final = 10**12
_LEAST_CHANCE: Final = 1e-4  # of a move: policies say nothing about how rare the rarest moves are
_HISTORY_SHARE: Final = 0.1  # what the most frequent refutation adds to a move's chance when moves are put in order
_LEAVES: Final = 1 << 15
_WIDER: Final = 4


@dataclass(frozen=True)
class Result:
    """What a search knows after a depth.

    score: Black's points minus White's that the line leads to, komi included, less what unlikely moves cost. line: the
    best moves, the first one to be played now. nodes, evaluations, seconds: since the search began. complete: whether
    the depth was finished; if not, some moves at the root were not looked at.
    """

    depth: int
    score: float
    line: tuple[int, ...]
    nodes: int
    evaluations: int
    seconds: float
    complete: bool = True

    @property
    def move(self) -> int:
        """The move to play."""
        return self.line[0]


SearchResult = Result


class _Found(NamedTuple):
    """A value, the moves that lead to it, and the colours captured, as in `Entry`, while it was searched for."""

    value: int
    line: tuple[int, ...]
    taken: int


class _Child(NamedTuple):
    """A move, what it costs, the colours that it captures, and where it leads."""

    point: int
    cost: int
    takes: int
    node: Node


_Visit = Callable[[Node, int, int], _Found]


class _Stopped(Exception):
    """A limit was reached."""


class Search:
    """A search of one position, done once.

    Args:
        evaluate: what positions seem to be worth, siblings at once.
        count: what a position is worth after two passes.
        options: how to search. limits: when to end.
        interrupted: asked at every node; the search ends soon after it says so.
        earlier: Zobrist hashes of positions that may not come back.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        count: Count,
        options: SearchOptions,
        limits: Limits,
        interrupted: Callable[[], bool] = lambda: False,
        earlier: frozenset[int] = frozenset(),
    ) -> None:
        self._evaluate = evaluate
        self._count = count
        self._options = options
        self._limits = limits
        self._interrupted = interrupted
        self._seen = set(earlier)
        self._table = TranspositionTable()
        self._refutations = Refutations()
        self._leaves: LRUCache[tuple[int, ...], Leaf] = LRUCache(_LEAVES)
        self._nodes = self._evaluations = 0
        self._unfinished = False
        self._best: _Found | None = None

    def run(self, position: Position) -> Iterator[Result]:
        """Yield a result for depth 0, which is the likeliest move, and for each depth until a limit is reached.

        Ends when a deeper search would find the same. A depth that was not finished is the last result if its best
        move is known to be as good as the last one's.
        """
        self._began = time.monotonic()
        passed = position.recent[:1] == (pass_point(position.side),)
        root = Node(position, passes=int(passed), line=position.hash)
        self._seen.add(position.hash)
        first = self._children(root, ())[0][0].point
        last = _Found(self._static(root), (first,), 0)
        yield self._result(root, 0, last)
        depth = 1 if self._options.uses("deepening") else self._deepest
        self._unfinished = True
        while 0 < depth <= self._deepest and self._unfinished:
            self._unfinished, self._best = False, None
            try:
                last = self._aspire(root, depth, last.value)
            except _Stopped:
                yield from self._partial_result(root, depth)
                return
            yield self._result(root, depth, last)
            depth += 1

    def _partial_result(self, root: Node, depth: int) -> Iterator[Result]:
        if self._best is not None:
            yield self._result(root, depth, self._best, complete=False)

    @property
    def _deepest(self) -> int:
        return MAX_DEPTH if self._limits.depth is None else self._limits.depth

    def _result(self, root: Node, depth: int, found: _Found, complete: bool = True) -> Result:
        seconds = time.monotonic() - self._began
        score = found.value * root.position.to_move / SCALE
        return Result(depth, score, found.line, self._nodes, self._evaluations, seconds, complete)

    def _aspire(self, root: Node, depth: int, expected: int) -> _Found:
        """Search the root, in a window around the expected value that grows until it holds the value."""
        width = round(self._options.window * SCALE)
        alpha, beta = -_INFINITE, _INFINITE
        if self._options.uses("aspiration") and depth > 1:
            alpha, beta = expected - width, expected + width
        while True:
            found = self._search(root, depth, alpha, beta)
            if alpha < found.value < beta or not self._options.uses("pruning"):
                return found
            width *= _WIDER
            wide = width > _WIDER**3 * self._options.window * SCALE
            if found.value <= alpha:
                alpha = -_INFINITE if wide else found.value - width
            else:
                beta = _INFINITE if wide else found.value + width

    def _search(self, node: Node, depth: int, alpha: int, beta: int) -> _Found:
        """Return what a node is worth `depth` plies deep.

        The value is exact if it lies between alpha and beta, else a bound: the true value is no higher than a value up
        to alpha, and no lower than one from beta on.
        """
        self._enter()
        if node.passes == 2:
            return _Found(round(SCALE * self._count(node.position)) * node.position.to_move, (), 0)
        if depth <= 0:
            self._unfinished = True
            return self._settle(node, self._options.quiet_plies, alpha, beta)
        entry = self._table.find(node) if self._options.uses("transpositions") else None
        if entry and (entry.ply, entry.depth) == (node.ply, depth) and entry.decides(alpha, beta):
            return _Found(entry.value, entry.line, entry.taken)
        children, taken = self._children(node, entry.line[:1] if entry else ())
        found = self._best_of(children, alpha, beta, _Found(-_INFINITE, (), taken), self._deeper(depth - 1))
        if found.value >= beta:
            self._refutations.note(node, found.line[0], depth)
        if self._options.uses("transpositions"):
            bound = UPPER if found.value <= alpha else LOWER if found.value >= beta else EXACT
            self._table.store(node, Entry(node.ply, depth, found.value, bound, found.line, found.taken))
        return found

    def _settle(self, node: Node, plies: int, alpha: int, beta: int) -> _Found:
        """Return what a node is worth once captures and escapes from atari are played out, at most `plies` of them.

        The side to move may also leave it at what the position seems to be worth. The value is one of `_search`.
        """
        found = _Found(self._static(node), (), 0)
        if not (plies and self._options.uses("quiescence")) or (found.value >= beta and self._options.uses("pruning")):
            return found
        moves = unsettled_moves(node.position, self._leaf(node.position).policy, self._options)
        children, taken = self._reachable(node, moves, dict.fromkeys(moves, 0))
        return self._best_of(children, alpha, beta, found._replace(taken=taken), self._quieter(plies - 1))

    def _deeper(self, depth: int) -> _Visit:
        return lambda node, alpha, beta: self._search(node, depth, alpha, beta)

    def _quieter(self, plies: int) -> _Visit:
        def visit(node: Node, alpha: int, beta: int) -> _Found:
            self._enter()
            return self._settle(node, plies, alpha, beta)

        return visit

    def _best_of(self, children: Sequence[_Child], alpha: int, beta: int, best: _Found, visit: _Visit) -> _Found:
        """Return the best of `best` and the children, as seen by the mover; see `_search` for the value."""
        pruning = self._options.uses("pruning")
        value, line, taken = best
        for index, child in enumerate(children):
            bound = max(alpha, value) if pruning else -_INFINITE
            self._evaluate_all(children[index : index + self._options.batch])
            found = self._visit(child, bound, beta if pruning else _INFINITE, visit, first=index == 0)
            taken |= found.taken | child.takes
            if -found.value - child.cost > value:
                value, line = -found.value - child.cost, (child.point, *found.line)
                if child.node.ply == 1 and value > alpha:
                    self._best = _Found(value, line, taken)
            if pruning and value >= beta:
                break
        return _Found(value, line, taken)

    def _visit(self, child: _Child, alpha: int, beta: int, visit: _Visit, first: bool) -> _Found:
        """Return what a child is worth for the other side, whose window is the mover's turned over."""
        low, high = -beta - child.cost, -alpha - child.cost
        repeated = child.node.position.hash in self._seen  # after a pass
        self._seen.add(child.node.position.hash)
        try:
            if not first and self._options.uses("null-window") and high - low > 1 and self._options.uses("pruning"):
                found = visit(child.node, high - 1, high)
                if not low < found.value < high:
                    return found
            return visit(child.node, low, high)
        finally:
            if not repeated:
                self._seen.remove(child.node.position.hash)

    def _children(self, node: Node, known: Sequence[int]) -> tuple[list[_Child], int]:
        """Return the candidates, those to be tried first in front, or a pass, and the colours that the rest captures.

        Args: `known`, moves that were best before.
        """
        position, (_, policy, deviation) = node.position, self._leaf(node.position)
        moves = candidates(position, policy, self._options, node.ply, node.passes)
        killers = self._refutations.killers(node.ply) if self._options.uses("killers") else ()
        costs = _costs(moves, policy, self._options.policy_weight * deviation)

        def rank(move: int) -> tuple[bool, bool, float]:
            chance = 0.0 if policy is None else float(policy[move])
            if self._options.uses("history"):
                chance += _HISTORY_SHARE * self._refutations.share(position.to_move, move)
            return move not in known, move not in killers, -chance

        children, forbidden = self._reachable(node, sorted(moves, key=rank), costs)
        return children or [_child(node, pass_point(position.side), 0)], forbidden

    def _reachable(self, node: Node, moves: Sequence[int], costs: Mapping[int, int]) -> tuple[list[_Child], int]:
        """Return the moves that repeat no position and the colours that the others would capture."""
        children, forbidden = [], 0
        for move in moves:
            child = _child(node, move, costs[move])
            if move != pass_point(node.position.side) and child.node.position.hash in self._seen:
                forbidden |= child.takes
            else:
                children.append(child)
        return children, forbidden

    def _static(self, node: Node) -> int:
        """Return what a node seems to be worth without a search."""
        return round(SCALE * self._leaf(node.position).score) * node.position.to_move

    def _leaf(self, position: Position) -> Leaf:
        key = _leaf_key(position)
        if key not in (known := self._leaves.find([key])):
            self._ask({key: position})
            known = self._leaves.find([key])
        return known[key]

    def _evaluate_all(self, children: Sequence[_Child]) -> None:
        """Evaluate children that are about to be visited, unless the first of them is known already."""
        positions = {_leaf_key(child.node.position): child.node.position for child in children if child.node.passes < 2}
        known = self._leaves.find(positions)
        first = children[0].node
        if first.passes < 2 and _leaf_key(first.position) not in known:
            self._ask({key: position for key, position in positions.items() if key not in known})

    def _ask(self, positions: Mapping[tuple[int, ...], Position]) -> None:
        self._evaluations += len(positions)
        self._leaves.add(dict(zip(positions, self._evaluate(list(positions.values())), strict=True)))

    def _enter(self) -> None:
        """Count a node, or end the search."""
        limits = self._limits
        late = limits.seconds is not None and time.monotonic() - self._began >= limits.seconds
        asked_enough = limits.evaluations is not None and self._evaluations >= limits.evaluations
        if late or asked_enough or self._nodes == limits.nodes or self._interrupted():
            raise _Stopped
        self._nodes += 1


def _child(node: Node, move: int, cost: int) -> _Child:
    before, after = node.position, node.position.play(move)
    by_black, by_white = (new - old for new, old in zip(after.prisoners, before.prisoners, strict=True))
    takes = (1 if by_white else 0) | (2 if by_black else 0)
    passed = move == pass_point(before.side)
    passes, line = (node.passes + 1, node.line) if passed else (0, node.line ^ after.hash)
    return _Child(move, cost, takes, Node(after, node.ply + 1, passes, node.taken | takes, line))


def _costs(moves: Sequence[int], policy: Policy, weight: float) -> dict[int, int]:
    """Return what each move costs for being less likely than the likeliest one: `weight` points for e times less."""
    if policy is None or not weight:
        return dict.fromkeys(moves, 0)
    logs = [math.log(max(_LEAST_CHANCE, float(policy[move]))) for move in moves]
    return {move: round(SCALE * weight * (max(logs) - log)) for move, log in zip(moves, logs, strict=True)}


def _leaf_key(position: Position) -> tuple[int, ...]:
    return position.hash, position.to_move, position.ko
