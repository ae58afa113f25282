"""From a finished game to the owner of each point."""

from dataclasses import dataclass

import numpy as np
import pytest

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban import text_diagram
from goban.coords import BLACK
from goban.position import Position
from preprocessing.gnugo import GnuGo
from preprocessing.labeller import Labeller
from preprocessing.rejection_reasons import REJECTIONS, Rejected
from tests.support.boards import DEAD_STONE

SEKI = """
    . . O X . O X . .
    . . O X . O X . .
    . . O X O O X . .
    . . O O X X X . .
    O O O O X X X X X
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
    . . . O X . . . .
"""
SEKI_OWNERS = """
    O O O X . O X X X
    O O O X . O X X X
    O O O X O O X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
    O O O O X X X X X
"""


def labeller(tolerance: float = 1.5) -> Labeller:
    return Labeller(GnuGo(), tolerance=tolerance)


def record(text: str, result: str) -> GameRecord:
    """Return a game that plays the stones of a diagram one by one, with komi 0.5."""
    stones = text_diagram.parse_diagram(text)
    letters = "abcdefghijklmnopqrstuvwxy"
    moves = "".join(
        f";{'B' if stones[row, column] == BLACK else 'W'}[{letters[column]}{letters[row]}]"
        for row, column in np.argwhere(stones)
    )
    return parse_game(f"(;GM[1]SZ[{len(stones)}]KM[0.5]RU[Chinese]RE[{result}]{moves})".encode(), "test")


def assert_owners(found: np.ndarray, expected: str) -> None:
    assert np.array_equal(found, text_diagram.parse_diagram(expected)), text_diagram.render_text(found)


def test_every_point_has_an_owner() -> None:
    label = labeller().label(record(DEAD_STONE, "B+6.5"))
    assert_owners(label.target, "\n".join(["X X X X O O O"] * 7))
    assert label.target.dtype == np.int8
    assert (label.score, label.scorer) == (6.5, "GNU Go 3.8")


def test_the_empty_points_of_a_seki_are_neutral() -> None:
    label = labeller().label(record(SEKI, "B+4.5"))
    assert_owners(label.target, SEKI_OWNERS)


@pytest.mark.parametrize(("result", "tolerance"), [("B+8.5", 2), ("B+5.5", 1), ("W+0.5", 7)])
def test_accepts_within_the_tolerance(result: str, tolerance: float) -> None:
    assert labeller(tolerance).label(record(DEAD_STONE, result)).score == 6.5


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (record(DEAD_STONE, "B+R"), "not counted"),
        (record(DEAD_STONE, "W+T"), "not counted"),
        (record(DEAD_STONE, "?"), "not counted"),
        (record("X .\n. O", "B+0.5"), "side"),
        (record("\n".join(["X O . . . . ."] + [". . . . . . ."] * 6), "B+6.5"), "too short"),
    ],
)
def test_refusals(game: GameRecord, reason: str) -> None:
    refused = labeller().refusal(game)
    assert refused is not None and refused[0] == reason
    assert reason in REJECTIONS


def test_the_model_takes_boards_that_gnugo_does_not() -> None:
    assert Labeller(GnuGo(), BLACK_AND_WHITE).refusal(record("X .\n. O", "B+0.5")) is None


@pytest.mark.parametrize("result", ["B+8.5", "W+6.5"])
def test_a_score_that_differs(result: str) -> None:
    with pytest.raises(Rejected, match=f"score differs: recorded .*{result[2:]}, counted \\+6.5"):
        labeller().label(record(DEAD_STONE, result))


@dataclass(frozen=True)
class Columns:
    """A model that gives the first columns to Black and the others to White."""

    black: int
    certainty: float = 1.0
    name: str = "columns"

    def ownership(self, position: Position) -> np.ndarray:
        ownership = np.full((position.side, position.side), -self.certainty, np.float32)
        ownership[:, : self.black] = self.certainty
        return ownership

    def play_out(self, game: GameRecord) -> np.ndarray:
        if self.certainty < 1:
            raise Rejected("in doubt", "columns")
        return self.ownership(game.position()).astype(np.int8)


BLACK_AND_WHITE = Columns(4)


def test_the_model_alone_where_its_count_equals_the_record() -> None:
    label = Labeller(None, BLACK_AND_WHITE).label(record(DEAD_STONE, "B+6.5"))
    assert_owners(label.target, "\n".join(["X X X X O O O"] * 7))
    assert (label.score, label.scorer) == (6.5, "columns")


def test_the_record_decides_where_the_model_is_unsure() -> None:
    label = Labeller(None, Columns(7, 0.6)).label(record(DEAD_STONE, "B+6.5"))
    assert (label.score, label.scorer) == (6.5, "columns + record")


def test_gnugo_where_the_model_is_wrong() -> None:
    label = Labeller(GnuGo(), Columns(7)).label(record(DEAD_STONE, "B+6.5"))
    assert (label.score, label.scorer) == (6.5, "GNU Go 3.8")
    with pytest.raises(Rejected, match=r"score differs: recorded \+6.5, counted \+48.5$") as caught:
        Labeller(None, Columns(7)).label(record(DEAD_STONE, "B+6.5"))
    assert caught.value.counted == 48.5


@pytest.mark.parametrize(
    ("gnugo", "model", "scorer"),
    [
        (GnuGo(), None, "GNU Go 3.8"),
        (None, BLACK_AND_WHITE, "columns"),
        (GnuGo(), BLACK_AND_WHITE, "columns"),
        (GnuGo(), Columns(4, 0.6), "GNU Go 3.8"),
        (GnuGo(), Columns(0), "GNU Go 3.8"),
    ],
)
def test_a_resigned_game_is_played_to_the_end(gnugo: GnuGo | None, model: Columns | None, scorer: str) -> None:
    resigned = Labeller(gnugo, model, resigned=True, finisher=model)
    game = record(DEAD_STONE, "B+R")
    assert resigned.refusal(game) is None
    assert (resigned.label(game).score, resigned.label(game).scorer) == (6.5, scorer)


@pytest.mark.parametrize(
    ("gnugo", "model", "message"),
    [
        (GnuGo(), None, r"winner differs: recorded W\+R, counted \+6.5"),
        (None, BLACK_AND_WHITE, r"winner differs: recorded W\+R, counted \+6.5"),
        (None, Columns(4, 0.6), "in doubt: columns"),
    ],
)
def test_a_resigned_game_without_a_target(gnugo: GnuGo | None, model: Columns | None, message: str) -> None:
    with pytest.raises(Rejected, match=message):
        Labeller(gnugo, model, resigned=True, finisher=model).label(record(DEAD_STONE, "W+R"))
