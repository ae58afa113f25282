"""The grammar of SGF: like sgfmill's where the text is SGF, and as long as the text where it is none."""

import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf, sgf_grammar

from preprocessing.records.grammar import Reader, escaped, plain_text
from preprocessing.records.sgf import RecordError, parse_game
from preprocessing.records.tree import read_tree, write_tree
from tests.support.memory import peak
from tests.support.texts import trees

MEBIBYTE = 1 << 20
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


@pytest.mark.parametrize("name", REPEATED)
def test_a_mebibyte_of_anything_is_read_or_refused_in_two_seconds(name: str) -> None:
    begin, middle, end = REPEATED[name]
    data = begin + middle * ((MEBIBYTE - len(begin + end)) // len(middle)) + end
    started = time.process_time()
    try:
        parse_game(data)
    except RecordError as error:
        assert error.reason in ("too large", "not SGF", "truncated"), error
    assert time.process_time() - started < 2


def _read(data: bytes) -> bytes:
    with suppress(RecordError):
        parse_game(data)
    return data


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
    [node] = Reader(f"(;C[{escaped(plain)}])").main_line()
    assert plain_text(node["C"][0]) == plain
