"""Lines of moves in the tree of a record, checked against the tree that sgfmill reads."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf

from game_records.sgf import parse_game
from game_records.sgf_tree import read_tree, write_tree
from game_records.variations import add_line, node_after, variations
from goban.coords import BLACK, WHITE, parse_sgf
from goban.move_notation import IndexedMove

SIDE = 5
MOVES = st.builds(
    lambda colour, point: f";{colour}[{point}]", st.sampled_from("BW"), st.sampled_from(["aa", "bb", "cc", ""])
)
NODES = st.one_of(MOVES, st.just(";C[no move]"))
TREES = st.recursive(
    st.lists(NODES, min_size=1, max_size=3).map("".join),
    lambda inner: st.builds(
        lambda first, branches: first + "".join(f"({each})" for each in branches),
        NODES,
        st.lists(inner, min_size=2, max_size=3),
    ),
    max_leaves=6,
).map(lambda nodes: f"(;SZ[{SIDE}]{nodes})".encode())


def moves_to_leaves(node: sgf.Tree_node) -> Iterator[list[IndexedMove]]:
    """Yield the moves on the way to each leaf, as another program reads them."""
    here = [
        (colour, parse_sgf(node.get_raw(name).decode(), SIDE))
        for name, colour in (("B", BLACK), ("W", WHITE))
        if node.has_property(name)
    ]
    if not len(node):
        yield here
    for child in node:
        yield from (here + rest for rest in moves_to_leaves(child))


def lines_of(data: bytes) -> list[list[IndexedMove]]:
    return list(moves_to_leaves(sgf.Sgf_game.from_bytes(data).get_root()))


@settings(max_examples=100)
@given(TREES)
def test_variations_are_the_ways_to_all_other_leaves(data: bytes) -> None:
    expected, played = [], 0
    for node in sgf.Sgf_game.from_bytes(data).get_main_sequence():
        played += node.has_property("B") + node.has_property("W")
        expected += [(played, moves) for branch in node[1:] for moves in moves_to_leaves(branch) if moves]
    found = list(variations(read_tree(data), SIDE))
    assert [(each.after, each.moves) for each in found] == expected
    numbered = [node for each in found for node in each.nodes]
    assert len({id(node) for _, node in numbered}) == len(numbered)
    assert all(each.after + len(each.moves) >= max(moves for moves, _ in each.nodes) for each in found if each.nodes)


@settings(max_examples=100)
@given(TREES, st.data())
def test_a_line_is_followed_or_added(data: bytes, draw: st.DataObject) -> None:
    tree = read_tree(data)
    main = lines_of(data)[0]
    after = draw.draw(st.integers(0, len(main)))
    moves = draw.draw(st.lists(st.tuples(st.sampled_from([BLACK, WHITE]), st.integers(0, SIDE**2)), max_size=4))
    before = len(tree.nodes)
    add_line(tree, SIDE, node_after(tree, after), moves)
    written = write_tree(tree)
    lines = lines_of(written)
    assert lines[0][: len(main)] == main
    assert any(line[: after + len(moves)] == main[:after] + moves for line in lines)
    again = read_tree(written)
    add_line(again, SIDE, node_after(again, after), moves)
    assert len(again.nodes) == len(tree.nodes) >= before  # it is there now


@pytest.mark.parametrize(
    ("record", "after", "expected"),
    [
        ("(;SZ[5];B[aa];W[bb])", 1, "(;SZ[5];B[aa](;W[bb])(;W[ee]))"),
        ("(;SZ[5];B[aa];C[x];W[bb])", 1, "(;SZ[5];B[aa];C[x](;W[bb])(;W[ee]))"),
        ("(;SZ[5];B[aa];W[bb])", 2, "(;SZ[5];B[aa];W[bb];W[ee])"),
        ("(;SZ[5]B[aa]BL[9]EV[x];W[bb])", 0, "(;SZ[5]EV[x](;B[aa]BL[9];W[bb])(;W[ee]))"),
        ("(;SZ[5];B[aa];AB[bb];W[cc])", 0, "(;SZ[5];B[aa];AB[bb](;W[cc])(;W[ee]))"),
    ],
)
def test_where_a_line_is_added(record: str, after: int, expected: str) -> None:
    tree = read_tree(record.encode())
    add_line(tree, SIDE, node_after(tree, after), [(WHITE, parse_sgf("ee", SIDE))])
    written = write_tree(tree)
    assert written.decode().replace("\n", "").replace("CA[UTF-8]", "") == expected
    assert parse_game(written).move_points.tolist()[:1] == parse_game(record.encode()).move_points.tolist()[:1]
