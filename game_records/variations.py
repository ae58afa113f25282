"""Lines of moves in the tree of a record: followed where they are there, else added as variations."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from game_records.sgf_grammar import SETUP, SgfNode
from game_records.sgf_tree import SgfTree, main_line_by_ply
from goban.coords import BLACK, WHITE, CoordinateError, colour_letter, parse_sgf, sgf_name
from goban.move_notation import IndexedMove

_WITH_A_MOVE: Final = ("B", "W", "BL", "WL", "OB", "OW", "MN", "BM", "DO", "IT", "TE")


def node_after(tree: SgfTree, moves: int) -> int:
    """Return the number of the last node of the main line before its next move.

    Args:
        tree: a root that holds a move becomes two nodes, if its first part is asked for.
        moves: how many were played before, counted from the last set-up on.
    """
    before = [number for ply, number in main_line_by_ply(tree) if ply <= moves]
    if not before:
        _split_root(tree)
        return 0
    return before[-1]


class Variation(NamedTuple):
    """A variation of the main line, to its end or a set-up.

    Attributes:
        after: how many moves of the main line come before it, counted from the last set-up on.
        moves: its moves.
        nodes: those that no variation before has: the number of moves before the position that each shows, and it.
    """

    after: int
    moves: list[IndexedMove]
    nodes: list[tuple[int, SgfNode]]


def variations(tree: SgfTree, side: int) -> Iterator[Variation]:
    """Yield each variation of the main line."""
    for (ply, number), (_, main) in pairwise(main_line_by_ply(tree)):
        for following in tree.next[number]:
            if following != main:
                yield from (line for line in _lines_from(tree, side, following, ply) if line.moves)


def _lines_from(tree: SgfTree, side: int, number: int, after: int) -> Iterator[Variation]:
    """Yield the lines from a node to each end of what follows it."""
    moves: list[IndexedMove] = []
    nodes: list[tuple[int, SgfNode]] = []
    waiting = [(number, 0)]
    while waiting:
        number, played = waiting.pop()
        del moves[played:]
        node = tree.nodes[number]
        has_move = "B" in node or "W" in node
        move = _move(node, side) if has_move else None
        goes_on = (move is not None or not has_move) and node.keys().isdisjoint(SETUP)
        moves += [move] if move is not None and goes_on else []
        nodes += [(after + len(moves), node)] if goes_on else []
        if goes_on and tree.next[number]:
            waiting += [(following, len(moves)) for following in reversed(tree.next[number])]
        else:
            yield Variation(after, list(moves), nodes)
            nodes = []


def add_line(tree: SgfTree, side: int, number: int, moves: Sequence[IndexedMove]) -> int:
    """Return the number of the node that a line of moves after a node ends at; add the moves that are not there.

    Args:
        tree: is changed.
        side: of its board.
        number: of the node that the line follows.
        moves: of the line.
    """
    for move in moves:
        next_number = _next_with(tree, side, number, move)
        colour, point = move
        node = {colour_letter(colour): [sgf_name(point, side)]}
        number = tree.add(number, node) if next_number is None else next_number
    return number


def _next_with(tree: SgfTree, side: int, number: int, move: IndexedMove) -> int | None:
    """Return the number of the node with a move that follows a node, perhaps behind nodes without moves."""
    waiting = tree.next[number][::-1]
    while waiting:
        following = waiting.pop()
        node = tree.nodes[following]
        if "B" not in node and "W" not in node:
            if node.keys().isdisjoint(SETUP):
                waiting += tree.next[following][::-1]
        elif _move(node, side) == move:
            return following
    return None


def _move(node: SgfNode, side: int) -> IndexedMove | None:
    name = "B" if "B" in node else "W"
    try:
        return BLACK if name == "B" else WHITE, parse_sgf(node[name][0].strip().lower(), side)
    except CoordinateError:
        return None


def _split_root(tree: SgfTree) -> None:
    """Move the first move from the root into a node of its own."""
    root, following = tree.nodes[0], tree.next[0]
    tree.next[0] = []
    number = tree.add(0, {name: root.pop(name) for name in _WITH_A_MOVE if name in root})
    tree.next[number] = following
