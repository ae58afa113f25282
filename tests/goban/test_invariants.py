"""Invariants of every sequence of moves."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goban import chain_kernels, move_kernels
from goban.coords import BLACK, WHITE
from goban.game import Game
from goban.position import IllegalMove, Position
from goban.rulesets import RULESETS

COLOURS = st.sampled_from([BLACK, WHITE])


@st.composite
def games(draw: st.DrawFn) -> tuple[int, list[tuple[int, int]], bool]:
    """A side, moves (point, colour) on it that may be illegal, and whether suicide is allowed."""
    side = draw(st.integers(2, 7))
    moves = draw(st.lists(st.tuples(st.integers(0, side * side), COLOURS), max_size=80))
    return side, moves, draw(st.booleans())


def check(position: Position) -> None:
    """Assert the invariants of a position."""
    assert all(chain.liberties for chain in position.chains())
    again = Position.from_stones(
        position.stones, position.to_move, ko=position.ko, prisoners=position.prisoners, recent=position.recent
    )
    assert again == position
    assert again.hash == position.hash
    ids = position.chain_ids().ravel()
    assert (ids[ids] == ids).all()
    assert (ids <= np.arange(len(ids))).all()
    flat = position.stones.ravel()
    assert (flat[ids] == flat).all()
    liberties = chain_kernels.liberties(position.side, flat.copy(), ids)
    for chain in position.chains():
        assert set(ids[list(chain.points)].tolist()) == {chain.points[0]}
        assert set(liberties[list(chain.points)].tolist()) == {len(chain.liberties)}


@settings(max_examples=60)
@given(games())
def test_no_sequence_of_moves_breaks_the_invariants(game: tuple[int, list[tuple[int, int]], bool]) -> None:
    side, moves, suicide = game
    position = Position.empty(side)
    stones_played = {BLACK: 0, WHITE: 0}
    for point, colour in moves:
        legal = position.legal_points(colour, suicide=suicide)[point]
        try:
            after = position.play(point, colour, suicide=suicide)
        except IllegalMove:
            assert not legal
            continue
        assert legal
        stones_played[colour] += point != side * side
        position = after
        check(position)
        by_black, by_white = position.prisoners
        assert (position.stones == BLACK).sum() + by_white == stones_played[BLACK]
        assert (position.stones == WHITE).sum() + by_black == stones_played[WHITE]


@settings(max_examples=60)
@given(games())
def test_replay_and_play_agree(game: tuple[int, list[tuple[int, int]], bool]) -> None:
    side, moves, suicide = game
    points = np.array([point for point, _ in moves], np.int16)
    colours = np.array([colour for _, colour in moves], np.int8)
    setup = np.zeros(side * side, np.int8)
    position, illegal = Position.empty(side), -1
    for ply, (point, colour) in enumerate(moves):
        try:
            position = position.play(point, colour, suicide=suicide)
        except IllegalMove:
            illegal = ply
            break
    assert move_kernels.check_game(side, setup, points, colours, suicide) == illegal
    plies = len(moves) if illegal < 0 else illegal
    stones, ko, by_black, by_white = move_kernels.replay_to(side, setup, points, colours, plies)
    assert (stones == position.stones.ravel()).all()
    assert (ko, by_black, by_white) == (position.ko, *position.prisoners)


@settings(max_examples=60)
@given(games())
def test_a_game_under_superko_never_repeats_a_position(game: tuple[int, list[tuple[int, int]], bool]) -> None:
    side, moves, suicide = game
    played = Game.empty(side, ruleset=RULESETS["tromp-taylor" if suicide else "aga"])
    seen = {played.position.stones.tobytes()}
    for point, colour in moves:
        legal = played.legal_points(colour)[point]
        try:
            played = played.play(point, colour)
        except IllegalMove:
            assert not legal
            continue
        assert legal
        stones = played.position.stones.tobytes()
        assert stones not in seen or point == side * side
        seen.add(stones)
    assert len(played.positions) == len(played.indexed_moves) + 1
    assert len(played.hashes) == len(seen)


@settings(max_examples=60)
@given(games())
def test_without_superko_a_game_accepts_the_moves_of_its_positions(
    game: tuple[int, list[tuple[int, int]], bool],
) -> None:
    side, moves, suicide = game
    played = Game.empty(side, ruleset=RULESETS["tromp-taylor" if suicide else "aga"])
    for point, colour in moves:
        if not played.position.is_legal(point, colour, suicide=suicide):
            continue
        if point != side * side and played.position.play(point, colour, suicide=suicide).hash == played.position.hash:
            with pytest.raises(IllegalMove, match="suicide of a single stone"):
                played.play(point, colour, superko=False)
        else:
            repeats = not played.legal_points(colour)[point]
            after = played.play(point, colour, superko=False)
            assert after.position == played.position.play(point, colour, suicide=suicide)
            assert repeats == (point != side * side and after.position.hash in played.hashes)
            played = after
    assert played.undo(len(played.indexed_moves)).position == played.start
