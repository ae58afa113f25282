"""The `ownership` program: its commands, streams, and how it ends."""

import argparse
import importlib
import inspect
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import pytest

from ownership import cli
from ownership.cli import COMMANDS, main
from tests.support.paths import ROOT
from tests.support.records import BAD, OPEN

Score = Callable[..., int]


@pytest.mark.parametrize("terminal", [True, False])
def test_the_compilation_of_kernels_is_announced(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    with cli._compilation_announced():
        for kernel in (lambda number: number + 1, lambda number: number - 1):
            numba.njit(kernel)(1)
    shown = capsys.readouterr().err
    line = "Compiling kernels, each once for this machine"
    assert shown.endswith(f"\r{line}: 2 ...\033[K\r\033[K") if terminal else shown == f"{line} ...\n"


def test_a_missing_extra_is_named(small_model: Path, tmp_path: Path) -> None:
    (tmp_path / "shard-00000.parquet").write_bytes(b"")
    code = "import sys\nsys.modules['pyarrow'] = None\nfrom ownership.cli import COMMANDS, main\nsys.exit(main())"
    arguments = [sys.executable, "-c", code, "evaluate", str(small_model), str(tmp_path)]
    answer = subprocess.run(arguments, capture_output=True, text=True)
    assert answer.returncode == 2
    assert answer.stderr.splitlines()[-1].endswith("in a clone, pip install -e '.[train]'")
    assert len(answer.stderr.splitlines()) == 1


def test_a_reader_that_goes_away_is_no_error(several: Path, small_model: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    code = "import sys\nfrom ownership.cli import COMMANDS, main\nsys.exit(main())"
    arguments = [sys.executable, "-c", code, "score", "--model", str(small_model), str(several), "--json"]
    answer = subprocess.run(arguments, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    assert answer.returncode == 141
    assert "Traceback" not in answer.stderr
    assert "Exception" not in answer.stderr


def test_scoring_imports_nothing_heavy(game: Path, small_model: Path) -> None:
    code = (
        "import sys\nfrom ownership.cli import COMMANDS, main\nmain()\n"
        "heavy = {'tensorflow', 'keras', 'pandas', 'pyarrow', 'matplotlib', 'tqdm'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)"
    )
    arguments = [sys.executable, "-c", code, "score", "--model", str(small_model), str(game)]
    errors = subprocess.run(arguments, capture_output=True, text=True).stderr.splitlines()
    assert [line for line in errors if not line.startswith(cli._COMPILING)] == ["[]"]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_a_module_with_arguments_and_run(name: str) -> None:
    module = importlib.import_module(f"ownership.commands.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    assert [*inspect.signature(module.run).parameters] == ["arguments"]
    unexplained = [action.dest for action in parser._actions if not action.help]
    assert unexplained == []
    examples = re.findall(rf"^    ownership {name}(.*)$", module.__doc__ or "", re.MULTILINE)
    assert examples
    for example in examples:
        parser.parse_args(shlex.split(example))


def test_every_module_that_runs_is_a_command() -> None:
    runs = [path for path in (ROOT / "ownership" / "commands").glob("*.py") if "\ndef run(" in path.read_text()]
    assert {path.stem.replace("_", "-") for path in runs} == set(COMMANDS)


def test_a_command_without_a_module_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "count-liberties", "count the liberties of every chain")
    with pytest.raises(ModuleNotFoundError, match=r"ownership\.commands\.count_liberties"):
        main(["count-liberties"])


def test_an_unknown_command_is_answered_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["socre"])
    assert exit_.value.code == 2
    message = capsys.readouterr().err
    assert "invalid choice: 'socre'" in message
    assert all(f"'{name}'" in message for name in COMMANDS)


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_no_command(argument: str) -> None:
    code = (
        "import sys\nfrom ownership.cli import COMMANDS, main\n"
        "try:\n    main()\nexcept SystemExit:\n"
        '    commands = {f\'ownership.commands.{name.replace("-", "_")}\' for name in COMMANDS}\n'
        "    print(sorted({*commands, 'numpy'} & set(sys.modules)))"
    )
    answer = subprocess.run([sys.executable, "-c", code, argument], capture_output=True, text=True, cwd=ROOT)
    assert answer.stdout.splitlines()[-1] == "[]"


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for argument, start in (("--version", "ownership 0."), ("--help", "usage: ownership")):
        with pytest.raises(SystemExit) as exit_:
            main([argument])
        assert exit_.value.code == 0
        assert capsys.readouterr().out.startswith(start)


def test_keyboard_interrupt(game: Path, score: Score, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ownership.scoring.assessment.estimate", interrupt)
    assert score(game) == 130


@pytest.mark.parametrize(
    ("error", "message"), [(MemoryError(), "no more is free"), (MemoryError("for 9 GiB"), "for 9 GiB")]
)
def test_memory_that_runs_out_costs_one_line(
    error: MemoryError,
    message: str,
    game: Path,
    score: Score,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("ownership.commands.score.run", fail)
    assert main(["score", str(game)]) == 2
    assert capsys.readouterr().err == f"ownership: error: memory ran out: {message}\n"


def test_names_that_the_output_cannot_hold_are_escaped(tmp_path: Path, small_model: Path) -> None:
    (tmp_path / "棋.sgf").write_bytes(OPEN.replace(b"KM", "PB[黑]KM".encode()))
    (tmp_path / "碁.sgf").write_bytes(BAD)
    command = [sys.executable, "-m", "ownership", "score", "--model", str(small_model), str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert answer.returncode == 2
    assert "\\u68cb.sgf" in answer.stdout
    assert "\\u7881.sgf: bad move" in answer.stderr


def test_closed_outputs(game: Path, small_model: Path) -> None:
    command = f"{sys.executable} -m ownership score --model {small_model} {game}"
    answer = subprocess.run(f"{command} >&-", shell=True, capture_output=True, text=True)
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert answer.stderr.startswith("ownership: error: standard output is closed")
    answer = subprocess.run(f"{command} 2>&-", shell=True, capture_output=True, text=True)
    assert answer.returncode == 0
    assert " with komi" in answer.stdout
