"""SGF as text: collections cut into games, nodes, and trees that are written again."""

import gc
import time
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sgfmill import sgf, sgf_grammar

from game_records.record_errors import RecordError
from game_records.sgf import parse_game
from game_records.sgf_collection import split_games
from game_records.sgf_grammar import (
    NodeReader,
    SgfNode,
    escape_value,
    plain_text,
)
from game_records.sgf_tree import (
    add_variation,
    drop_variations,
    nodes_by_ply,
    read_tree,
    write_tree,
)
from tests.support.memory import peak
from tests.support.texts import trees

MEBIBYTE = 1 << 20
ATTEMPTS = 3  # what else the machine does can only add to a time
REPEATED = {
    "areas": (b"(;SZ[25]AE", b"[aa:yy]", b";B[aa])"),
    "comment": (b"(;B[aa]C[", b"x", b"])"),
    "nodes with comments": (b"(;B[aa]", b";C[a]", b")"),
    "escapes without end": (b"(;B[aa]C[", b"\\", b""),
    "empty nodes": (b"(;B[aa]", b";", b")"),
    "nesting": (b"(;B[aa]", b"(;", b""),
    "nested comments": (b"(;B[aa]", b"(;C[]", b""),
    "empty variations": (b"(;B[aa]", b"()", b")"),
    "variations": (b"(;B[aa]", b"(;W[bb])", b")"),
    "values": (b"(;B[aa]", b"[]", b")"),
    "brackets": (b"(;B[aa]", b"]", b")"),
    "a name": (b"(;B[aa]", b"a", b")"),
    "moves in a node": (b"(;SZ[9]", b"B[]", b")"),
    "set-up": (b"(;SZ[9]", b";AB[aa]AW[bb]", b")"),
    "set-up after moves": (b"(;SZ[9]", b";B[aa];AE[aa]", b")"),
    "no start": (b"", b"( ", b""),
    "letters": (b"(;B[aa]C[", "黑".encode("gb18030"), b"])"),
}

GAME = b"(;GM[1]SZ[9]PB[An]C[root];AB[cc];B[ee]BL[59.9];W[ge](;B[cg]C[main];W[cf])(;B[gg];W[gf](;B[aa])(;B[bb])))"


@pytest.mark.parametrize("junk", [b"\0", b"(", b"x(", b"(  ", b"[(;", b"\\"])
def test_a_bomb_of_junk_needs_little_memory(junk: bytes) -> None:
    block = junk * (65_536 // len(junk))
    assert peak(split_games(block for _ in range(400))) < 16 << 20


collections = st.lists(st.tuples(trees, st.sampled_from([b"", b"\n", b" text ", b")", b"]", b";"])), max_size=5)


@given(collections.map(lambda c: b"".join(map(b"".join, c))), st.integers(1, 40))
@settings(max_examples=60)
def test_the_splitter_finds_the_games_that_sgfmill_finds(data: bytes, size: int) -> None:
    games = list(split_games(data[at : at + size] for at in range(0, len(data), size)))
    try:
        trees = sgf_grammar.parse_sgf_collection(data)
    except ValueError:
        assert not games
        return
    assert [tree_of(game) for game in games] == [sgf_grammar.serialise_game_tree(tree) for tree in trees]


def tree_of(game: bytes) -> bytes:
    return bytes(sgf_grammar.serialise_game_tree(sgf_grammar.parse_sgf_game(game)))


NEAR = [b"(", b";", b")", b"[", b"]", b"\\", b" ", b"GM[", b"(;GM[1]", b";FF[4]", b"(;", b"x", b"\n" * 70, b"\0"]


@given(st.lists(st.sampled_from(NEAR), max_size=60).map(b"".join), st.integers(1, 200))
@example(b"(;GM[1]" + b"[" + b"(;GM[1]B[aa" * 300, 1)
@example("(;GM[1]C[\U0001f600])(;GM[1])".encode("utf-16"), 1)
@settings(max_examples=150)
def test_games_do_not_depend_on_how_the_bytes_arrive(data: bytes, size: int) -> None:
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert list(split_games(pieces)) == list(split_games([data]))


@pytest.mark.parametrize("name", REPEATED)
def test_four_times_as_much_of_anything_takes_four_times_the_time(name: str) -> None:
    """A time that grew with the square of the length would take sixteen times as long, and many seconds."""
    for _ in range(ATTEMPTS):
        quarter, whole = (_seconds_for(name, size) for size in (MEBIBYTE // 8, MEBIBYTE // 2))
        if whole < 8 * quarter + 0.25:
            return
    pytest.fail(f"{quarter:.2f} s, and {whole:.2f} s for four times as much")


def _seconds_for(name: str, size: int) -> float:
    """Return the processor time in which a number of bytes are read or refused, without garbage collection."""
    begin, middle, end = REPEATED[name]
    data = begin + middle * ((size - len(begin + end)) // len(middle)) + end
    gc.disable()
    started = time.process_time()
    try:
        parse_game(data)
    except RecordError as error:
        assert error.reason in ("too large", "not SGF", "truncated"), error
    finally:
        seconds = time.process_time() - started
        gc.enable()
    return seconds


def _read(data: bytes) -> bytes:
    with suppress(RecordError):
        parse_game(data)
    return data


@pytest.mark.long
@pytest.mark.parametrize("name", ["areas", "nested comments"])
def test_a_mebibyte_of_anything_needs_little_memory(name: str) -> None:
    begin, middle, end = REPEATED[name]
    data = begin + middle * ((MEBIBYTE - len(begin + end)) // len(middle)) + end
    assert peak(_read(each) for each in [data]) < 100 << 20


@given(trees)
@settings(max_examples=60)
def test_the_nodes_are_those_that_sgfmill_reads(data: bytes) -> None:
    try:
        expected = sgf.Sgf_game.from_coarse_game_tree(sgf_grammar.parse_sgf_game(data))
    except ValueError:
        return
    mine = sgf.Sgf_game.from_bytes(write_tree(read_tree(data)))
    assert _nodes(mine.get_root()) == _nodes(expected.get_root())


def _nodes(node: sgf.Tree_node) -> list[object]:
    """Return properties and nodes below, without empty nodes, which are not read."""
    below = [part for child in node for part in _nodes(child)]
    properties = {name: node.get_raw_list(name) for name in node.properties() if name != "CA"}
    return [(properties, below)] if properties or node.parent is None else below


@given(st.text(max_size=80))
def test_escaped_text_comes_back(text: str) -> None:
    plain = plain_text(text.replace("\\", "/"))
    [node] = NodeReader(f"(;C[{escape_value(plain)}])").main_line()
    assert plain_text(node["C"][0]) == plain


def main_line(data: bytes) -> list[str]:
    """Return the properties of each node of the main line as sgfmill reads them, the comments left out."""
    nodes = sgf.Sgf_game.from_bytes(data).get_main_sequence()
    return [
        repr(sorted((name, node.get_raw_list(name)) for name in node.properties() if name != "C")) for node in nodes
    ]


def test_a_record_is_read_as_it_was_written() -> None:
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
def test_a_variation_does_not_change_the_main_line(number: int, length: int) -> None:
    tree = read_tree(GAME)
    before = main_line(write_tree(tree))
    nodes: list[SgfNode] = [{"BW"[(number + k + 1) % 2]: ["hh"], "C": [escape_value(f"{k}]")]} for k in range(length)]
    add_variation(tree, number, nodes)
    written = write_tree(tree)
    assert main_line(written) == before
    game = sgf.Sgf_game.from_bytes(written)
    parents = game.get_main_sequence()
    added = parents[number][-1]  # the root, the set-up, and a node a move
    assert added.get("C") == "0]"
    assert len(game.get_main_sequence_below(added)) == length - 1
    drop_variations(tree, lambda node: node.get("C") == [escape_value("0]")])
    assert len(sgf.Sgf_game.from_bytes(write_tree(tree)).get_main_sequence()[number]) == len(parents[number]) - 1


def test_a_move_in_the_root_has_no_place_for_a_variation() -> None:
    tree = read_tree(b"(;SZ[9]B[ee];W[gg])")
    add_variation(tree, 1, [{"B": ["aa"]}])
    assert write_tree(tree) == write_tree(read_tree(b"(;SZ[9]B[ee];W[gg])"))
