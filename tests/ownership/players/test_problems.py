"""Problems in files, and whether a player solves them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from goban.coords import BLACK, WHITE, parse_gtp
from goban.errors import InputError
from ownership.players.player_interface import Turn
from tests.support.problems import read_problems, solves

FILE = """ladder, catch B4: B3, Black to move
. . . . .
. O X . .
. . . . .
. X . . .
. . . . .

net, save C3: A1 E5, White to move
. X . . .
X . . . .
. . O . .
. . . . .
. . . . .
"""


class Always:
    """A player that always makes the same move."""

    def __init__(self, vertex: str) -> None:
        self._point = parse_gtp(vertex, 5)

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        return self._point


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "problems.txt"
    path.write_text(FILE)
    return path


def test_problems_are_read(file: Path) -> None:
    ladder, net = read_problems(file)
    assert (ladder.kind, ladder.target, ladder.answers) == ("ladder, catch", parse_gtp("B4", 5), (parse_gtp("B3", 5),))
    assert (net.kind, net.answers) == ("net, save", (parse_gtp("A1", 5), parse_gtp("E5", 5)))
    assert (ladder.position.to_move, net.position.to_move) == (BLACK, WHITE)


def test_problems_are_written_as_they_are_read(file: Path) -> None:
    assert "\n".join(map(str, read_problems(file))) == FILE


@pytest.mark.parametrize(
    "change",
    [
        ("Black to move", "Blue to move"),
        ("B4: B3", "B4 B3"),
        ("B4: B3", "B4: Z3"),
        (". O X . .", ". O X ."),
        (". O X . .", ". O # . ."),
    ],
)
def test_a_block_that_is_no_problem_is_refused(file: Path, change: tuple[str, str]) -> None:
    file.write_text(FILE.replace(*change))
    with pytest.raises(InputError, match=r"problems\.txt: expected KIND TARGET: ANSWERS"):
        list(read_problems(file))


def test_a_player_solves_a_problem_with_any_of_its_answers(file: Path) -> None:
    ladder, net = read_problems(file)
    assert [solves(Always("B3"), each) for each in (ladder, net)] == [True, False]
    assert [solves(Always("E5"), each) for each in (ladder, net)] == [False, True]
