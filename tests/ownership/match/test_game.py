"""Games of a match: the rules by which they are lost, the programs that play them, the referees that count them."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from game_records.game_record import GameRecord
from game_records.sgf import parse_game
from goban.coords import BLACK, WHITE, pass_point
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.match.match_conditions import Conditions
from ownership.match.match_game import Ending, PlayedGame, Stopped, play_game
from ownership.match.referee import GnuGoReferee, ModelReferee, Undecided
from ownership.players.external_player import ExternalPlayer
from ownership.players.gtp_client import GtpClient, GtpFailure
from ownership.players.player_interface import RESIGN, Player, Turn
from preprocessing.gnugo import GnuGo, find_gnugo
from tests.support.paths import EXAMPLES

PASS = pass_point(5)
NAMES = {BLACK: "one", WHITE: "other"}


@dataclass
class Time:
    """The time that clocks show."""

    seconds: float = 0.0

    def monotonic(self) -> float:
        return self.seconds


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Time:
    """A time that stands still but for players that use some."""
    found = Time()
    monkeypatch.setattr("ownership.match.match_game.time", found)
    return found


@dataclass
class Script:
    """Plays the given moves, then passes."""

    points: Sequence[int] = ()

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        own = [point for colour, point in turn.game.indexed_moves if colour == turn.position.to_move]
        return self.points[len(own)] if len(own) < len(self.points) else pass_point(turn.position.side)


@dataclass
class Slow(Script):
    """Uses 0.3 s for each move."""

    now: Time = field(kw_only=True)

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        self.now.seconds += 0.3
        return super().choose(turn, interrupted)


@dataclass
class Margin:
    """A referee that counts in its own way."""

    points: float = 3.5

    def margin(self, game: GameRecord) -> float:
        return self.points


def game(
    black: Player, white: Player, conditions: Conditions | None = None, margin: float = 3.5, number: int = 0
) -> PlayedGame:
    conditions = conditions or Conditions(5, opening=0)
    return play_game({BLACK: black, WHITE: white}, NAMES, conditions, [], Margin(margin), number=number)


@pytest.mark.parametrize(
    ("black", "white", "ending", "result"),
    [
        (Script(), Script(), Ending.PASSES, "B+3.5"),
        (Script([12, 11]), Script([7]), Ending.PASSES, "B+3.5"),
        (Script([RESIGN]), Script(), Ending.RESIGNED, "W+R"),
        (Script([12, 12]), Script(), Ending.ILLEGAL, "W+F"),
        (Script([12]), Script([12]), Ending.ILLEGAL, "B+F"),
        (Script([99]), Script(), Ending.ILLEGAL, "W+F"),
    ],
)
def test_how_games_end(black: Player, white: Player, ending: str, result: str) -> None:
    played = game(black, white)
    assert (played.ending, played.game.result.text) == (ending, result)
    assert played.game.result.winner == {"B": BLACK, "W": WHITE}[result[0]]


@pytest.mark.parametrize(("rules", "ending"), [("chinese", Ending.ILLEGAL), ("japanese", Ending.PASSES)])
def test_a_repetition_loses_where_superko_is_the_rule(rules: str, ending: str) -> None:
    """On 2x2, Black's fourth move brings back the position after its first."""
    played = game(Script([0, 2, 0, 0]), Script([1, 3, 2]), Conditions(2, opening=0, rules=rules))
    assert played.ending == ending
    assert ("repeats" in played.detail) == (ending == Ending.ILLEGAL)


def test_time_is_kept(now: Time) -> None:
    slow, fast = Slow([12], now=now), Script()
    assert game(slow, fast, Conditions(5, opening=0, period=0.1)).ending == Ending.TIME
    assert game(slow, fast, Conditions(5, opening=0, main_time=0.1)).game.result.text == "W+T"
    played = game(slow, fast, Conditions(5, opening=0, main_time=0.1, period=5))
    assert played.ending == Ending.PASSES
    assert max(played.times[BLACK]) == pytest.approx(0.3)
    assert {colour: len(times) for colour, times in played.times.items()} == {BLACK: 2, WHITE: 1}


def test_a_period_is_for_several_stones_with_a_canadian_clock(now: Time) -> None:
    """Two moves of 0.3 s fit into two periods of 0.5 s, and not into one for both."""
    slow, fast = Slow([12], now=now), Script()
    assert game(slow, fast, Conditions(5, opening=0, period=0.5)).ending == Ending.PASSES
    played = game(slow, fast, Conditions(5, opening=0, period=0.5, period_stones=2))
    assert (played.ending, len(played.times[BLACK])) == (Ending.TIME, 2)


def test_a_game_without_end_is_counted_at_its_last_move() -> None:
    class Circle:
        def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
            """Throw a stone in and take it, as simple ko allows it."""
            legal = turn.position.legal_points()[:-1].nonzero()[0].tolist()
            return int(legal[turn.plies % len(legal)]) if legal else pass_point(turn.position.side)

    played = game(Circle(), Circle(), Conditions(3, opening=0, rules="japanese", komi=0.5), margin=-1.0)
    assert len(played.game.move_points) <= 27
    assert played.game.result.text == "W+1"


ENGINE = """
import sys
for line in sys.stdin:
    words = line.split()
    if words[0] == "genmove":
        {genmove}
    elif words[0] == "play" and {refuses}:
        print("? illegal move\\n", flush=True)
    else:
        print("= \\n", flush=True)
"""


@pytest.mark.parametrize(
    ("genmove", "refuses", "ending", "detail"),
    [
        ("sys.exit(1)", False, Ending.CRASH, "it ended with status 1"),
        ("print('= Z99\\\\n', flush=True)", False, Ending.ILLEGAL, "expected a vertex"),
        ("print('? I am lost\\\\n', flush=True)", False, Ending.CRASH, "I am lost"),
        ("__import__('time').sleep(60)", False, Ending.TIME, "no answer in time"),
        ("print('= resign\\\\n', flush=True)", False, Ending.RESIGNED, ""),
        ("print('= pass\\\\n', flush=True)", True, Ending.CRASH, "illegal move"),
    ],
)
def test_what_programs_lose_by(tmp_path: Path, genmove: str, refuses: bool, ending: str, detail: str) -> None:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE.format(genmove=genmove.replace("\\\\", "\\"), refuses=refuses))
    program = ExternalPlayer([sys.executable, str(path)], move_seconds=10 if ending != Ending.TIME else 1)
    played = game(Script([12]), program)
    program.close()
    assert (played.ending, played.game.result.winner) == (ending, BLACK)
    assert detail in played.detail


def test_a_program_that_cannot_set_up_the_game_ends_the_match(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text("import sys\ninput()\nsys.exit('joseki file missing')\n")
    program = ExternalPlayer([sys.executable, str(path)], move_seconds=10)
    with pytest.raises(GtpFailure, match="it ended with status 1; last line on stderr: joseki file missing"):
        game(Script(), program)


def test_a_program_starts_before_its_clock_does(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text(
        "import time\ntime.sleep(3)\n" + ENGINE.format(genmove="print('= pass\\n', flush=True)", refuses=False)
    )
    program = ExternalPlayer([sys.executable, str(path)], move_seconds=10)
    assert game(program, Script(), Conditions(5, opening=0, period=2.9)).ending == Ending.PASSES
    program.close()


def test_a_program_that_starts_while_its_player_is_closed_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "engine.py"
    path.write_text(ENGINE.format(genmove="print('= pass\\n', flush=True)", refuses=False))
    program = ExternalPlayer([sys.executable, str(path)], move_seconds=10)
    started = []

    def start(command: Sequence[str]) -> GtpClient:
        started.append(GtpClient(command))
        program.close()
        return started[0]

    monkeypatch.setattr("ownership.players.external_player.GtpClient", start)
    with pytest.raises(GtpFailure, match="it has been closed"):
        game(Script(), program)
    assert not started[0].alive


def test_a_program_that_crashed_plays_the_next_game(tmp_path: Path) -> None:
    path, marker = tmp_path / "engine.py", tmp_path / "crashed"
    once = f"open({str(marker)!r}, 'x').close(); sys.exit(1)"
    path.write_text(
        ENGINE.format(genmove=f"exec({once!r}) if not __import__('os').path.exists({str(marker)!r}) else "
                      "print('= pass\\n', flush=True)", refuses=False)
    )  # fmt: skip
    program = ExternalPlayer([sys.executable, str(path)], move_seconds=10)
    assert [game(Script(), program).ending for _ in range(2)] == [Ending.CRASH, Ending.PASSES]
    program.close()


def test_a_command_line_with_the_number_of_the_game_starts_a_program_for_each(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text(
        "import sys\nopen(sys.argv[1], 'x').close()\n"
        + ENGINE.format(genmove="print('= pass\\n', flush=True)", refuses=False)
    )
    program = ExternalPlayer(
        [sys.executable, str(path), f"{tmp_path}/{{game}}-{{orientation}}.started"], move_seconds=10
    )
    for number in range(3):
        assert game(program, Script(), number=number).ending == Ending.PASSES
    program.close()
    started = sorted(each.stem.split("-") for each in tmp_path.glob("*.started"))
    assert [number for number, _ in started] == ["0", "1", "2"]
    assert {orientation for _, orientation in started} <= set("01234567")


def test_a_match_that_is_stopped_ends_its_games() -> None:
    with pytest.raises(Stopped):
        play_game({BLACK: Script(), WHITE: Script()}, NAMES, Conditions(), [], Margin(), stopped=lambda: True)


FINISHED = parse_game((EXAMPLES / "finished-9x9.sgf").read_bytes())


def test_referees_agree_on_a_finished_game(bundled: Evaluator) -> None:
    try:
        find_gnugo()
    except InputError as error:
        pytest.skip(str(error))
    for rules, margin in (("chinese", 4.0), ("japanese", 3.0)):
        finished = replace(FINISHED, rules=rules)
        assert ModelReferee(bundled).margin(finished) == margin
        assert GnuGoReferee(GnuGo()).margin(finished) == margin
    with pytest.raises(Undecided):
        GnuGoReferee(GnuGo(program=Path("/bin/false"))).margin(FINISHED)
