"""The tree of an SGF record with all its properties and variations, to add to and write again."""

from collections.abc import Callable, Iterator, Sequence

from sgfmill import sgf_grammar

from preprocessing.records.sgf import Node, Tree, decode, parse_tree


def read_tree(data: bytes) -> Tree:
    """Return the tree of the first game in SGF `data`, which `parse_game` accepts, with all text in UTF-8."""
    tree, _ = parse_tree(data)
    root = tree.sequence[0]
    charset = root.get("CA", [b""])[0]
    for part in _parts(tree):
        for node in part.sequence:
            node.update({name: [decode(each, charset).encode() for each in node[name]] for name in node})
    root["CA"] = [b"UTF-8"]
    return tree


def write_tree(tree: Tree) -> bytes:
    """Return a tree as SGF."""
    return bytes(sgf_grammar.serialise_game_tree(tree))


def nodes_by_ply(tree: Tree) -> dict[int, Node]:
    """Return the nodes of the main line by the number of moves after which they show the position.

    That before the first move is shown by the last node before it, after all set-up.
    """
    found: dict[int, Node] = {}
    ply = 0
    for node in sgf_grammar.main_sequence_iter(tree):
        ply += _moves(node)
        if ply == 0 or ply not in found:
            found[ply] = node
    return found


def add_variation(tree: Tree, number: int, nodes: Sequence[Node]) -> None:
    """Add a variation to the main line, after those that are there.

    Args:
        tree: the tree, which is changed. Nothing is added where the root holds the move.
        number: of the move, from 1, in whose place the variation begins.
        nodes: the variation's.
    """
    parent, part, ply, index = None, tree, 0, 0
    while (ply := ply + _moves(part.sequence[index])) < number:
        index += 1
        if index == len(part.sequence):
            parent, part, index = part, part.children[0], 0
    if index:
        parent, rest = part, Tree()
        rest.sequence, rest.children = part.sequence[index:], part.children
        part.sequence, part.children = part.sequence[:index], [rest]
    if parent is not None:
        branch = Tree()
        branch.sequence = list(nodes)
        parent.children.append(branch)


def drop_variations(tree: Tree, chosen: Callable[[Node], bool]) -> None:
    """Drop from a tree the variations, all but the main line, whose first node is one of those that are chosen."""
    for part in _parts(tree):
        part.children[1:] = [child for child in part.children[1:] if not chosen(child.sequence[0])]


def text_value(text: str) -> bytes:
    """Return a text as the value of a property."""
    return bytes(sgf_grammar.escape_text(text.encode()))


def _moves(node: Node) -> int:
    return ("B" in node) + ("W" in node)


def _parts(tree: Tree) -> Iterator[Tree]:
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += part.children
