"""Planes from diagrams, against an independent implementation, and the same from a Position as from a record."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from game_datasets.batches import Batch, replay_batch
from goban import coords, text_diagram
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.position import Position
from planes.feature_sets import FEATURE_SETS, FeatureSet, parse_feature_set
from planes.plane_names import PLANES
from planes.position_planes import plane, planes, position_chains
from planes.replayed_planes import Draws
from tests.support.random_games import RANK, RandomGame, board_of, game_table, random_game
from tests.support.reference_planes import reference_planes, replay

ALL = FeatureSet("all", PLANES)
SETS = [*FEATURE_SETS.values(), ALL]

FIGHT = """
    X O . . .
    . X O . .
    . X O . X
    . . . X .
    O O . . .
"""
EYES = """
    . X . X O
    X X X X O
    O O O O O
    . . . . O
    . O O O .
"""
SNAPBACK = """
    O X O . .
    . X O . .
    O O . . .
    . . . . .
    . . . . .
"""
SHARED_LIBERTY = """
    . X O . .
    X . . . .
    O . . . .
    . . . . .
    . . . . .
"""
LAST_LIBERTY = """
    X O O O .
    X X X X X
    O O O O O
    . . . . .
    . . . . .
"""
LADDER = """
    . . . . . . .
    . . . . . . .
    . . X . . . .
    . X O X . . .
    . X O . . . .
    . . . . . . .
    . . . . . . .
"""
BROKEN_LADDER = """
    . . . . . . .
    . X X . . . .
    X O . . . . .
    . X . . . . .
    . . . . . . .
    . . . . . O .
    . . . . . . .
"""
NOTHING = "..... ..... ..... ..... ....."
EVERYTHING = "XXXXX XXXXX XXXXX XXXXX XXXXX"
# Plane, position, side to move, the points marked.
DIAGRAMS = [
    ("own_1_liberty", FIGHT, BLACK, "X.... ..... ..... ..... ....."),
    ("own_1_liberty", FIGHT, WHITE, ".X... ..... ..... ..... ....."),
    ("other_1_liberty", FIGHT, WHITE, "X.... ..... ..... ..... ....."),
    ("other_1_liberty", FIGHT, BLACK, ".X... ..... ..... ..... ....."),
    ("own_2_liberties", EYES, BLACK, ".X.X. XXXX. ..... ..... ....."),
    ("own_2_liberties", EYES, WHITE, NOTHING),
    ("other_2_liberties", EYES, WHITE, ".X.X. XXXX. ..... ..... ....."),
    ("own_3_liberties", FIGHT, BLACK, "..... .X... .X..X ..... ....."),
    ("own_3_liberties", FIGHT, WHITE, "..... ..... ..... ..... XX..."),
    ("other_3_liberties", FIGHT, BLACK, "..... ..... ..... ..... XX..."),
    ("own_3_or_more_liberties", FIGHT, BLACK, "..... .X... .X..X ...X. ....."),
    ("other_3_or_more_liberties", FIGHT, BLACK, "..... ..X.. ..X.. ..... XX..."),
    ("own_4_or_more_liberties", FIGHT, WHITE, "..... ..X.. ..X.. ..... ....."),
    ("other_4_or_more_liberties", FIGHT, WHITE, "..... ..... ..... ...X. ....."),
    ("ones", FIGHT, WHITE, EVERYTHING),
    ("ko", FIGHT, BLACK, NOTHING),
    ("recent_1", FIGHT, BLACK, NOTHING),
    ("own_area", EYES, BLACK, "XXXX. XXXX. ..... ..... ....."),
    ("other_area", EYES, BLACK, "....X ....X XXXXX XXXXX XXXXX"),
    ("own_area", FIGHT, WHITE, ".X... ..X.. ..X.. ..... XX..."),
    ("own_pass_alive", EYES, BLACK, "XXXX. XXXX. ..... ..... ....."),
    ("other_pass_alive", EYES, BLACK, NOTHING),
    ("other_pass_alive", EYES, WHITE, "XXXX. XXXX. ..... ..... ....."),
    ("legal", EYES, BLACK, "X.X.. ..... ..... XXXX. X...."),
    ("legal", EYES, WHITE, "..... ..... ..... XXXX. X...X"),
    ("after_1_liberty", EYES, BLACK, "X.X.. ..... ..... ...X. X...."),
    ("after_2_liberties", EYES, BLACK, "..... ..... ..... XXX.. ....."),
    ("captures_1", SNAPBACK, BLACK, "..... X.... ..... ..... ....."),
    ("after_1_liberty", SNAPBACK, BLACK, "..... X.... ..... ..... ....."),
    ("captures_2", SNAPBACK, WHITE, "..... X.... ..... ..... ....."),
    ("after_1_liberty", SNAPBACK, WHITE, NOTHING),
    ("after_1_liberty", SHARED_LIBERTY, BLACK, "X.... ..... ..... ..... ....."),
    ("after_3_liberties", SHARED_LIBERTY, BLACK, "..... .XX.X .X..X ....X .XXX."),
    ("after_4_or_more_liberties", SHARED_LIBERTY, BLACK, "..... ...X. ..XX. .XXX. ....."),
    ("captures_3_or_more", LAST_LIBERTY, BLACK, "....X ..... ..... ..... ....."),
    ("after_3_liberties", LAST_LIBERTY, BLACK, "....X ..... ..... .XXX. .XXX."),
    ("captures_3_or_more", LAST_LIBERTY, WHITE, "....X ..... ..... ..... ....."),
    ("black", FIGHT, WHITE, "X.... .X... .X..X ...X. ....."),
    ("white", FIGHT, WHITE, ".X... ..X.. ..X.. ..... XX..."),
    ("own", FIGHT, WHITE, ".X... ..X.. ..X.. ..... XX..."),
    ("other", FIGHT, WHITE, "X.... .X... .X..X ...X. ....."),
    ("empty", LAST_LIBERTY, WHITE, "....X ..... ..... XXXXX XXXXX"),
    ("black_to_move", FIGHT, BLACK, EVERYTHING),
    ("black_to_move", FIGHT, WHITE, NOTHING),
    ("zeros", FIGHT, BLACK, NOTHING),
    ("rank_9", FIGHT, BLACK, EVERYTHING),
    ("rank_8", FIGHT, BLACK, NOTHING),
    ("older", FIGHT, BLACK, "XX... .XX.. .XX.X ...X. XX..."),
    ("liberties_2", EYES, WHITE, ".X.X. XXXX. ..... ..... ....."),
    ("liberties_4_or_more", FIGHT, BLACK, "..... ..X.. ..X.. ...X. ....."),
    ("illegal", EYES, BLACK, "..... ..... ..... ..... ....X"),
    ("sensible", EYES, BLACK, "..... ..... ..... XXXX. X...."),
    ("self_atari_2", SNAPBACK, BLACK, NOTHING),
    ("self_atari_3", SNAPBACK, BLACK, "..... X.... ..... ..... ....."),
    ("captures_5", LAST_LIBERTY, WHITE, NOTHING),
    ("captures_6", LAST_LIBERTY, WHITE, "....X ..... ..... ..... ....."),
    ("after_4_liberties", SHARED_LIBERTY, BLACK, "..... ...X. ..XX. .XXX. ....."),
    ("after_6_or_more_liberties", SHARED_LIBERTY, BLACK, NOTHING),
    ("own_ladder", LADDER, WHITE, "....... ....... ....... ..X.... ..X.... ....... ......."),
    ("other_ladder", LADDER, BLACK, "....... ....... ....... ..X.... ..X.... ....... ......."),
    ("ladder_capture", LADDER, BLACK, "....... ....... ....... ....... ....... ..X.... ......."),
    ("ladder_capture", LADDER, WHITE, "....... ....... ....... ....... ....... ....... ......."),
    ("other_ladder", BROKEN_LADDER, BLACK, "....... ....... ....... ....... ....... ....... ......."),
    ("ladder_escape", BROKEN_LADDER, WHITE, "....... ....... ..X.... ....... ....... ....... ......."),
]


def drawn(name: str, position: Position) -> str:
    """Return the plane as rows of X and . with spaces between."""
    return " ".join("".join("X" if value else "." for value in row) for row in plane(position, name))


@pytest.mark.parametrize(("name", "board", "to_move", "marked"), DIAGRAMS)
def test_plane_marks_the_points_of_the_diagram(name: str, board: str, to_move: int, marked: str) -> None:
    assert drawn(name, Position.from_diagram(board, to_move=to_move)) == marked


KO_FIGHT = """
    . X O .
    X O . O
    . X O .
    . . . .
"""


def test_ko_and_recent_moves_follow_the_game() -> None:
    taken = Position.from_diagram(KO_FIGHT).play(1 * 4 + 2)
    assert drawn("ko", taken) == ".... .X.. .... ...."
    assert drawn("recent_1", taken) == ".... ..X. .... ...."
    assert drawn("legal", taken) == "...X .... X..X XXXX"
    assert drawn("captures_1", taken) == ".... .... .... ...."
    assert drawn("ladder_escape", taken) == ".... .... .... ...."
    passed = taken.play(16)
    assert drawn("ko", passed) == ".... .... .... ...."
    assert drawn("recent_1", passed) == ".... .... .... ...."
    assert drawn("recent_2", passed) == ".... ..X. .... ...."


def test_recent_moves_reach_back_seven() -> None:
    position = Position.empty(4)
    for point in range(8):
        position = position.play(2 * point)
    order = planes([position], ALL)[0].reshape(16, -1)[:, PLANES.index("recent_1") : PLANES.index("older") + 1]
    assert order.argmax(axis=0).tolist() == [14, 12, 10, 8, 6, 4, 2, 0]
    assert order.sum() == 8


def test_empty_fraction_is_the_share_of_empty_points() -> None:
    fraction = plane(Position.from_diagram(FIGHT), "empty_fraction")
    assert fraction == pytest.approx(np.full((5, 5), 15 / 25))


def test_classic8_is_the_reference_of_2015() -> None:
    assert len(FEATURE_SETS["classic8"].planes) == 8
    shown = planes([Position.from_diagram(FIGHT, to_move=WHITE)], FEATURE_SETS["classic8"])[0]
    stones = text_diagram.parse_diagram(FIGHT)
    assert (shown[:, :, 0:3].sum(axis=2) == (stones == WHITE)).all()
    assert (shown[:, :, 3:6].sum(axis=2) == (stones == BLACK)).all()
    assert (shown[:, :, 6] == 0).all()
    assert (shown[:, :, 7] == 1).all()


def test_tactical_planes_come_after_the_standard_ones() -> None:
    standard, tactical = FEATURE_SETS["standard"].planes, FEATURE_SETS["tactical"].planes
    assert tactical[: len(standard)] == standard
    assert tactical[len(standard)] == "legal" and tactical[-1] == "ladder_escape"


def positions_of(game: RandomGame) -> list[Position]:
    """Return the positions at all plies, played from Python; the record says who moves next."""
    position = Position.from_stones(board_of(game.side, game.setup))
    found = []
    for point, colour in game.moves:
        found.append(seen_by(position, colour))
        position = position.play(point, colour, suicide=True)
    return [*found, position]


def seen_by(position: Position, colour: int) -> Position:
    if position.to_move == colour:
        return position
    return Position.from_stones(position.stones, to_move=colour, recent=position.recent)


def replayed(game: RandomGame, feature_set: FeatureSet, k: int = 0) -> Batch:
    plies = np.arange(len(game.moves) + 1)
    draws = Draws(np.zeros_like(plies), plies, np.full_like(plies, k))
    return replay_batch(game_table([game]), draws, feature_set, chains=True)


# Black takes a ko with the first move, and Black plays the next move too.
KO_AND_AGAIN = RandomGame(
    4,
    [(1, BLACK), (4, BLACK), (9, BLACK), (2, WHITE), (5, WHITE), (7, WHITE), (10, WHITE)],
    [(6, BLACK), (15, BLACK), (14, WHITE)],
)
games = st.builds(random_game, st.integers(2, 7), st.integers(0, 2**32), st.integers(0, 60))


@settings(max_examples=25)
@given(games, st.integers(1, 9))
def test_planes_equal_the_plain_python_reference(game: RandomGame, stride: int) -> None:
    batch = replayed(game, ALL)
    for ply in range(0, len(game.moves) + 1, 3 + stride):
        shown = batch.planes[ply]
        expected = reference_planes(replay(*game, ply, RANK), PLANES)
        for name, ours, reference in zip(PLANES, shown.T, expected.T, strict=True):
            assert ours == pytest.approx(reference), f"{name} at ply {ply} of {game}"


@pytest.mark.parametrize("side", [9, 19, pytest.param(25, marks=pytest.mark.long)])
def test_planes_equal_the_reference_on_large_boards(side: int) -> None:
    game = random_game(side, side, side * side)
    batch = replayed(game, ALL)
    for ply in (side, side * side):
        assert batch.planes[ply] == pytest.approx(reference_planes(replay(*game, ply, RANK), PLANES))


@pytest.mark.parametrize("feature_set", SETS, ids=lambda each: each.name)
@settings(max_examples=25)
@given(game=games)
@example(game=KO_AND_AGAIN)
def test_a_position_and_its_record_give_the_same(feature_set: FeatureSet, game: RandomGame) -> None:
    batch, positions = replayed(game, feature_set), positions_of(game)
    assert np.array_equal(batch.planes, planes(positions, feature_set))
    assert batch.chains is not None
    assert np.array_equal(batch.chains, position_chains(positions))


def turned(position: Position, k: int) -> Position:
    side = position.side
    ko = position.ko if position.ko < 0 else coords.destinations(side)[k, position.ko]
    recent = tuple(coords.destinations(side)[k, point] for point in position.recent)
    stones = coords.apply_symmetry(position.stones, k)
    return Position.from_stones(stones, to_move=position.to_move, ko=ko, recent=recent)


@settings(max_examples=25)
@given(games, st.integers(0, 7))
def test_symmetries_turn_planes_chains_and_targets(game: RandomGame, k: int) -> None:
    plain, batch, positions = replayed(game, ALL), replayed(game, ALL, k), positions_of(game)
    expected = coords.apply_symmetry(plain.planes.transpose(0, 3, 1, 2), k).transpose(0, 2, 3, 1)
    assert np.array_equal(batch.planes, expected)
    assert np.array_equal(batch.target, coords.apply_symmetry(plain.target, k))
    assert batch.chains is not None
    assert np.array_equal(batch.chains, position_chains([turned(position, k) for position in positions]))
    assert np.array_equal(planes([turned(positions[-1], k)], ALL)[0], expected[-1])


def test_chain_ids_are_the_smallest_index_of_the_chain() -> None:
    assert position_chains([Position.from_diagram(FIGHT)])[0].tolist() == [
        [0, 1, 2, 3, 4],
        [5, 6, 7, 8, 9],
        [10, 6, 7, 13, 14],
        [15, 16, 17, 18, 19],
        [20, 20, 22, 23, 24],
    ]


def test_planes_are_added_and_taken_away_by_name() -> None:
    changed = parse_feature_set("classic8-ko+own_pass_alive")
    assert changed.planes == (*FEATURE_SETS["classic8"].planes[:6], "ones", "own_pass_alive")


def test_bad_requests_say_what_was_expected() -> None:
    with pytest.raises(InputError, match=r"one of classic8, .*signed1.* Received: classic9"):
        parse_feature_set("classic9")
    with pytest.raises(InputError, match=r"expected a plane of classic8 after '-'\. Received: recent_1"):
        parse_feature_set("classic8-recent_1")
    with pytest.raises(InputError, match="expected different planes"):
        parse_feature_set("classic8+ko")
    with pytest.raises(InputError, match=r"planes of planes/plane_names\.py or of packages\. Received: own_9_"):
        FeatureSet("mine", ("ko", "own_9_liberties"))
    with pytest.raises(InputError, match="Received: ko, ko"):
        FeatureSet("mine", ("ko", "ko"))
    with pytest.raises(InputError, match=r"one board side. Received: sides \[9, 13\]"):
        planes([Position.empty(9), Position.empty(13)], ALL)
    with pytest.raises(InputError, match="sides of no position"):
        planes([], ALL)
