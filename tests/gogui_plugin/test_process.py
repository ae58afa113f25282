"""The engine as a program: no input ends it but `quit`, and the end of its input always does."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goban.errors import InputError
from gogui_plugin.gtp import parse_command
from gogui_plugin.gtp_program import parse_arguments, serve_gtp
from tests.support.gtp import Inside, ownership_gtp
from tests.support.paths import EXAMPLES
from tests.support.waiting import PATIENCE

GAME = EXAMPLES / "finished-9x9.sgf"


def end_of(engine: subprocess.Popen[bytes]) -> int:
    return engine.wait(PATIENCE)


def test_it_ends_with_quit_and_with_its_input(small_model: Path) -> None:
    with ownership_gtp(small_model) as engine:
        engine.send("1 name\n2 quit\n3 name\n")
        assert (engine.read(), engine.read()) == ("=1 Ownership", "=2 ")
        assert end_of(engine.process) == 0
    with ownership_gtp(small_model) as engine:
        engine.send("1 name\n2 showboard")
        engine.close_input()
        assert engine.read() == "=1 Ownership"
        assert engine.read().startswith("=2 \n")
        assert end_of(engine.process) == 0


def test_it_ends_when_its_input_ends_in_the_middle_of_an_analysis(small_model: Path) -> None:
    with ownership_gtp(small_model) as engine:
        engine.send("boardsize 7\nkata-analyze b 10 ownership true\n")
        engine.read()
        engine.read(b"\n")
        engine.read(b"\n")
        engine.close_input()
        assert end_of(engine.process) == 0


def test_it_ends_when_its_output_is_closed(small_model: Path) -> None:
    with ownership_gtp(small_model, errors=subprocess.PIPE) as engine:
        engine.close_output()
        engine.send("name\n" * 3)
        assert end_of(engine.process) == 141
        assert engine.process.stderr and engine.process.stderr.read() == b""


def test_it_ends_when_its_client_is_killed_in_the_middle_of_a_move(small_model: Path) -> None:
    with ownership_gtp(small_model, "--time", "600", errors=subprocess.PIPE) as engine:
        engine.send("genmove b\n")
        assert engine.process.stderr and engine.process.stderr.readline() == b"gogui-gfx:\n"
        engine.close_input()
        engine.close_output()
        assert end_of(engine.process) == 141


def test_a_model_that_the_user_chose_is_named(small_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OWNERSHIP_MODEL", str(small_model))
    with ownership_gtp(None, errors=subprocess.PIPE) as engine:
        assert engine.value("gogui-title") == "Ownership (small)"
        assert engine.process.stderr
        expected = f"ownership-gtp: model: {small_model}, chosen by OWNERSHIP_MODEL\n"
        assert engine.process.stderr.readline().decode() == expected


def test_sigint_stops_an_analysis_and_not_the_engine(small_model: Path) -> None:
    with ownership_gtp(small_model) as engine:
        assert int(engine.value("gogui-sigint")) == engine.process.pid
        engine.ask("boardsize 7")
        engine.send("lz-analyze b 10\n")
        engine.read(b"\n")
        engine.read(b"\n")
        engine.process.send_signal(signal.SIGINT)
        engine.rest()
        engine.process.send_signal(signal.SIGINT)
        assert engine.value("name") == "Ownership"


def test_an_interrupt_ends_a_move_and_a_late_one_is_harmless(engine: Inside) -> None:
    engine.ask("boardsize 25")
    engine.send("genmove b\n# interrupt\n")
    assert engine.read().startswith("= ")
    engine.send("# interrupt\n")
    assert engine.value("name") == "Ownership"
    assert engine.value("genmove w")


def test_an_interrupt_ends_a_search_soon(small_model: Path) -> None:
    with ownership_gtp(small_model, "--player", "alphabeta", "--time", "600", errors=subprocess.PIPE) as engine:
        engine.send("genmove b\n")
        assert engine.process.stderr and engine.process.stderr.readline() == b"gogui-gfx:\n"
        began = engine.processor_time()
        engine.send("# interrupt\n")
        assert engine.read().startswith("= ")
        assert engine.processor_time() - began < 5, "0.2 s; wall time says more about what else the machine does"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rules", "mine"], "--rules must be one of"),
        (["--games", "/nowhere"], "--games: expected a folder"),
        (["--model", "/nowhere"], "--model: expected a directory with model.tflite"),
        (["--player", "stranger"], "--player: expected a player (mcts, alphabeta"),
        (["--player", "policy:temperature=x"], "--player: player policy, temperature: expected a number"),
        (["--time", "0"], "--time: expected seconds above 0. Received: 0"),
        (["--time", "nan"], "--time: expected a number. Received: 'nan'"),
        (["--komi", "1e308"], "--komi: unacceptable komi: expected a number -400..400. Received: '1e308'"),
        (["--name", ""], "--name: expected a text in one line. Received: ''"),
        (["--version", "1.16\n"], "--version: expected a text in one line. Received: '1.16\\n'"),
        (["--resign-below", "150"], "--resign-below: expected a number 0..100. Received: '150'"),
    ],
)
def test_wrong_options_are_refused(small_model: Path, arguments: list[str], message: str) -> None:
    source, target = os.pipe()
    try:
        with pytest.raises(InputError) as caught:
            serve_gtp(parse_arguments(["--model", str(small_model), *arguments]), source, target)
    finally:
        os.close(source)
        os.close(target)
    assert str(caught.value).startswith(message)


def test_the_help_names_the_percentage_below_which_games_are_resigned(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse_arguments(["--help"])
    [named] = re.findall(r"resign when[^(]*\(default: (\d+)\)", capsys.readouterr().out)
    assert parse_arguments([]).resign_below == parse_arguments(["--resign-below", named]).resign_below


def test_what_is_refused_ends_the_program_with_one_line(small_model: Path) -> None:
    with ownership_gtp(small_model, "--rules", "mine", errors=subprocess.PIPE) as engine:
        _, errors = engine.process.communicate(timeout=PATIENCE)
        assert engine.process.returncode == 2
        assert errors.decode().startswith("ownership-gtp: error: --rules must be one of")
        assert errors.count(b"\n") == 1


def run_in_shell(options: str, commands: str) -> subprocess.CompletedProcess[str]:
    """Return the ended engine after some commands; `options` may redirect its streams."""
    command = f'"{sys.executable}" -m gogui_plugin {options}'
    shell = ["/bin/sh", "-c", command]
    return subprocess.run(shell, input=commands, capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("redirection", "status", "message"),
    [
        (">&-", 2, "ownership-gtp: error: expected stdout to be open"),
        ("<&-", 2, "ownership-gtp: error: expected stdin to be open"),
        ("<&- >&-", 2, "ownership-gtp: error: expected stdin to be open"),
        ("2>&-", 0, ""),
    ],
)
def test_closed_streams_give_one_line_and_no_traceback(
    small_model: Path, redirection: str, status: int, message: str
) -> None:
    done = run_in_shell(f'--model "{small_model}" {redirection}', "name\nfoo\n")
    assert done.returncode == status
    assert done.stderr.startswith(message)
    assert done.stderr.count("\n") == bool(message)
    assert done.stdout == ("" if message else "= Ownership\n\n? unknown command\n\n")


def test_a_search_without_stderr_writes_nothing_but_answers(small_model: Path) -> None:
    done = run_in_shell(f'--model "{small_model}" --player alphabeta:depth=1 2>&-', "boardsize 5\ngenmove b\n")
    assert re.fullmatch(r"= \n\n= [A-E][1-5]\n\n", done.stdout)


def test_without_its_weights_it_still_speaks_gtp(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "model.json").write_bytes((small_model / "model.json").read_bytes())
    (tmp_path / "model.tflite").write_bytes(b"broken")
    with ownership_gtp(tmp_path) as engine:
        assert engine.value("name") == "Ownership"
        assert "expected a model of" in engine.ask("ownership-squares")
        assert "expected a model of" in engine.ask("kata-analyze b 10")
        assert engine.ask("play b q16") == "= "


COMMANDS = """
boardsize clear_board komi play genmove undo loadsgf showboard final_score final_status_list fixed_handicap
place_free_handicap set_free_handicap time_settings time_left reg_genmove kgs-rules kata-set-rules gg-undo
gogui-setup gogui-setup_player gogui-play_sequence gogui-title lz-analyze kata-analyze kata-raw-nn lz-genmove_analyze
analyze ownership-squares ownership-change ownership-candidates ownership-accuracy ownership-next_game
ownership-load_game ownership-options is_legal all_legal list_stones captures known_command
"""
WORDS = """
b w black WHITE pass PASS a1 b2 C3 e5 j9 t19 z25 i1 0 1 2 3 5 9 -1 1e400 nan true false dead seki japanese interval
maxmoves ownership avoid model komi player replay # , { } [] {} {"ko":[]} /dev/null " ""
"""
SENSIBLE = st.builds(
    lambda name, words: " ".join([name, *words]).encode(),
    st.sampled_from(COMMANDS.split()),
    st.lists(st.sampled_from(WORDS.split()), max_size=5),
)
IDS = st.integers(min_value=0).map(lambda number: str(number).encode() + b" ") | st.just(b"")
LINES = st.builds(bytes.__add__, IDS, SENSIBLE) | st.binary(max_size=40).map(lambda data: data.replace(b"\n", b"\r"))


@example([b"7 lz-analyze"])
@given(st.lists(LINES, max_size=12))
@settings(max_examples=40)
def test_every_command_gets_one_answer(engine: Inside, lines: list[bytes]) -> None:
    """Any input: each command is answered once, with its id, and the engine goes on."""
    commands = [parse_command(line.decode("utf-8", "surrogateescape")) for line in lines]
    if any(command and command.name in ("quit", "gogui-sigint") for command in commands):
        return
    engine.ask("boardsize 3")
    engine.send(b"".join(line + b"\n" for line in [*lines, b""]))  # an analysis goes on until another line comes
    for command in commands:
        if command is not None:
            answer = engine.read()
            assert answer[0] in "=?"
            assert answer[1 : len(command.id) + 2] in (f"{command.id} ", f"{command.id}\n", command.id)
            assert "internal error" not in answer
    assert engine.ask("77 name") == "=77 Ownership"


ROUND = (
    "clear_board",
    "gogui-play_sequence B A1 W B2 B C3 W PASS",
    "play b e5",
    "undo",
    "ownership-squares",
    "ownership-options komi 7",
    "showboard",
    "nonsense",
    "play b z99",
    "final_score",
)


@pytest.mark.slow
def test_ten_thousand_commands_need_no_more_memory(small_model: Path) -> None:
    with ownership_gtp(small_model) as engine:
        engine.all(["boardsize 5", f"ownership-load_game {GAME}", "genmove b"])
        engine.all(ROUND * 100)
        before = engine.memory()
        for _ in range(10):
            engine.send("\n".join(ROUND * 90) + "\n")
            for _ in range(len(ROUND) * 90):
                engine.read()
        assert engine.memory() - before < 8 * 1024


def test_printsgf_writes_the_file_that_it_names(engine: Inside, tmp_path: Path) -> None:
    engine.all(["boardsize 9", "play b e5"])
    record = engine.value("printsgf")
    for name in (str(tmp_path / "a game.sgf"), f'"{tmp_path / "quoted.sgf"}"'):
        assert engine.ask(f"printsgf {name}") == "= "
        assert Path(name.strip('"')).read_text() == f"{record}\n"
    assert engine.value("printsgf -") == record
    assert engine.ask(f"printsgf {tmp_path}") == f"? {tmp_path}: Is a directory"


def test_a_flood_of_commands_is_answered_in_order(engine: Inside) -> None:
    engine.send(b"".join(b"%d query_boardsize\n" % number for number in range(3000)))
    assert [engine.read() for _ in range(3000)] == [f"={number} 9" for number in range(3000)]


@pytest.mark.slow
def test_it_answers_soon_after_its_start(small_model: Path) -> None:
    """Processor time, the least of three starts: wall time depends on other programs of the machine."""
    times = []
    for _ in range(3):
        with ownership_gtp(small_model) as engine:
            engine.all(["name", "version", "list_commands", "gogui-analyze_commands", "ownership-squares"])
            times.append(float(engine.value("cputime")))
    assert min(times) < 2.0
