"""The standard commands: their answers, and that a failure changes nothing."""

from types import SimpleNamespace

import pytest

from goban import text_diagram
from goban.errors import InputError
from goban.handicap_stones import fixed_handicap
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
    ("play b e5; play w e4; gg-undo; list_stones b", "= E5"),
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


FAILING = [commands for commands, answer in TRANSCRIPTS if answer and answer[0] == "?" and ";" not in commands]
FAILING += ["gogui-play_sequence B A1 W A1", "gg-undo 3", "ownership-options komi x", "ownership-options model x"]


def test_failures_change_nothing(engine: Inside) -> None:
    engine.all(["gogui-play_sequence B E5 W C3", "komi 5.5"])
    before = engine.all(["printsgf", "showboard", "ownership-options"])
    for command in set(FAILING) - {"undo"}:
        assert engine.ask(command).startswith("?")
        assert engine.all(["printsgf", "showboard", "ownership-options"]) == before, command


def test_showboard_shows_what_is_on_the_board(engine: Inside) -> None:
    engine.ask("gogui-play_sequence B A9 W J1")
    answer = engine.value("showboard")
    assert "Black to move, captured by Black 0, by White 0" in answer
    stones = text_diagram.parse_diagram("\n".join(answer.split("\n")[1:-1]))
    assert (stones[0, 0], stones[8, 8], abs(stones).sum()) == (1, -1, 2)


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
    "clock", ["time_settings 0 1 1", "kgs-time_settings byoyomi 0 1 3", "time_settings 9 0 0; time_left b 1 1"]
)
def test_a_search_ends_before_its_time(engine: Inside, clock: str, monkeypatch: pytest.MonkeyPatch) -> None:
    times: list[float] = []

    def tick() -> float:
        times.append(len(times) / 100)
        return times[-1]

    engine.all([*clock.split("; "), "ownership-options seconds_per_move 60", "ownership-options player alphabeta"])
    monkeypatch.setattr("ownership.search.alphabeta.alphabeta_search.time", SimpleNamespace(monotonic=tick))
    assert engine.value("genmove b")
    assert 0.4 < times[-1] < 1.0
    engine.all(["time_settings 0 1 0", "ownership-options seconds_per_move 1"])


def test_a_hopeless_game_is_resigned(engine: Inside) -> None:
    engine.all(["boardsize 4", "komi 200", "gogui-play_sequence B A1 W B1 B C1 W D1 B A2 W B2 B C2 W D2"])
    engine.ask("ownership-options resign_below_percent 5")
    assert engine.value("genmove b") == "resign"
    assert engine.value("genmove w") != "resign"


@pytest.mark.parametrize("side", [3, 8, 7, 12])
def test_fixed_handicap_ends_where_gtp_ends_it(side: int) -> None:
    with pytest.raises(InputError):
        fixed_handicap(side, 5)
