"""Trees of records: all that is in them stays when something is added."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill import sgf

from preprocessing.records.grammar import Node, escaped
from preprocessing.records.sgf import parse_game
from preprocessing.records.tree import add_variation, drop_variations, nodes_by_ply, read_tree, write_tree

GAME = b"(;GM[1]SZ[9]PB[An]C[root];AB[cc];B[ee]BL[59.9];W[ge](;B[cg]C[main];W[cf])(;B[gg];W[gf](;B[aa])(;B[bb])))"


def main_line(data: bytes) -> list[str]:
    """Return the properties of each node of the main line as sgfmill reads them, the comments left out."""
    nodes = sgf.Sgf_game.from_bytes(data).get_main_sequence()
    return [
        repr(sorted((name, node.get_raw_list(name)) for name in node.properties() if name != "C")) for node in nodes
    ]


def test_a_record_comes_back_as_it_was() -> None:
    def shape(node: sgf.Tree_node) -> tuple[object, ...]:
        properties = {name: node.get_raw_list(name) for name in node.properties() if name != "CA"}
        return (properties, *(shape(child) for child in node))

    before, after = (sgf.Sgf_game.from_bytes(data).get_root() for data in (GAME, write_tree(read_tree(GAME))))
    assert shape(after) == shape(before)


@pytest.mark.parametrize("charset", ["gb18030", "utf-8", "shift_jis"])
def test_text_of_any_encoding_becomes_utf_8(charset: str) -> None:
    record = f"(;CA[{charset}]SZ[9]PB[加藤 四段]C[好棋\\] 終局];B[ee])".encode(charset)
    tree = read_tree(record)
    assert tree.nodes[0]["PB"] == ["加藤 四段"]
    assert parse_game(write_tree(tree)).comments == {0: "好棋] 終局"}


def test_a_node_for_each_number_of_moves() -> None:
    nodes = nodes_by_ply(read_tree(GAME))
    assert list(nodes) == [0, 1, 2, 3, 4]
    assert nodes[0] == {"AB": ["cc"]}, "after the set-up"
    assert nodes[3]["B"] == ["cg"]


def test_two_moves_in_a_node_become_two_nodes() -> None:
    assert list(nodes_by_ply(read_tree(b"(;SZ[9]B[ee]W[gg];B[cc])"))) == [1, 2, 3]


@given(number=st.integers(1, 4), length=st.integers(1, 3))
def test_a_variation_leaves_the_main_line_alone(number: int, length: int) -> None:
    tree = read_tree(GAME)
    before = main_line(write_tree(tree))
    nodes: list[Node] = [{"BW"[(number + k + 1) % 2]: ["hh"], "C": [escaped(f"{k}]")]} for k in range(length)]
    add_variation(tree, number, nodes)
    written = write_tree(tree)
    assert main_line(written) == before
    game = sgf.Sgf_game.from_bytes(written)
    parents = game.get_main_sequence()
    added = parents[number][-1]  # the root, the set-up, and a node a move
    assert added.get("C") == "0]"
    assert len(game.get_main_sequence_below(added)) == length - 1
    drop_variations(tree, lambda node: node.get("C") == [escaped("0]")])
    assert len(sgf.Sgf_game.from_bytes(write_tree(tree)).get_main_sequence()[number]) == len(parents[number]) - 1


def test_a_move_in_the_root_has_no_place_for_a_variation() -> None:
    tree = read_tree(b"(;SZ[9]B[ee];W[gg])")
    add_variation(tree, 1, [{"B": ["aa"]}])
    assert write_tree(tree) == write_tree(read_tree(b"(;SZ[9]B[ee];W[gg])"))
