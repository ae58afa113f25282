"""The engine's commands: their answers, and that a failure changes nothing."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from goban import text_diagram
from goban.coords import gtp_name
from goban.errors import InputError
from goban.game import Game
from goban.position import Position
from goban.rulesets import DEFAULT_RULES, fixed_handicap
from gogui_plugin.gogui_graphics import show
from gogui_plugin.loaded_record import load_game
from gogui_plugin.session import PLAYER_NAMES
from ownership import cli
from ownership.inference.evaluator import Evaluator
from ownership.players.player_interface import Turn
from ownership.scoring.score_games import ScoreOptions
from ownership.scoring.score_position import score_position, score_positions
from ownership.search.search_options import SearchResult
from ownership.server.score_answers import score_answer
from tests.support.gtp import Inside
from tests.support.paths import EXAMPLES

REQUIRED = """
protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove
undo loadsgf showboard final_score final_status_list fixed_handicap place_free_handicap set_free_handicap
time_settings time_left reg_genmove printsgf kgs-rules kata-get-rules kata-set-rules cputime gg-undo
gogui-analyze_commands gogui-setup gogui-setup_player gogui-play_sequence gogui-interrupt gogui-sigint
gogui-title lz-analyze kata-analyze lz-genmove_analyze kata-genmove_analyze kata-raw-nn analyze genmove_analyze
kgs-time_settings kgs-genmove_cleanup kgs-game_over kgs-chat
"""


def test_every_promised_command_is_listed_and_none_of_other_games(engine: Inside) -> None:
    listed = engine.value("list_commands").split("\n")
    assert set(REQUIRED.split()) <= set(listed)
    assert not [name for name in listed if name.startswith(("gogui-rules", "gogui-action"))]


TRANSCRIPTS = [
    # board, komi, moves
    ("name", "= Ownership"),
    ("boardsize 25", "= "),
    ("boardsize 2", "= "),
    ("boardsize 1", "? unacceptable size: board side must be 2..25. Received: 1"),
    ("boardsize 26", "? unacceptable size: board side must be 2..25. Received: 26"),
    ("boardsize x", "? syntax error: expected a whole number. Received: 'x'"),
    ("boardsize", "? syntax error: expected 1 argument. Received: 0"),
    ("boardsize " + "9" * 5000, "? syntax error: expected a whole number. Received: '" + "9" * 59 + "..."),
    ("boardsize 13; query_boardsize", "= 13"),
    ("komi -7.25; get_komi", "= -7.25"),
    ("komi -400; get_komi", "= -400"),
    ("komi 400.5", "? unacceptable komi: expected a number -400..400. Received: '400.5'"),
    ("komi 1e308; get_komi", "= 6.5"),
    ("komi nan", "? unacceptable komi: expected a number -400..400. Received: 'nan'"),
    ("play B E5; list_stones black", "= E5"),
    ("play b e5; play WHITE pass; play black E4; list_stones b", "= E5 E4"),
    ("play b e5; play w e5", "? illegal move: the point is occupied"),
    ("play b a2; play b b1; play w a1", "? illegal move: the stone would have no liberties"),
    ("kgs-rules new_zealand; gogui-play_sequence B A3 B B2 W A2 B B1 W A1; captures b", "= 2"),
    ("play x e5", "? syntax error: expected a colour b or w. Received: 'x'"),
    ("play b k1", "? expected a vertex A1..J9 or pass. Received: 'k1'"),
    ("play b", "? syntax error: expected 2 arguments. Received: 1"),
    ("undo", "? cannot undo: expected 0..0 moves to take back. Received: 1"),
    ("play b e5; play w e4; undo; list_stones w", "= "),
    ("play b a1; play w b1; play w a2; undo; undo; list_stones b", "= A1"),
    ("play b e5; play w e4; gg-undo 2; list_stones b", "= "),
    ("play b e5; gg-undo 2", "? cannot undo: expected 0..1 moves to take back. Received: 2"),
    ("play b e5; gg-undo -1", "? cannot undo: expected 0..1 moves to take back. Received: -1"),
    ("play b a2; play b b1; is_legal w a1; is_legal w a1", "= 0"),
    ("is_legal w pass", "= 1"),
    # handicap
    ("fixed_handicap 2", "= C3 G7"),
    ("fixed_handicap 10", "? invalid number of stones: expected 2..9 on 9x9. Received: 10"),
    ("boardsize 5; fixed_handicap 2", "? invalid number of stones: expected no handicap on 5x5. Received: 2"),
    ("boardsize 5; place_free_handicap 3", "? invalid number of stones: expected no handicap on 5x5. Received: 3"),
    ("play b e5; fixed_handicap 2", "? board not empty"),
    ("place_free_handicap 3", "= C3 G7 C7"),
    ("place_free_handicap 20; list_stones b", "= C7 E7 G7 C5 E5 G5 C3 E3 G3"),
    ("place_free_handicap 81", "? invalid number of stones: expected 2..80. Received: 81"),
    ("set_free_handicap a1 j9; list_stones b", "= J9 A1"),
    ("set_free_handicap a1", "? bad vertex list: expected 2..80 different points. Received: a1"),
    ("set_free_handicap a1 a1", "? bad vertex list: expected 2..80 different points. Received: a1 a1"),
    ("set_free_handicap a1 pass", "? syntax error: expected a point. Received: pass"),
    # time
    ("time_settings 300 30 5", "= "),
    ("time_settings 300", "? syntax error: expected 3 arguments. Received: 1"),
    ("time_settings 1 -1 1", "? syntax error: expected a whole number from 0 up. Received: '-1'"),
    ("time_left b 30 0", "= "),
    ("time_left x 30 0", "? syntax error: expected a colour b or w. Received: 'x'"),
    ("kgs-time_settings none", "= "),
    ("kgs-time_settings absolute 300", "= "),
    ("kgs-time_settings byoyomi 300 30 5", "= "),
    ("kgs-time_settings canadian 300 30 25", "= "),
    ("kgs-time_settings byoyomi 300", None),
    ("kgs-time_settings sand 3", None),
    ("kgs-game_over", "= "),
    ("kgs-chat game alice", None),
    ("kgs-chat room alice hello", None),
    ("kgs-genmove_cleanup x", "? syntax error: expected a colour b or w. Received: 'x'"),
    (f"play b {'x' * 5000}", f"? expected a vertex A1..J9 or pass. Received: '{'x' * 59}..."),
    # rules
    ("kgs-rules japanese", "= "),
    ("kgs-rules go", "? unknown ruleset: expected chinese, aga, japanese, new_zealand. Received: 'go'"),
    (
        "kata-set-rules tromp-taylor; kata-get-rules",
        '= {"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE","whiteHandicapBonus":"0",'
        '"hasButton":false,"friendlyPassOk":true}',
    ),
    (
        "kata-set-rules koSIMPLEscoreTERRITORYtaxSEKIsui0whbN-1; kata-get-rules",
        '= {"ko":"SIMPLE","scoring":"TERRITORY","suicide":false,"tax":"SEKI","whiteHandicapBonus":"N-1",'
        '"hasButton":false,"friendlyPassOk":true}',
    ),
    (
        "kata-set-rules aga-button",
        "? expected rules without the button, which this program does not count. Received: 'aga-button'",
    ),
    (
        'kata-set-rules {"komi":7}',
        """? expected rules without a komi, which the command komi sets. Received: '{"komi":7}'""",
    ),
    ('kata-set-rules {"ko":3}', "? expected ko to be one of POSITIONAL, SITUATIONAL, SIMPLE. Received: 3"),
    ("kata-set-rules {x", None),
    # records
    ("loadsgf nowhere.sgf", "? cannot load file: expected a file. Received: nowhere.sgf"),
    ("loadsgf", "? syntax error: expected a file name. Received: none"),
    (f"loadsgf {EXAMPLES} 3", f"? cannot load file: expected a file. Received: {EXAMPLES}"),
    (f"loadsgf {EXAMPLES / 'finished-9x9.sgf'} 0", "? cannot load file: expected a move number from 1 up. Received: 0"),
    (f'loadsgf "{EXAMPLES / "finished-9x9.sgf"}" 3; list_stones b', "= F6"),
    (f"loadsgf {EXAMPLES / 'finished-9x9.sgf'} 3; list_stones w", "= C6"),
    (f"loadsgf {EXAMPLES / 'finished-9x9.sgf'}; get_komi", "= 7"),
    ("play b e5; play w pass; printsgf", "= (;GM[1]FF[4]CA[UTF-8]SZ[9]KM[6.5]HA[0]PL[B]RU[area]\n;B[ee]\n;W[])"),
    # GoGui
    ("gogui-setup B A1 B B1 W C1; list_stones b", "= A1 B1"),
    ("gogui-setup B A1; gogui-setup_player W; showboard", None),
    ("gogui-setup W A2 W B1 B A1", "? expected a liberty for every chain. Received: none at A1"),
    ("gogui-setup B", "? syntax error: expected colours and vertices in pairs. Received: 1 words"),
    ("gogui-setup B PASS", "? syntax error: expected points to set up. Received: pass"),
    ("gogui-play_sequence B A1 W PASS B B1; list_stones b", "= A1 B1"),
    ("gogui-play_sequence B A1 W A1", None),
    ("gogui-play_sequence B A1 W A1; list_stones b", "= "),
    ("gogui-interrupt", "= "),
    ("final_status_list lost", "? invalid status: expected dead, alive or seki. Received: 'lost'"),
]


@pytest.mark.parametrize(("commands", "answer"), TRANSCRIPTS)
def test_transcript(engine: Inside, commands: str, answer: str | None) -> None:
    last = engine.all(commands.split("; "))[-1]
    if answer is not None:
        assert last == answer


@pytest.mark.parametrize("komi", ["KM[0]", ""])
def test_a_komi_that_is_missing_or_excluded_is_assumed(engine: Inside, tmp_path: Path, komi: str) -> None:
    (tmp_path / "game.sgf").write_text(f"(;SZ[19]RU[Japanese]{komi}RE[B+3.5];B[pd];W[dp])")
    assert engine.all([f"loadsgf {tmp_path / 'game.sgf'}", "get_komi"]) == ["= ", "= 6.5"]


FAILING = [commands for commands, answer in TRANSCRIPTS if answer and answer[0] == "?" and ";" not in commands]
FAILING += ["gogui-play_sequence B A1 W A1", "gg-undo 3", "ownership-options komi x", "ownership-options model x"]


def test_failures_change_nothing(engine: Inside) -> None:
    engine.all(["gogui-play_sequence B E5 W C3", "komi 5.5"])
    before = engine.all(["printsgf", "showboard", "ownership-options"])
    for command in set(FAILING) - {"undo"}:
        assert engine.ask(command).startswith("?")
        assert engine.all(["printsgf", "showboard", "ownership-options"]) == before, command


SENT_TWO = """
. . . . .
. . . . .
. . . . O
O O X . .
. X . X .
"""
RETURNED_ONE = ["B", "B1", "W", "A2", "B", "C2", "W", "B2", "B", "D1", "W", "E3", "B", "A1", "W", "C1", "B", "B1"]
THE_RETURN = "B1"


def stones(engine: Inside) -> str:
    rows = engine.value("showboard").strip("\n").split("\n")[:-1]
    return text_diagram.render_text(text_diagram.parse_diagram("\n".join(rows)), coordinates=False)


@pytest.fixture
def returning(engine: Inside, tmp_path: Path) -> Iterator[Path]:
    """A record in which White sends two stones and Black returns one, which brings the position back."""
    record = tmp_path / "returned.sgf"
    record.write_text("(;GM[1]SZ[5]RU[Chinese];B[be];W[ad];B[cd];W[bd];B[de];W[ec];B[ae];W[ce];B[be];W[aa])")
    engine.ask("boardsize 5")
    yield record
    engine.ask("ownership-options player greedy")


@pytest.mark.parametrize("rules", ["chinese", "japanese", "tromp-taylor"])
def test_moves_that_were_played_may_repeat_a_position(engine: Inside, returning: Path, rules: str) -> None:
    """A GUI that replays a game must end on its board, with superko or without."""
    assert returning.exists()
    board = text_diagram.render_text(text_diagram.parse_diagram(SENT_TWO), coordinates=False)
    pairs = [" ".join(RETURNED_ONE[start : start + 2]) for start in range(0, len(RETURNED_ONE), 2)]
    engine.ask(f"kata-set-rules {rules}")
    assert engine.ask(f"gogui-play_sequence {' '.join(pairs)}") == "= "
    assert stones(engine) == board
    engine.ask("clear_board")
    assert engine.all([f"play {pair}" for pair in pairs]) == ["= "] * len(pairs)
    assert stones(engine) == board
    assert engine.ask("play w a5") == "= "


def test_a_record_with_an_illegal_move_can_be_loaded_up_to_there(engine: Inside, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9];B[ee];W[cc];B[ee];W[gg])")
    refused = "? cannot load file: illegal move: move 3, Black E5: the point is occupied"
    answers = engine.all([f"loadsgf {tmp_path / 'game.sgf'}{number}" for number in ("", " 4", " 3")])
    assert answers == [refused, refused, "= "]


def test_loadsgf_says_what_it_skipped(engine: Inside, tmp_path: Path) -> None:
    (tmp_path / "game.sgf").write_text("(;SZ[9]KM[seven];B[ee])")
    assert engine.ask(f"loadsgf {tmp_path / 'game.sgf'}") == "= expected a komi in points. Received: 'seven'"


def test_records_may_repeat_a_position(engine: Inside, returning: Path) -> None:
    board = text_diagram.render_text(text_diagram.parse_diagram(SENT_TWO), coordinates=False)
    assert engine.ask(f"loadsgf {returning} 10") == "= "
    assert stones(engine) == board
    engine.all([f"loadsgf {returning} 9", "ownership-options player replay"])
    assert engine.value("genmove b") == THE_RETURN
    assert stones(engine) == board


@pytest.mark.parametrize(("rules", "legal"), [("chinese", False), ("japanese", True)])
def test_the_engine_itself_keeps_to_superko(engine: Inside, returning: Path, rules: str, legal: bool) -> None:
    engine.all([f"loadsgf {returning} 9", f"kata-set-rules {rules}"])
    assert engine.value("is_legal b b1") == str(int(legal))
    assert (THE_RETURN in engine.value("all_legal b").split()) == legal
    engine.send("kata-analyze b 10 allow b B1 1\nname\n")
    shown = engine.read()
    assert engine.read() == "= Ownership"
    assert not shown.removeprefix("=").strip(), "players never repeat a position"
    engine.ask("ownership-options player random")
    assert THE_RETURN not in {engine.value("reg_genmove b") for _ in range(3)}


def test_showboard_shows_what_is_on_the_board(engine: Inside) -> None:
    engine.ask("gogui-play_sequence B A9 W J1")
    answer = engine.value("showboard")
    assert "Black to move, captured by Black 0, by White 0" in answer
    stones = text_diagram.parse_diagram("\n".join(answer.split("\n")[1:-1]))
    assert (stones[0, 0], stones[8, 8], abs(stones).sum()) == (1, -1, 2)


@pytest.mark.parametrize("name", ["finished-9x9.sgf", "two words.sgf", "ends in 7.sgf", "J\u00e4ger.sgf", "12"])
def test_loadsgf_takes_any_name(engine: Inside, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes((EXAMPLES / "finished-9x9.sgf").read_bytes())
    assert engine.ask(f"loadsgf {path}") == "= "
    assert engine.ask(f'loadsgf "{path}" 2') == "= "
    assert engine.value("list_stones b") == "F6"


def test_genmove_plays_legal_moves_to_the_end(engine: Inside) -> None:
    engine.all(["boardsize 5", "ownership-options resign_below_percent 0"])
    passed = False
    for number in range(80):
        colour = "bw"[number % 2]
        regular = engine.value(f"reg_genmove {colour}")
        assert engine.value(f"genmove {colour}") == regular
        if regular == "pass" and passed:
            break
        passed = regular == "pass"
    else:
        pytest.fail("expected two passes within 80 moves")


@pytest.mark.parametrize(
    "player",
    ["mcts", "mcts:visits=9", "alphabeta:depth=2,width=4", "longterm:episodes=2", "policy:temperature=1", "random"],
)
def test_players_by_name_and_options(engine: Inside, player: str) -> None:
    engine.all(["boardsize 5", "ownership-options seconds_per_move 0.2", f"ownership-options player {player}"])
    assert f" player {player}\n" in engine.value("ownership-options")
    vertex = engine.value("genmove b")
    assert engine.value("list_stones b") == vertex


def test_the_engine_s_number_of_candidates_is_that_of_greedy_alone(
    engine: Inside, capsys: pytest.CaptureFixture[str]
) -> None:
    engine.all(["boardsize 5", "ownership-options player longterm:steps=0", "genmove b"])
    assert ", 6 nodes," in capsys.readouterr().err  # the position and 5 candidates


@pytest.mark.parametrize(("model", "player"), [("small_model", "mcts"), ("owner_model", "greedy")])
def test_the_strongest_player_that_the_model_can_be(model: str, player: str, request: pytest.FixtureRequest) -> None:
    engine = Inside("--model", str(request.getfixturevalue(model)), "--time", "0.1")
    assert f" player {player}\n" in engine.value("ownership-options")
    engine.ask("boardsize 5")
    assert engine.value("genmove b") == (engine.value("list_stones b") or "pass")
    engine.close()


@pytest.mark.parametrize(
    ("player", "message"),
    [
        ("stranger", f"expected a player ({', '.join(PLAYER_NAMES)}) or a GTP program"),
        ("alphabeta:deep=1", "player alphabeta: expected options model=, "),
    ],
)
def test_a_player_that_is_none_changes_nothing(engine: Inside, player: str, message: str) -> None:
    assert message in engine.ask(f"ownership-options player {player}")
    assert " player greedy\n" in engine.value("ownership-options")


def test_players_by_chance_play_another_game_each_time(engine: Inside) -> None:
    engine.ask("ownership-options player random")
    moves = []
    for _ in range(8):
        engine.ask("clear_board")
        moves.append(engine.value("reg_genmove b"))
        assert engine.value("reg_genmove b") == moves[-1]
    assert len(set(moves)) > 3


def test_gogui_shows_the_line_that_a_search_expects(capsys: pytest.CaptureFixture[str]) -> None:
    turn = Turn(Game.empty(9).play(40))
    result = SearchResult(3, -2.26, (41, 81, 39), 120, 80, 0.5)
    show(turn, result)
    shown = "gogui-gfx:\nVAR w F5 b pass w D5\nTEXT depth 3: W+2.3, 120 nodes, 0.5 s\n\n"
    assert capsys.readouterr().err == shown


@pytest.mark.parametrize(
    "clock", ["time_settings 0 1 1", "kgs-time_settings byoyomi 0 1 3", "time_settings 9 0 0; time_left b 1 1"]
)
def test_a_search_ends_before_its_time(engine: Inside, clock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []

    def tick() -> float:
        times.append(len(times) / 100)
        return times[-1]

    engine.all([*clock.split("; "), "ownership-options seconds_per_move 60", "ownership-options player alphabeta"])
    monkeypatch.setattr("ownership.search.alphabeta.time", SimpleNamespace(monotonic=tick))
    assert engine.value("genmove b")
    assert 0.4 < times[-1] < 1.0
    engine.all(["time_settings 0 1 0", "ownership-options seconds_per_move 1"])


def test_a_hopeless_game_is_resigned(engine: Inside) -> None:
    engine.all(["boardsize 4", "komi 200", "gogui-play_sequence B A1 W B1 B C1 W D1 B A2 W B2 B C2 W D2"])
    engine.ask("ownership-options resign_below_percent 5")
    assert engine.value("genmove b") == "resign"
    assert engine.value("genmove w") != "resign"


def test_replay_walks_through_a_record(engine: Inside) -> None:
    engine.all([f"loadsgf {EXAMPLES / 'finished-9x9.sgf'}", "ownership-options player replay"])
    wanted = engine.value("printsgf")
    assert engine.value("genmove b") == "pass"
    engine.ask("clear_board")
    assert engine.ask("genmove w") == "? expected the colour of the record's move 1. Received: White"
    for number in range(45):
        assert engine.ask(f"genmove {'bw'[number % 2]}").startswith("= ")
    assert engine.value("printsgf").split()[1:] == wanted.split()[1:]
    engine.all(["clear_board", "play b a1"])
    assert engine.ask("genmove w").startswith("? expected the record's position after 1 move.")
    engine.ask("boardsize 13")
    assert engine.ask("genmove b") == "? expected the record's board side, 9. Received: 13; set the board size"


@pytest.mark.parametrize("side", [3, 8, 7, 12])
def test_fixed_handicap_ends_where_gtp_ends_it(side: int) -> None:
    with pytest.raises(InputError):
        fixed_handicap(side, 5)


@pytest.fixture(scope="module")
def default_engine() -> Iterator[Inside]:
    """An engine with the bundled model."""
    engine = Inside()
    yield engine
    engine.close()


@pytest.mark.parametrize("name", ["finished-9x9.sgf", "finished-19x19.sgf"])
def test_the_final_score_is_the_librarys(default_engine: Inside, bundled: Evaluator, name: str) -> None:
    record = load_game(str(EXAMPLES / name)).record
    estimate = score_position(record.position(), record.rules, record.komi, handicap=record.handicap, evaluator=bundled)
    default_engine.ask(f"loadsgf {EXAMPLES / name}")
    assert default_engine.value("final_score") == estimate.result
    lists = {status: default_engine.value(f"final_status_list {status}").split() for status in ("dead", "seki")}
    for status, stones in (("dead", estimate.dead), ("seki", estimate.seki)):
        points = np.flatnonzero(stones).tolist()
        assert sorted(lists[status]) == sorted(gtp_name(point, record.side) for point in points)


@pytest.mark.parametrize("name", ["finished-9x9.sgf", "finished-19x19.sgf", "middlegame-19x19.sgf"])
def test_the_final_score_is_that_of_the_command_line_and_of_the_page(
    default_engine: Inside, bundled: Evaluator, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["score", "--json", str(EXAMPLES / name)]) == 0
    scored = json.loads(capsys.readouterr().out)
    default_engine.ask(f"loadsgf {EXAMPLES / name}")
    assert default_engine.value("final_score") == scored["result"]
    assert default_engine.value("ownership-score").startswith(
        f"{scored['rules']} rules, komi {scored['komi']:g}: {scored['result']} "
    )
    assert sorted(default_engine.value("final_status_list dead").split()) == sorted(scored["dead"])
    page = score_answer(load_game(str(EXAMPLES / name)).record, bundled, ScoreOptions())
    assert {key: page[key] for key in scored if key != "source"} == {
        key: scored[key] for key in scored if key != "source"
    }


def test_a_nearly_empty_board_has_one_score(default_engine: Inside, bundled: Evaluator) -> None:
    default_engine.all(["boardsize 19", "clear_board", "komi 6.5", "kata-set-rules area", "play b q16"])
    position = Position.empty(19).play("Q16")
    [expected] = score_positions([position], DEFAULT_RULES, 6.5, ended=False, evaluator=bundled)
    assert default_engine.value("final_score") == expected.result
    assert default_engine.value("ownership-score").startswith(f"area rules, komi 6.5: {expected.result} expected, ")


SEKI = """
. X . O . O X
X X O O O O X
O O X X X X X
O O X . X . X
. O X X X X X
O O O O O O O
. O . O . O .
"""


def test_stones_in_seki_are_neither_dead_nor_alive(default_engine: Inside) -> None:
    stones = text_diagram.parse_diagram(SEKI).ravel()
    setup = " ".join(
        f"{'B' if stones[point] > 0 else 'W'} {gtp_name(point, 7)}" for point in np.flatnonzero(stones).tolist()
    )
    default_engine.all(["boardsize 7", "komi 0", f"gogui-setup {setup}"])
    dead, alive, seki = (
        default_engine.value(f"final_status_list {status}").split() for status in ("dead", "alive", "seki")
    )
    assert len(dead) + len(alive) + len(seki) == np.count_nonzero(stones)
    assert not set(alive) & {*dead, *seki}


def test_a_chat_on_kgs_is_answered_with_the_score(engine: Inside) -> None:
    engine.all(["boardsize 9", "clear_board", "play b e5"])
    assert re.fullmatch(r"[BW]\+\d+\.\d.*", engine.value("kgs-chat private alice who is ahead?"))
