"""The analyze commands of GoGui: every answer must be one that GoGui can paint."""

import re
import subprocess
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from goban.coords import gtp_name, parse_gtp
from gogui_plugin.gogui_analyze_menu import ANALYSES, Analysis
from gogui_plugin.gogui_graphics import signed
from ownership.explaining.group_status import explain_group
from ownership.inference.network_config import NetworkConfig
from ownership.inference.stack_config import Stack
from tests.support.gtp import Inside, ownership_gtp
from tests.support.models import write_model
from tests.support.paths import EXAMPLES

TYPES = {"gfx", "cboard", "dboard", "bwboard", "sboard", "plist", "string", "hstring", "param"}
GAME = EXAMPLES / "finished-9x9.sgf"
SIDE = 9
VISITS = 4


def check_board(text: str, token: str) -> None:
    rows = text.removeprefix("\n").split("\n")
    assert len(rows) == SIDE
    for row in rows:
        assert len(row.split()) == SIDE, row
        assert all(re.fullmatch(token, word) for word in row.split()), row


def check_gfx(text: str) -> None:
    assert text.startswith("\n"), "GoGui cuts a first line at its first blank"
    for line in text.removeprefix("\n").split("\n"):
        word, _, rest = line.partition(" ")
        words = rest.split()
        assert word in {"INFLUENCE", "LABEL", "COLOR", "TEXT", "VAR"}, line
        if word in {"INFLUENCE", "LABEL"}:
            assert all(parse_gtp(point, SIDE) < SIDE * SIDE for point in words[::2])
            assert len(words) % 2 == 0
        if word == "INFLUENCE":
            assert all(0.01 <= abs(float(value)) <= 1 for value in words[1::2])


def check_param(text: str) -> None:
    for line in text.split("\n"):
        assert re.fullmatch(r"\[(bool|string|list/[^\]]+)\] [a-z_]+ .*", line), line
        assert not line.endswith("]")


def visits_in(text: str) -> int:
    found = re.search(r"([\d,]+) visits", text)
    assert found
    return int(found[1].replace(",", ""))


def check_points(text: str) -> None:
    assert all(parse_gtp(point, SIDE) < SIDE * SIDE for point in text.split())


CHECKS = {
    "gfx": check_gfx,
    "cboard": lambda text: check_board(text, r'#[0-9a-f]{6}|""'),
    "dboard": lambda text: check_board(text, r"-?[0-9]+\.[0-9]+"),
    "bwboard": lambda text: check_board(text, r"[bw.]"),
    "sboard": lambda text: check_board(text, r'""|[-+.0-9]{1,5}'),
    "plist": check_points,
    "string": lambda text: None if "\n" not in text and text else pytest.fail(text),
    "hstring": lambda text: None if re.fullmatch(r"([A-Z][a-z]+: .+\n?)+", text) else pytest.fail(text),
    "param": check_param,
}


@pytest.fixture
def explained_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups are explained with few visits: what is shown here is the answer, not how well the engine reads."""
    monkeypatch.setattr("gogui_plugin.gogui_analyze_menu.explain_group", partial(explain_group, visits=VISITS))


def test_the_menu_is_one_that_gogui_reads(engine: Inside) -> None:
    lines = engine.value("gogui-analyze_commands").split("\n")
    listed = set(engine.value("list_commands").split("\n"))
    labels = [line.split("/")[1] for line in lines]
    for line in lines:
        fields = line.split("/")
        assert len(fields) == 3
        assert fields[0] in TYPES
        assert fields[2].split()[0] in listed
    assert len(set(labels)) == len(labels)
    groups = [label.partition(":")[0] for label in labels]
    assert sorted(set(groups), key=groups.index) == [g for n, g in enumerate(groups) if n == 0 or groups[n - 1] != g]


@pytest.mark.usefixtures("explained_soon")
@pytest.mark.parametrize("number", [1, 2, 20, 46])
@pytest.mark.parametrize("analysis", ANALYSES, ids=lambda analysis: analysis.name)
def test_answers_can_be_painted(engine: Inside, analysis: Analysis, number: int) -> None:
    engine.ask("ownership-options seconds_of_search_displays 0.1")
    engine.ask(f"loadsgf {GAME} {number}")
    vertex = next(iter(engine.value("list_stones black").split()), "A1")
    answer = engine.ask(analysis.command.replace("%r", f'"{GAME}"').replace("%p", vertex))
    if analysis.name.startswith("ownership-change") and number == 1:
        assert answer == "? expected a move on the board. Received: none"
        return
    if analysis.name == "ownership-explain" and number == 1:
        assert answer == "? expected a point with a stone. Received: an empty point"
        return
    assert answer.startswith("= "), answer
    assert "nan" not in answer.lower()
    CHECKS[analysis.display](answer[2:])


def numbers(engine: Inside, command: str) -> np.ndarray:
    rows = engine.value(command).removeprefix("\n").split("\n")
    return np.array([[float(word) for word in row.split()] for row in rows])


def test_the_displays_of_ownership_agree(engine: Inside) -> None:
    engine.ask(f"loadsgf {GAME} 20")
    shown = numbers(engine, "ownership-numbers") / 100
    words = engine.value("ownership-squares").split("\n")[1].split()[1:]
    squares = {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}
    for point, value in enumerate(shown.ravel().tolist()):
        assert squares.get(gtp_name(point, SIDE), 0.0) == pytest.approx(value, abs=0.011)


def test_the_change_of_the_last_move_is_a_difference(engine: Inside) -> None:
    engine.ask(f"loadsgf {GAME} 21")
    after, change = (numbers(engine, f"ownership-{name}") for name in ("numbers", "change_numbers"))
    engine.ask("undo")
    assert change == pytest.approx(after - numbers(engine, "ownership-numbers"), abs=1.01)


def test_the_squares_of_a_change_are_twice_the_difference(engine: Inside) -> None:
    engine.ask(f"loadsgf {GAME} 21")
    change = numbers(engine, "ownership-change_numbers") / 100
    words = engine.value("ownership-change").split("\n")[1].split()[1:]
    squares = {words[i]: float(words[i + 1]) for i in range(0, len(words), 2)}
    for point, value in enumerate(np.clip(2 * change, -1, 1).ravel().tolist()):
        assert squares.get(gtp_name(point, SIDE), 0.0) == pytest.approx(value, abs=0.02)


@pytest.mark.parametrize(("points", "text"), [(-0.04, "+0.0"), (0.0, "+0.0"), (-0.06, "-0.1"), (3.14, "+3.1")])
def test_signed_points(points: float, text: str) -> None:
    assert signed(points) == text


def test_chains_and_liberties(engine: Inside) -> None:
    engine.ask("gogui-setup B A9 B B9 W A8 W E5")
    assert engine.value("ownership-chains").split("\n")[1:3] == [
        '1 1 "" "" "" "" "" "" ""',
        '2 "" "" "" "" "" "" "" ""',
    ]
    rows = engine.value("ownership-liberties").split("\n")
    assert (rows[1].split()[:2], rows[2].split()[0], rows[5].split()[4]) == (["2", "2"], "2", "4")


def test_one_plane_by_name(engine: Inside) -> None:
    engine.ask("gogui-play_sequence B A9 W J1")
    plane = numbers(engine, "ownership-plane recent_1")
    assert (plane[8, 8], plane.sum()) == (1, 1)
    engine.ask("ownership-options input_plane recent_1")
    assert (numbers(engine, "ownership-plane") == plane).all()
    assert engine.ask("ownership-plane nonsense").startswith("? ")
    assert engine.value("gogui-analyze_commands").count("ownership-plane") == 1


def test_a_search_paints_while_it_runs_and_ends_when_the_client_wants(small_model: Path) -> None:
    with ownership_gtp(small_model, errors=subprocess.PIPE) as engine:
        engine.all(["boardsize 9", "ownership-options seconds_of_search_displays 600"])
        errors = engine.process.stderr
        assert errors is not None
        for name, word in (("line", b"VAR"), ("visits", b"COLOR"), ("ownership", b"INFLUENCE")):
            engine.send(f"ownership-search_{name}\n")
            painted: list[bytes] = []
            while not any(line.startswith(word) for line in painted):  # the first have the root's visit alone
                assert errors.readline() == b"gogui-gfx:\n"
                painted = list(iter(errors.readline, b"\n"))
            engine.send("# interrupt\n")
            answer = engine.read()
            check_gfx(answer.removeprefix("= "))
            assert visits_in(answer) > 1
            while errors.readline() != b"CLEAR\n" or errors.readline() != b"\n":
                pass


def test_another_search_goes_on_with_the_same_tree(engine: Inside) -> None:
    engine.all(["boardsize 9", "ownership-options seconds_of_search_displays 0.2"])
    first, second = (visits_in(engine.value("ownership-search_ownership")) for _ in range(2))
    assert second > first


def test_gains_belong_to_the_candidates(engine: Inside) -> None:
    engine.ask(f"loadsgf {GAME} 20")
    label = next(line for line in engine.value("ownership-candidates").split("\n") if line.startswith("LABEL"))
    vertex, gain = label.split()[1:3]
    row, column = divmod(parse_gtp(vertex, SIDE), SIDE)
    gains = [line.split() for line in engine.value("ownership-gains").removeprefix("\n").split("\n")]
    assert gains[row][column] == gain
    assert max(float(word) for line in gains for word in line if word != '""') == float(gain)


_SHOWN = "finished-9x9.sgf: chinese rules, komi 7, 9x9, 45 moves, result B+4.0, "


def test_accuracy_needs_a_loaded_game_and_one_of_its_positions() -> None:
    engine = Inside("--games", str(GAME))
    assert engine.ask("ownership-accuracy").startswith("? expected a loaded game")
    assert engine.value("ownership-next_game").startswith(_SHOWN)
    assert engine.ask("ownership-accuracy").startswith("? expected a position of the loaded game")
    engine.ask("boardsize 9")
    assert re.match(
        r"[0-9.]+% of 81 points foreseen, Brier score 0\.[0-9]+, after move 0 of 45",
        engine.value("ownership-accuracy"),
    )
    engine.ask(f"loadsgf {GAME}")
    assert engine.value("ownership-accuracy").startswith("100.0% of 81 points foreseen, Brier score 0.0")
    assert engine.value("ownership-accuracy").endswith("(end: B+4; recorded: B+4.0)")
    assert engine.value("ownership-next_game") == engine.value("ownership-game")
    assert engine.value("gogui-title").endswith("finished-9x9.sgf")
    engine.close()


def test_terms_of_the_client_do_not_contradict_the_record() -> None:
    engine = Inside()
    for chosen, score in (("komi 5.5", "B+5.5"), ("ownership-options rules japanese", "B+4.5")):
        engine.all([f"loadsgf {GAME}", "komi 5.5", chosen])
        _, found, state, *_ = engine.value("ownership-details").splitlines()
        assert found == f"Score: {score}" and state.startswith("State: Confirmed: ")
    engine.close()


def test_the_folder_of_games_begins_again_after_its_last(engine: Inside) -> None:
    names = [engine.value("ownership-next_game").partition(":")[0] for _ in range(6)]
    assert len(set(names)) == 3
    assert names[:3] == names[3:]


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("average_symmetries", "0", "maybe"),
        ("rules", "japanese", "mine"),
        ("komi", "5.5", "five"),
        ("komi", "-400", "1e308"),
        ("player", "replay", "me"),
        ("candidates", "8", "0"),
        ("resign_below_percent", "1.5", "101"),
        ("resign_below_percent", "0", "nan"),
        ("seconds_per_move", "2.5", "nan"),
        ("seconds_of_search_displays", "0.1", "-1"),
        ("input_plane", "ko", "mine"),
        ("model", None, "/nowhere"),
        ("nonsense", None, "1"),
    ],
)
def test_options(engine: Inside, key: str, good: str | None, bad: str) -> None:
    before = engine.value("ownership-options")
    assert re.match(r"\? ([a-z ]+: )?expected |\? rules must be one of ", engine.ask(f"ownership-options {key} {bad}"))
    assert engine.value("ownership-options") == before
    old = re.search(rf"\] {key} (.*)", before)
    if good and old:
        assert engine.ask(f"ownership-options {key} {good}") == "= "
        assert f"] {key} {good}" in engine.value("ownership-options")
        assert engine.ask(f"ownership-options {key} {old[1]}") == "= "


def test_average_symmetries_changes_the_map(engine: Inside) -> None:
    engine.ask(f"loadsgf {GAME} 20")
    averaged = numbers(engine, "ownership-numbers")
    engine.ask("ownership-options average_symmetries 0")
    assert np.abs(numbers(engine, "ownership-numbers") - averaged).max() > 1
    engine.ask("ownership-options average_symmetries 1")


def test_the_change_of_ownership_is_that_of_the_expected_scores(engine: Inside) -> None:
    scores = []
    for moves in (20, 21):
        engine.ask(f"loadsgf {GAME} {moves}")
        scores.append(float(engine.value("ownership-score").partition(": W+")[2].partition(" ")[0]))
    gained = re.search(r"expected area by (\S+) points for White", engine.value("ownership-change"))
    assert gained and float(gained[1]) == pytest.approx(scores[1] - scores[0], abs=0.11)


def test_a_model_without_a_policy_has_no_menu_entry_for_it(tmp_path: Path) -> None:
    config = NetworkConfig("classic5", "classic8", filters=4, heads=("ownership",))
    engine = Inside("--model", str(write_model(tmp_path / "plain", config)))
    try:
        assert "policy" not in engine.value("gogui-analyze_commands")
        lacking = "? this command needs a model with the head policy. Received: plain, with ownership only"
        assert engine.ask("ownership-policy") == lacking
        searching = "? tree search needs a model with the head policy. Received: plain, with ownership only"
        assert engine.ask("lz-analyze 10") == searching
    finally:
        engine.close()


def test_a_model_of_moves_alone_plays_its_policy(tmp_path: Path) -> None:
    stack = Stack(layers=((4, 3),), position_bias=True, side=9)
    config = NetworkConfig("stack", "signed1", heads=("policy",), stack=stack)
    engine = Inside("--model", str(write_model(tmp_path / "moves", config)))
    try:
        menu = engine.value("gogui-analyze_commands")
        assert "ownership-policy" in menu and "ownership-liberties" in menu
        assert "ownership-squares" not in menu and "search" not in menu
        engine.ask("boardsize 9")
        assert engine.ask("genmove b").startswith("= ")
        lacking = "? tree search without rollouts=1 needs a model with the head ownership. Received: moves, "
        assert engine.ask("ownership-search_line").startswith(lacking)
        engine.ask("boardsize 13")
        assert engine.ask("genmove b") == "? moves plays on boards of side 9 only. Received: side 13"
    finally:
        engine.close()


@pytest.mark.usefixtures("explained_soon")
def test_a_group_is_explained_and_stakes_stand_on_the_board(engine: Inside) -> None:
    engine.all(["boardsize 9", f"loadsgf {GAME}"])
    _, line, text = engine.value("ownership-explain C7").split("\n")
    assert line.startswith("VAR w ") and text.startswith("TEXT White's C7 (2 stones) is dead. White first: ")
    assert engine.ask("ownership-explain A1").startswith("? expected a point with a stone")
    rows = engine.value("ownership-stakes_points").removeprefix("\n").split("\n")
    assert len(rows) == SIDE and rows[0].split()[0] == '""'
    assert "TEXT " in engine.value("ownership-stakes")
