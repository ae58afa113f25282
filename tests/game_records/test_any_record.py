"""Records of any content: games survive being written and read; any bytes give a game or a reason."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records.game_record import GameRecord
from game_records.record_errors import RECORD_REASONS, RecordError
from game_records.result_property import Result, parse_result
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, pass_point
from goban.game import Game
from goban.position import IllegalMove, Position
from tests.support.random_games import random_game


@given(st.integers(2, 6), st.integers(0, 2**32 - 1))
def test_a_position_is_where_its_moves_lead(side: int, seed: int) -> None:
    drawn = random_game(side, seed, 3 * side * side)
    setup = np.zeros(side * side, np.int8)
    for point, colour in drawn.setup:
        setup[point] = colour
    moves = np.array([point for point, _ in drawn.moves], np.int16)
    colours = np.array([colour for _, colour in drawn.moves], np.int8)
    unknown = Result(0, None, "unknown", "")
    game = GameRecord("drawn", side, setup, BLACK, moves, colours, komi=0.0, handicap=0, rules="area", result=unknown)
    for ply, position in enumerate(game.positions()):
        reached = game.position(ply)
        assert reached == position
        assert (reached.prisoners, reached.recent, reached.hash) == (position.prisoners, position.recent, position.hash)


def test_deep_variations_need_no_deep_stack() -> None:
    depth = 20_000
    game = parse_game(b"(;SZ[9]" + b"(;C[]" * depth + b")" * (depth + 1))
    assert len(game.move_points) == 0


names = st.text(max_size=30).map(
    lambda text: parse_game(f"(;PB[{''.join(c for c in text if c.isalnum())}])".encode()).black
)
spelled_results = st.sampled_from(
    ["B+8.5", "W+.5", "b+3", "B+R", "W+Time", "B+F", "0", "Void", "?", "", "白3目半胜", "黑2又1/4子"]
)


@st.composite
def games(draw: st.DrawFn) -> GameRecord:
    """Games of random legal moves and passes after a random set-up, on any side."""
    side = draw(st.sampled_from([2, 3, 5, 9, 19, 20, 25]))
    setup = np.zeros(side * side, np.int8)
    for point in draw(st.sets(st.integers(0, side * side - 1), max_size=side // 2)):
        setup[point] = draw(st.sampled_from([BLACK, WHITE]))
    try:
        played = Game((Position.from_stones(setup.reshape(side, side)),))
    except ValueError:
        setup[:] = 0
        played = Game.empty(side)
    moves, colours = [], []
    for point in draw(st.lists(st.integers(0, side * side), max_size=25)):
        colour = draw(st.sampled_from([BLACK, WHITE]))
        try:
            played = played.play(point, colour)
        except IllegalMove:
            continue
        moves.append(point)
        colours.append(colour)
    return GameRecord(
        source="drawn",
        side=side,
        setup=setup,
        to_move=colours[0] if colours else draw(st.sampled_from([BLACK, WHITE])),
        move_points=np.array(moves, np.int16),
        move_colours=np.array(colours, np.int8),
        komi=draw(st.integers(-20, 20).filter(lambda halves: abs(halves) != 7)) / 2,  # 3.5 may be stones
        handicap=draw(st.integers(0, 1)),
        rules=draw(st.sampled_from(["", "japanese", "chinese", "new-zealand", "tromp-taylor"])),
        result=parse_result(draw(spelled_results)),
        black=draw(names),
        white=draw(names),
        name=draw(names),
    )


@given(games())
@settings(max_examples=30)
def test_a_game_survives_being_written_and_read(game: GameRecord) -> None:
    back = parse_game(game.to_sgf(), "drawn")
    for name in ("side", "to_move", "komi", "rules", "result", "black", "white", "date", "name", "id"):
        assert getattr(back, name) == getattr(game, name), name
    assert back.handicap == game.handicap or back.handicap_from == "first moves"
    assert back.position() == game.position()


@given(st.binary(max_size=300))
@settings(max_examples=100)
def test_any_bytes_give_a_game_or_a_reason(data: bytes) -> None:
    check_any(data)


PIECES = [b"(", b")", b";", b"[", b"]", b"\\", b"B", b"W", b"AB", b"AW", b"AE", b"[aa]", b"[bb]", b"[tt]", b"[aa:cc]"]
PIECES += [
    b"SZ",
    b"[9]",
    b"HA[2]",
    b"KM[",
    b"RE[",
    b"CA[utf-7]",
    b"CA[idna]",
    b"PB[",
    b"+2AA-",
    b"\xff",
    b"\n",
    b"(;SZ[5]",
]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
@settings(max_examples=150)
def test_anything_like_a_record_gives_a_game_or_a_reason(pieces: list[bytes]) -> None:
    check_any(b"(;" + b"".join(pieces) + b")")


def check_any(data: bytes) -> None:
    try:
        game = parse_game(data)
    except RecordError as error:
        assert error.reason in RECORD_REASONS
    else:
        again = parse_game(game.to_sgf())
        assert again.id == game.id and again.black == game.black and again.result == game.result
        assert game.position().side == game.side and pass_point(game.side) >= int(game.move_points.max(initial=0))
