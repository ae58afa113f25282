"""Cutting a stream of bytes into games."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar

from preprocessing.records.collection import split_games
from tests.support.memory import peak
from tests.support.texts import trees


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
