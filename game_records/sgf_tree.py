"""A game as a tree of nodes of SGF: read, written, and changed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from game_records.sgf_grammar import SETUP, SgfNode, game_reader


@dataclass(slots=True)
class SgfTree:
    """The nodes of a game.

    Attributes:
        nodes: the root first, with its set-up; at least one.
        next: the numbers of the nodes that follow each, the main line's first.
    """

    nodes: list[SgfNode]
    next: list[list[int]]

    @classmethod
    def of_line(cls, nodes: Sequence[SgfNode]) -> "SgfTree":
        """Return the tree of nodes that follow each other."""
        return cls(list(nodes), [*([number] for number in range(1, len(nodes))), []])

    def add(self, before: int, node: SgfNode) -> int:
        """Add a node as the last that follows another, and return its number."""
        self.nodes.append(node)
        self.next.append([])
        self.next[before].append(len(self.nodes) - 1)
        return len(self.nodes) - 1

    def main_line(self) -> Iterator[int]:
        """Yield the numbers of the nodes of the main line."""
        number = 0
        yield number
        while self.next[number]:
            number = self.next[number][0]
            yield number


def read_tree(data: bytes) -> SgfTree:
    """Return the tree of the first game in SGF `data`, which `parse_game` accepts; its encoding becomes UTF-8."""
    tree = SgfTree([], [])
    for before, node in game_reader(data).nodes():
        if tree.nodes:
            tree.add(max(before, 0), node)
        else:
            tree = SgfTree([node], [[]])
    tree = tree if tree.nodes else SgfTree([{}], [[]])
    tree.nodes[0]["CA"] = ["UTF-8"]
    return tree


def write_tree(tree: SgfTree) -> bytes:
    """Return a tree as SGF in UTF-8."""
    parts: list[str] = []
    waiting: list[int | str] = [")\n", 0, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(";" + "".join(f"{name}[{']['.join(values)}]" for name, values in tree.nodes[item].items()))
        marks = ("\n", "") if len(tree.next[item]) == 1 else ("\n(", ")")
        for number in reversed(tree.next[item]):
            waiting += (marks[1], number, marks[0])
    return "".join(parts).encode()


def nodes_by_ply(tree: SgfTree) -> dict[int, SgfNode]:
    """Return the nodes of the main line by the number of moves after which they show the position.

    Moves are counted from the last set-up on. That before the first move is shown by the last node before it.
    """
    nodes: dict[int, SgfNode] = {}
    for ply, number in main_line_by_ply(tree):
        if ply == 0 or ply not in nodes:
            nodes[ply] = tree.nodes[number]
    return nodes


def add_variation(tree: SgfTree, number: int, nodes: Sequence[SgfNode]) -> None:
    """Add a variation to the main line, after those that are there.

    Args:
        tree: the tree, which is changed. Nothing is added where the root holds the move.
        number: of the move, from 1, in whose place the variation begins.
        nodes: the variation's.
    """
    before = [node for ply, node in main_line_by_ply(tree) if ply < number]
    if before:
        last = before[-1]
        for node in nodes:
            last = tree.add(last, node)


def drop_variations(tree: SgfTree, chosen: Callable[[SgfNode], bool]) -> None:
    """Drop from a tree the variations, all but the main line, whose first node is one of those that are chosen."""
    for following in tree.next:
        following[1:] = [number for number in following[1:] if not chosen(tree.nodes[number])]


def main_line_by_ply(tree: SgfTree) -> list[tuple[int, int]]:
    """Return moves played and number of each node of the main line, from the last set-up after a move on."""
    line: list[tuple[int, int]] = []
    ply = 0
    for number in tree.main_line():
        node = tree.nodes[number]
        if ply and not node.keys().isdisjoint(SETUP):
            line, ply = [], 0
        ply += ("B" in node) + ("W" in node)
        line.append((ply, number))
    return line
