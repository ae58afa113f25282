"""Matches: rules by which games are lost, what is kept and resumed, and what the results prove."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from sgfmill import sgf

from goban.coords import BLACK, WHITE, pass_point
from goban.errors import InputError
from goban.position import Position
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.match.conditions import Conditions, Pairing, schedule
from ownership.match.game import Ending, PlayedGame, Stopped, play_game
from ownership.match.referee import GnuGoReferee, ModelReferee, Undecided
from ownership.match.statistics import WinLoss, elo, ratings, wilson
from ownership.match.storage import GameResult, MatchFolder, counted
from ownership.match.summary import summary
from ownership.players import RESIGN, Player, Turn
from ownership.players.external import ExternalPlayer
from preprocessing.labels.gnugo import GnuGo, find_gnugo
from preprocessing.records.game import GameRecord
from preprocessing.records.sgf import parse_game
from tests.support.paths import EXAMPLES, ROOT

PASS = pass_point(5)
NAMES = {BLACK: "one", WHITE: "other"}


@dataclass
class Script:
    """Plays the given moves, then passes, and always uses the same time."""

    points: Sequence[int] = ()
    seconds: float = 0.0

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        time.sleep(self.seconds)
        own = [point for colour, point in turn.game.moves if colour == turn.position.to_move]
        return self.points[len(own)] if len(own) < len(self.points) else pass_point(turn.position.side)


@dataclass
class Margin:
    """A referee with an opinion of its own."""

    points: float = 3.5

    def margin(self, game: GameRecord) -> float:
        return self.points


def game(black: Player, white: Player, conditions: Conditions | None = None, margin: float = 3.5) -> PlayedGame:
    conditions = conditions or Conditions(5, opening=0)
    return play_game({BLACK: black, WHITE: white}, NAMES, conditions, [], Margin(margin))


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
    assert played.winner == {"B": BLACK, "W": WHITE}[result[0]]


@pytest.mark.parametrize(("rules", "ending"), [("chinese", Ending.ILLEGAL), ("japanese", Ending.PASSES)])
def test_a_repetition_loses_where_superko_is_the_rule(rules: str, ending: str) -> None:
    """On 2x2, Black's fourth move brings back the position after its first."""
    played = game(Script([0, 2, 0, 0]), Script([1, 3, 2]), Conditions(2, opening=0, rules=rules))
    assert played.ending == ending
    assert ("repeats" in played.detail) == (ending == Ending.ILLEGAL)


def test_time_is_kept() -> None:
    slow, fast = Script([12], seconds=0.3), Script()
    assert game(slow, fast, Conditions(5, opening=0, move_time=0.1)).ending == Ending.TIME
    assert game(slow, fast, Conditions(5, opening=0, main_time=0.1)).game.result.text == "W+T"
    played = game(slow, fast, Conditions(5, opening=0, main_time=0.1, move_time=5))
    assert played.ending == Ending.PASSES
    assert played.longest[BLACK] >= 0.3 and played.thought == {BLACK: 2, WHITE: 1}


def test_a_game_without_end_is_counted_as_it_stands() -> None:
    class Circle:
        def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
            """Throw a stone in and take it, as simple ko allows it."""
            legal = turn.position.legal_moves()[:-1].nonzero()[0].tolist()
            return int(legal[turn.plies % len(legal)]) if legal else pass_point(turn.position.side)

    played = game(Circle(), Circle(), Conditions(3, opening=0, rules="japanese", komi=0.5), margin=-1.0)
    assert len(played.game.moves) <= 27
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
    assert (played.ending, played.winner) == (ending, BLACK)
    assert detail in played.detail


def test_a_program_starts_before_its_clock_does(tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text(
        "import time\ntime.sleep(1.0)\n" + ENGINE.format(genmove="print('= pass\\n', flush=True)", refuses=False)
    )
    program = ExternalPlayer([sys.executable, str(path)], move_seconds=10)
    assert game(program, Script(), Conditions(5, opening=0, move_time=0.9)).ending == Ending.PASSES
    program.close()


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


def test_openings_are_fair_and_repeatable() -> None:
    conditions = Conditions(9, opening=2, seed=5)
    openings = [tuple(conditions.moves(number)) for number in range(20)]
    assert openings == [tuple(Conditions(9, opening=2, seed=5).moves(number)) for number in range(20)]
    assert len(set(openings)) > 15
    assert openings != [tuple(Conditions(9, opening=2, seed=6).moves(number)) for number in range(20)]
    for side in (2, 3, 5, 7, 9, 13, 19):
        assert len(Conditions(side, opening=1).moves(3)) == 1


def test_handicap_stones_are_set_up() -> None:
    start = Conditions(9, handicap=3, opening=0).new_game().start
    assert (int(start.stones.sum()), start.to_move) == (3, WHITE)


@pytest.mark.parametrize(
    "wrong", [{"side": 1}, {"rules": "mine"}, {"opening": 5}, {"handicap": 1}, {"main_time": -1.0}]
)
def test_impossible_conditions_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Conditions(**{"side": 9, **wrong})  # type: ignore[arg-type]


def test_all_pairs_play_each_opening_with_both_colours() -> None:
    pairings = list(schedule(["a", "b", "c"], 4))
    assert len(pairings) == len(set(pairings)) == 12
    assert [(each.black, each.white, each.opening) for each in pairings if (each.first, each.second) == (0, 2)] == [
        (0, 2, 0),
        (2, 0, 0),
        (0, 2, 1),
        (2, 0, 1),
    ]


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    [(60, 100, 0.5020, 0.6906), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (1, 2, 0.0945, 0.9055), (0, 0, 0.0, 1.0)],
)
def test_wilsons_interval(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)


def test_elo_differences() -> None:
    assert elo(0.5) == 0
    assert elo(0.64) == pytest.approx(100, abs=0.1)
    assert elo(0.36) == pytest.approx(-100, abs=0.1)
    assert (elo(1.0), elo(0.0)) == (1200, -1200)


def test_ratings_explain_the_results() -> None:
    points = ratings(3, {(0, 1): WinLoss(640, 360), (1, 2): WinLoss(640, 360), (0, 2): WinLoss(760, 240)})
    assert points[0] - points[1] == pytest.approx(100, abs=2)
    assert points[1] - points[2] == pytest.approx(100, abs=2)
    assert sum(points) == pytest.approx(0)


def result(number: int, winner: int = 1, ending: str = Ending.PASSES, moves: str = "", **other: int) -> GameResult:
    players = {"first": 0, "second": 1, **other}
    return GameResult(
        number=number,
        winner=winner,
        ending=ending,
        result="",
        detail="no idea",
        moves=40,
        seconds=(2.0, 4.0),
        longest=(1.0, 2.0),
        thought=(20, 20),
        id=moves or str(number),
        **players,
    )


def test_repeated_and_void_games_do_not_count() -> None:
    results = [result(0, moves="a"), result(1, moves="a"), result(2, moves="a"), result(4, 0, Ending.UNDECIDED)]
    games, repeated = counted(results)
    assert [each.number for each in games] == [0, 1], "the same moves with other colours are another game"
    assert repeated == 1


def test_the_summary() -> None:
    results = [
        result(0),
        result(1),
        result(2),
        result(3, -1),
        result(4, 0),
        result(5, 1, Ending.TIME),
        result(6, 0, Ending.UNDECIDED),
    ]
    text = summary(["alphabeta", "gnugo"], results)
    assert "A - B      6    3     2      1     58.3%  " in text
    assert "1 games could not be counted and do not count: no idea" in text
    times = [line.split() for line in text.splitlines() if line.startswith(("A  ", "B  "))][2:]
    assert times == [["A", "0.15", "2.00", "1", "0", "0", "0"], ["B", "0.15", "2.00", "0", "0", "0", "0"]]


def test_the_cross_table_has_the_best_player_first() -> None:
    results = [result(number, 1 if number % 2 == 0 else -1) for number in range(4)]
    results += [result(number, -1 if number % 2 == 0 else 1, first=0, second=2) for number in range(4)]
    results += [result(number, 1, first=1, second=2) for number in range(4)]
    lines = summary(["middle", "weak", "strong"], results).splitlines()
    table = lines.index(next(line for line in lines if line.strip().endswith("Elo")))
    assert lines[table].split() == ["C", "A", "B", "total", "Elo"]
    assert lines[table + 1].split()[:5] == ["C", "-", "4/4", "2/4", "6/8"]


def test_a_folder_keeps_what_was_played(tmp_path: Path) -> None:
    folder = MatchFolder(tmp_path / "m", ["a", "b"], Conditions(), "gnugo")
    folder.add(result(0), b"(;)")
    with (tmp_path / "m" / "results.jsonl").open("a") as file:
        file.write('{"first": 0, "sec')
    again = MatchFolder(tmp_path / "m", ["a", "b"], Conditions(), "gnugo")
    assert again.results() == [result(0)]
    again.add(result(1), b"(;)")
    assert again.results() == [result(0), result(1)]
    with pytest.raises(InputError, match=r"holds another match: expected komi 7\.5, found 6\.5; choose another folder"):
        MatchFolder(tmp_path / "m", ["a", "b"], Conditions(komi=7.5), "gnugo")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """The folder of a match with two games."""
    folder = MatchFolder(tmp_path / "m", ["a", "b"], Conditions(), "gnugo")
    for number in range(2):
        folder.add(result(number), b"(;)")
    return tmp_path / "m"


def reopened(path: Path) -> list[GameResult]:
    return MatchFolder(path, ["a", "b"], Conditions(), "gnugo").results()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "expected a JSON object. Received: nothing"),
        (b"null", "expected a JSON object. Received: null"),
        (b"[1, 2]", r"expected a JSON object. Received: \[1, 2\]"),
        (b"{'komi': 6.5}", "expected a JSON object. Received: no JSON"),
        (b"\xff{}", "expected a JSON object. Received: no JSON"),
        (b"[" * 100_000, "expected a JSON object. Received: no JSON"),
        (b"{}", r"holds another match: expected players \['a', 'b'\], found null"),
        (b'{"players": ["a", "b"], "referee": "gnugo", "side": 9, "komi": NaN}', "expected komi 6.5, found NaN"),
    ],
)
def test_a_broken_description_is_refused_by_name(text: bytes, message: str, kept: Path) -> None:
    (kept / "match.json").write_bytes(text)
    with pytest.raises(InputError, match=rf"match\.json: .*{message}; choose another folder"):
        reopened(kept)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (b"", "expected a JSON object. Received: nothing"),
        (b"null", "expected a JSON object. Received: null"),
        (b"{]", "expected a JSON object. Received: no JSON"),
        (b"[" * 100_000, "expected a JSON object. Received: no JSON"),
        ({"winner": None}, "winner must be 1, -1 or 0. Received: null"),
        ({"winner": True}, "winner must be 1, -1 or 0. Received: true"),
        ({"ending": "boredom"}, 'ending must be one of passes, .*. Received: "boredom"'),
        ({"seconds": [0.5, float("nan")]}, r"seconds must be two numbers of seconds from 0 up. Received: \[0.5, NaN\]"),
        ({"longest": 1.5}, "longest must be two numbers of seconds from 0 up. Received: 1.5"),
        ({"thought": [1, 2, 3]}, "thought must be two whole numbers from 0 up"),
        ({"moves": -1}, "moves must be a whole number from 0 up. Received: -1"),
        ({"detail": "x" * 1000, "id": 5}, "id must be a text. Received: 5"),
        ({"first": 1}, "first and second must be two of the 2 players, counted from 0. Received: 1 and 1"),
        ({"second": 2}, "first and second must be two of the 2 players, counted from 0. Received: 0 and 2"),
    ],
)
def test_a_broken_result_is_refused_by_line_and_field(
    change: bytes | dict[str, object], message: str, kept: Path
) -> None:
    first, second = (kept / "results.jsonl").read_bytes().splitlines()
    broken = change if isinstance(change, bytes) else json.dumps(json.loads(second) | change).encode()
    (kept / "results.jsonl").write_bytes(first + b"\n" + broken + b"\n")
    with pytest.raises(
        InputError, match=rf"results\.jsonl: line 2: {message}.*; delete the line to play the game again"
    ):
        reopened(kept)


def test_a_result_without_a_field_is_refused_by_its_name(kept: Path) -> None:
    lines = [json.loads(line) for line in (kept / "results.jsonl").read_text().splitlines()]
    del lines[0]["ending"]
    (kept / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=r"results\.jsonl: line 1: ending must be one of .* Received: none"):
        reopened(kept)


def test_nesting_at_the_edge_of_what_can_be_read_is_refused_too(kept: Path) -> None:
    for depth in range(800, 1000):
        for name in ("results.jsonl", "match.json"):
            (kept / name).write_text("[" * depth + "]" * depth + "\n")
            with pytest.raises(InputError, match="expected a JSON object"):
                reopened(kept)


FILL_THE_DISK = """
import resource, sys
from pathlib import Path
from ownership.match.conditions import Conditions
from ownership.match.storage import MatchFolder
folder = MatchFolder(Path(sys.argv[1]), ["a", "b"], Conditions(), "gnugo")
result = folder.results()[0]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    folder.add(result, b"x" * int(sys.argv[3]))
except OSError as error:
    print(error.filename)
"""


@pytest.mark.parametrize(("moves", "named"), [(10, "results.jsonl"), (2000, "games/AB-0000.sgf")])
def test_a_full_disk_leaves_whole_games_and_lines(moves: int, named: str, kept: Path) -> None:
    before = (kept / "results.jsonl").read_bytes()
    arguments = [str(kept), str(len(before) + 20), str(moves)]
    answer = subprocess.run([sys.executable, "-c", FILL_THE_DISK, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert answer.stdout == f"{kept}/{named}\n", answer.stderr
    assert (kept / "results.jsonl").read_bytes() == before
    assert sorted(path.name for path in (kept / "games").iterdir()) == ["AB-0000.sgf", "AB-0001.sgf"]
    assert len(reopened(kept)) == 2


def test_a_folder_that_cannot_be_written_to_is_refused_before_any_game(kept: Path) -> None:
    (kept / "results.jsonl").unlink()
    (kept / "results.jsonl").mkdir()
    with pytest.raises(IsADirectoryError, match=r"results\.jsonl"):
        reopened(kept)


def match(*arguments: str | Path) -> int:
    return main(["match", *map(str, arguments)])


def test_a_match_is_resumed_where_it_ended(
    tmp_path: Path, small_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match"
    common = ("-o", out, "--size", "5", "--referee", small_model, "--model", small_model, "--jobs", "3")
    players = ("random", "random:seed=7", "policy:resign=0")
    assert match(*players, *common, "--games", "2") == 0
    first = (out / "results.jsonl").read_text().splitlines()
    assert len(first) == 6
    assert match(*players, *common, "--games", "4") == 0
    lines = (out / "results.jsonl").read_text().splitlines()
    assert lines[:6] == first and len(lines) == 12
    assert {Pairing(each["first"], each["second"], each["number"]) for each in map(json.loads, lines)} == set(
        schedule(players, 4)
    )
    shown = capsys.readouterr().out
    assert "A  random\nB  random:seed=7\nC  policy:resign=0" in shown
    assert "B - C      4  " in shown
    assert match(*players, "-o", out, "--size", "7") == 2


def test_games_are_kept_with_score_and_ownership(tmp_path: Path, small_model: Path) -> None:
    out = tmp_path / "match"
    common = ("--size", "5", "--games", "1", "--referee", small_model, "--model", small_model)
    program = f"{sys.executable} -m gogui_plugin.main --player random --model {small_model}"
    assert match("random", program, "-o", out, *common, "--time", "60", "--byo-yomi", "5") == 0
    [path] = (out / "games").iterdir()
    record = sgf.Sgf_game.from_bytes(path.read_bytes())
    nodes = record.get_main_sequence()
    assert record.get_root().get("PW") == program
    for node in nodes:
        head, *rows = node.get("C").splitlines()
        assert re.search(r"90% interval .* (Black|White) wins \(", head)
        assert len(rows) == 5 and all(len(line) == 5 and line.isdigit() for line in rows)
    played = parse_game(path.read_bytes())
    assert played.result.text == json.loads((out / "results.jsonl").read_text())["result"]
    assert not Position.empty(5).stones.any() and len(nodes) == len(played.moves) + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random"], "expected 2..26 players. Received: 1"),
        (["random", "nobody"], "expected a player alphabeta"),
        (["random", "random", "--games", "0"], "--games must be at least 1"),
        (["random", "random", "--size", "1"], "board side must be 2..25"),
        (["random", "random", "--rules", "mine"], "--rules must be one of"),
        (["random", "random", "--komi", "nan"], "--komi must be -400..400 points. Received: nan"),
        (["random", "random", "--komi", "1e308"], "--komi must be -400..400 points. Received: 1e+308"),
        (["random", "random", "--time", "nan"], "--time must be 0..1000000 seconds. Received: nan"),
        (["random", "random", "--byo-yomi", "inf"], "--byo-yomi must be 0..1000000 seconds. Received: inf"),
        (["random", "random", "--move-timeout", "nan"], "--move-timeout must be 0.001..1000000 seconds. Received: nan"),
        (["random", "random", "--seed", "-1"], "--seed must be at least 0. Received: -1"),
    ],
)
def test_wrong_matches_are_told_in_one_line(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert match(*arguments, "-o", tmp_path / "m", "--no-comments", "--referee", "default") == 2
    errors = capsys.readouterr().err
    assert message in errors and errors.count("\n") == 1
