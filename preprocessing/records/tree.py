"""The tree of an SGF record, with all its properties and variations, to add to and write again."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from preprocessing.records.grammar import SETUP, Node, game_reader, written


@dataclass(slots=True)
class Tree:
    """The nodes of a game.

    Attributes:
        nodes: the root first, with its set-up; at least one.
        next: the numbers of the nodes that follow each, the main line's first.
    """

    nodes: list[Node]
    next: list[list[int]]

    @classmethod
    def of_line(cls, nodes: Sequence[Node]) -> "Tree":
        """Return the tree of nodes that follow each other."""
        return cls(list(nodes), [*([number] for number in range(1, len(nodes))), []])

    def add(self, before: int, node: Node) -> int:
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


def read_tree(data: bytes) -> Tree:
    """Return the tree of the first game in SGF `data`, which `parse_game` accepts; its encoding becomes UTF-8."""
    tree = Tree([], [])
    for before, node in game_reader(data).nodes():
        if tree.nodes:
            tree.add(max(before, 0), node)
        else:
            tree = Tree([node], [[]])
    tree = tree if tree.nodes else Tree([{}], [[]])
    tree.nodes[0]["CA"] = ["UTF-8"]
    return tree


def write_tree(tree: Tree) -> bytes:
    """Return a tree as SGF in UTF-8."""
    parts: list[str] = []
    waiting: list[int | str] = [")\n", 0, "("]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item)
            continue
        parts.append(written(tree.nodes[item]))
        marks = ("\n", "") if len(tree.next[item]) == 1 else ("\n(", ")")
        for number in reversed(tree.next[item]):
            waiting += (marks[1], number, marks[0])
    return "".join(parts).encode()


def nodes_by_ply(tree: Tree) -> dict[int, Node]:
    """Return the nodes of the main line by the number of moves after which they show the position.

    Moves are counted from the last set-up on. That before the first move is shown by the last node before it.
    """
    found: dict[int, Node] = {}
    for ply, number in _main_line_by_ply(tree):
        if ply == 0 or ply not in found:
            found[ply] = tree.nodes[number]
    return found


def add_variation(tree: Tree, number: int, nodes: Sequence[Node]) -> None:
    """Add a variation to the main line, after those that are there.

    Args:
        tree: the tree, which is changed. Nothing is added where the root holds the move.
        number: of the move, from 1, in whose place the variation begins.
        nodes: the variation's.
    """
    before = [node for ply, node in _main_line_by_ply(tree) if ply < number]
    if before:
        last = before[-1]
        for node in nodes:
            last = tree.add(last, node)


def drop_variations(tree: Tree, chosen: Callable[[Node], bool]) -> None:
    """Drop from a tree the variations, all but the main line, whose first node is one of those that are chosen."""
    for following in tree.next:
        following[1:] = [number for number in following[1:] if not chosen(tree.nodes[number])]


def _main_line_by_ply(tree: Tree) -> list[tuple[int, int]]:
    """Return moves played and number of each node of the main line, from the last set-up after a move on."""
    found: list[tuple[int, int]] = []
    ply = 0
    for number in tree.main_line():
        node = tree.nodes[number]
        if ply and not node.keys().isdisjoint(SETUP):
            found, ply = [], 0
        ply += ("B" in node) + ("W" in node)
        found.append((ply, number))
    return found
