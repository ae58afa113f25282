"""`ownership prepare`, from the command line."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import numpy as np
import psutil
import pytest

from game_datasets.load_table import load_games
from game_datasets.rows import Row
from game_datasets.shards import read_rows
from game_records.sgf import parse_game
from goban.coords import sgf_name
from ownership.cli import main
from ownership.scoring.labelling_model import LabellingModel
from runtime.folders import Folder
from runtime.safe_writing import one_writer
from tests.support.labelled import collection
from tests.support.paths import EXAMPLES
from tests.support.processes import assert_gone
from tests.support.waiting import PATIENCE

ILLEGAL = "(;GM[1]SZ[9]RE[B+5.5];B[aa];W[aa])"
COUNTED = EXAMPLES / "finished-19x19.sgf"


@pytest.fixture
def games(tmp_path: Path) -> Path:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "good.sgf").write_text(collection(6))
    return folder


def test_prepares_and_inspects(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = tmp_path / "dataset"
    assert main(["prepare", str(games), "-o", str(dataset), "--workers", "2"]) == 0
    assert "6 records, 4 accepted" in capsys.readouterr().out
    assert len(load_games(dataset)) == 4
    assert main(["inspect", str(dataset), "--examples", "1"]) == 0
    assert "X X O O O" in capsys.readouterr().out


def test_searches_and_games_of_a_model_are_loaded_only_to_play_on() -> None:
    code = "import sys, ownership.commands.prepare; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "ownership.scoring.labelling_model" in loaded
    assert not re.search(r"ownership\.(search|selfplay)", loaded)


def test_the_command_after_few_games_works(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("keras", reason="training needs the train extra")
    monkeypatch.setattr("ownership.training.train_run.can_export", lambda: False)
    monkeypatch.chdir(tmp_path)
    (games / "good.sgf").write_text(collection(12))
    assert main(["prepare", str(games), "-o", "dataset", "--scorer", "gnugo"]) == 0
    [line] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("Next: ownership ")]
    words = line.replace("--minutes 30", "--samples 64 --batch-size 8 --filters 4 --blocks 1").split()[2:]
    assert main(words) == 0
    assert re.search(r"^\d+ games to train on, .*[12] to validate on; ", capsys.readouterr().err, re.MULTILINE)
    assert len(load_games("dataset", "test")) in (1, 2)


def test_two_games_are_too_few_to_train_on(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (games / "good.sgf").write_text(collection(3))
    assert main(["prepare", str(games), "-o", str(tmp_path / "dataset"), "--scorer", "gnugo"]) == 0
    error = capsys.readouterr().err
    assert "Next:" not in error
    assert error.startswith("Too few games to train on: expected accepted games of three openings or more, found ")
    assert "0 for validation" in error


def test_an_assumed_komi_is_named(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (games / "good.sgf").write_text(collection(3).replace("KM[0.5]", "KM[0]").replace("W+5.5", "W+12.5"))
    assert main(["prepare", str(games), "-o", str(tmp_path / "dataset"), "--scorer", "gnugo"]) == 0
    assert "3 records, 2 accepted, 2 of them with an assumed komi\n" in capsys.readouterr().out


def test_a_dataset_without_targets_is_not_for_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.zip").touch()
    assert main(["prepare", f"{tmp_path}/none.zip", "-o", f"{tmp_path}/out", "--scorer", "model"]) == 2
    output = capsys.readouterr()
    assert "1 record, 0 accepted" in output.out
    assert "Next:" not in output.err


def test_a_log_file_gets_a_line_now_and_then(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["prepare", str(games), "--scorer", "gnugo", "-o"]
    assert main([*arguments, str(tmp_path / "short")]) == 0
    assert capsys.readouterr().err == f"Next: ownership train {tmp_path}/short --minutes 30 --output runs/mine\n"
    monkeypatch.setattr("ownership.commands.shared.progress._LINE_SECONDS", 0.01)
    assert main([*arguments, str(tmp_path / "long")]) == 0
    *lines, last, following, _ = capsys.readouterr().err.split("\n")
    assert lines
    assert following.startswith("Next: ")
    assert re.fullmatch(r"[1-6] of [6?] games in \d+ s, \d accepted(, \d not counted)?", last)


def test_an_interrupt_names_the_kept_work(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("preprocessing.prepare_run.Pipeline.run", interrupt)
    dataset = tmp_path / "dataset"
    assert main(["prepare", str(games), "--scorer", "gnugo", "-o", str(dataset)]) == 130
    assert f"Interrupted: {dataset} keeps the finished games; the same command resumes" in capsys.readouterr().err


def test_a_dataset_has_one_writer_at_a_time(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["prepare", str(games), "--scorer", "gnugo", "-o", str(tmp_path / "dataset")]
    with one_writer(tmp_path / "dataset"):
        assert main(arguments) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"ownership: error: {tmp_path}/dataset: another command writes there.")
    assert error.count("\n") == 1
    assert main(arguments) == 0


def test_another_scorer_does_not_resume(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["prepare", str(games), "--scorer", "gnugo", "-o", str(tmp_path / "dataset")]
    assert main(arguments) == 0
    assert main([*arguments, "--level", "1"]) == 2
    assert "made with other options: --level 10 there, 1 here; choose another folder" in capsys.readouterr().err
    assert main(["prepare", str(games), "--scorer", "model", "-o", str(tmp_path / "dataset")]) == 2
    assert "options: --scorer gnugo there, model here; choose" in capsys.readouterr().err
    assert main([*arguments, "--finish", "resigned", "--min-rank", "5d"]) == 2
    assert "options: --finish counted there, resigned here; --min-rank none there, 5d here;" in capsys.readouterr().err


def test_a_missing_source_leaves_no_folder(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for missing in ("none.zip", "none.sgf#2", "none.zip/a.sgf"):
        given = str(tmp_path / missing)
        assert main(["prepare", str(games), given, "--scorer", "gnugo", "-o", str(tmp_path / "dataset")]) == 2
        message = f"{given}: expected a file or folder of game records. Received: no such file"
        assert capsys.readouterr().err == f"ownership: error: {message}\n"
    assert not (tmp_path / "dataset").exists()


def rows(dataset: Path) -> list[Row]:
    return read_rows(Folder(dataset), "shard-00000.parquet")


@pytest.mark.parametrize("scorer", ["auto", "model", "gnugo"])
def test_who_scored_stands_in_the_row(scorer: str, tmp_path: Path) -> None:
    assert main(["prepare", str(COUNTED), "-o", str(tmp_path / "out"), "--scorer", scorer]) == 0
    row = rows(tmp_path / "out")[0]
    assert row["reason"] == ""
    assert row["scorer"] == ("GNU Go 3.8" if scorer == "gnugo" else LabellingModel.find().name)


def test_resigned_games_are_played_to_the_end(games: Path, tmp_path: Path) -> None:
    assert main(["prepare", str(games), "-o", str(tmp_path / "out"), "--finish", "resigned"]) == 0
    labelled = [(row["ending"], row["reason"]) for row in rows(tmp_path / "out")]
    assert labelled == [("resign", ""), *[("counted", "")] * 4, ("resign", "")]


def test_the_model_plays_resigned_games_to_the_end(tmp_path: Path) -> None:
    record = COUNTED.read_text()
    moves = re.findall(r";[BW]\[[a-s]{2}\]", record)[:-30]
    [winner] = re.findall(r"RE\[([BW])", record)
    (tmp_path / "resigned.sgf").write_text(f"(;GM[1]SZ[19]KM[0]RE[{winner}+R]{''.join(moves)})")
    arguments = ["prepare", str(tmp_path / "resigned.sgf"), "--finish", "resigned", "--scorer", "model"]
    for name in ("one", "two"):
        assert main([*arguments, "-o", str(tmp_path / name)]) == 0
    [row] = rows(tmp_path / "one")
    assert (row["ending"], row["reason"], row["scorer"]) == ("resign", "", LabellingModel.find().name)
    assert (len(row["moves"]), row["branch"]) == (len(moves), None)
    assert rows(tmp_path / "two") == [row]
    assert main(["prepare", str(COUNTED), "-o", str(tmp_path / "counted"), "--scorer", "model"]) == 0
    [counted] = rows(tmp_path / "counted")
    owner, ended = (np.frombuffer(each["target"], np.int8) for each in (row, counted))
    assert (owner == ended).mean() > 0.9


def test_games_that_are_not_chosen_are_listed(games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prepare", str(games), "-o", str(tmp_path / "out"), "--sides", "9,19"]) == 0
    assert "6 filtered" in capsys.readouterr().out
    assert rows(tmp_path / "out")[0]["detail"] == "side 5, expected 9 or 19"


def test_a_dataset_at_a_url(games: Path) -> None:
    place = "memory://prepared/here"
    assert main(["prepare", games.as_uri(), "-o", place, "--scorer", "gnugo"]) == 0
    assert len(load_games(place)) == 4
    assert Folder(place).names() == ["dataset.json", "rejected.csv", "shard-00000.parquet", "timing-00000.parquet"]


def test_a_full_disk_loses_nothing(games: Path, tmp_path: Path) -> None:
    dataset = tmp_path / "out"
    command = [sys.executable, "-m", "ownership", "prepare", str(games), "-o", str(dataset), "--scorer", "gnugo"]
    limit = (2000, 2000)  # bytes a file: enough for dataset.json, not for a shard

    def no_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)

    full = subprocess.run(command, capture_output=True, text=True, preexec_fn=no_space)
    assert full.returncode == 2
    assert full.stderr.splitlines()[-1] == f"ownership: error: {dataset}/shard-00000.parquet: File too large"
    assert "Traceback" not in full.stderr
    assert not [path.name for path in dataset.iterdir() if path.name.startswith("shard") or path.suffix == ".partial"]
    assert main(command[3:]) == 0
    assert len(load_games(dataset)) == 4


@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGINT, 130),
        pytest.param(signal.SIGTERM, 143, marks=pytest.mark.long),
        pytest.param(signal.SIGHUP, 129, marks=pytest.mark.long),
        (signal.SIGKILL, -signal.SIGKILL),
    ],
)
def test_a_signal_leaves_whole_shards_and_nothing_else(number: int, status: int, tmp_path: Path) -> None:
    [begun, *_] = re.findall(r"(?s)^.*?(?:;[BW]\[[a-s]{2}\]\s*){120}", COUNTED.read_text())
    resigned = collection(256).replace("W+5.5", "W+R")
    (tmp_path / "games.sgf").write_text(resigned + "".join(slow_games(begun)))
    temporary, dataset = tmp_path / "tmp", tmp_path / "out"
    temporary.mkdir()
    command = [sys.executable, "-m", "ownership", "prepare", str(tmp_path / "games.sgf"), "-o", str(dataset)]
    process = subprocess.Popen(
        [*command, "--scorer", "gnugo", "--workers", "2"],
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    programs = gnugos(process, dataset)
    process.send_signal(number)
    assert process.wait() == status
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    assert_gone(program.pid for program in programs)
    assert list(temporary.iterdir()) == []
    assert sorted(path.name for path in dataset.iterdir()) == ["dataset.json", "shard-00000.parquet"]
    assert len(rows(dataset)) == 256


def slow_games(begun: str) -> list[str]:
    """Return games that stopped early, each of which takes GNU Go many seconds to finish."""
    free = np.flatnonzero(parse_game(f"{begun})".encode()).position().stones == 0)[:20]
    return [f"{begun};B[{sgf_name(point, 19)}];W[];B[])" for point in free.tolist()]


def gnugos(process: subprocess.Popen[str], dataset: Path) -> list[psutil.Process]:
    """Return two running GNU Gos of `ownership prepare`, once the first shard is written."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        assert process.poll() is None
        found = [child for child in psutil.Process(process.pid).children() if name_of(child) == "gnugo"]
        if len(found) == 2 and (dataset / "shard-00000.parquet").exists():
            return found
        time.sleep(0.05)
    raise AssertionError("expected two programs")


def name_of(process: psutil.Process) -> str:
    try:
        return str(process.name())
    except psutil.NoSuchProcess:
        return ""


def test_a_pipe_is_read_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipe = tmp_path / "games.sgf"
    os.mkfifo(pipe)
    record = f"(;GM[1]SZ[5]C[{'x' * 200}])"
    Thread(target=pipe.write_text, args=[record * 1000]).start()
    assert main(["prepare", str(pipe), "-o", str(tmp_path / "out"), "--scorer", "gnugo", "--sides", "9"]) == 0
    assert capsys.readouterr().out.startswith(f"{tmp_path}/out: 1,000 records, 0 accepted\n    1000 filtered\n")


def test_a_handicap_of_130_stones_is_kept(games: Path, tmp_path: Path) -> None:
    stones = "".join(f"[{column}{row}]" for row in "abcdefg" for column in "abcdefghijklmnopqrs")[: 4 * 130]
    (games / "many.sgf").write_text(f"(;SZ[19]HA[130]AB{stones};W[ss])")
    assert main(["prepare", str(games), "-o", str(tmp_path / "out"), "--scorer", "gnugo"]) == 0
    found = [(row["handicap"], row["reason"]) for row in rows(tmp_path / "out")]
    assert found == [(0, "not counted"), *[(0, "")] * 4, (0, "not counted"), (130, "not counted")]


def test_bad_records_are_reported_and_passed_over(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (games / "bad.sgf").write_text(ILLEGAL)
    (games / "cut.sgf").write_text(ILLEGAL.partition(";W")[0])
    (games / "junk.sgf").write_bytes(bytes(range(256)))
    dataset = tmp_path / "dataset"
    assert main(["prepare", str(games), "-o", str(dataset)]) == 2
    captured = capsys.readouterr()
    assert "bad.sgf: illegal move" in captured.err
    assert "junk.sgf" in captured.err
    assert "cut.sgf: truncated: the record breaks off after move 1" in captured.err
    assert "9 records, 4 accepted" in captured.out
    assert "       1 truncated\n" in captured.out
    assert len(load_games(dataset)) == 4


def test_without_the_train_extra_nothing_is_scored(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["prepare", str(games), "-o", str(tmp_path / "dataset")]) == 2
    assert "pip install -e '.[train]'" in capsys.readouterr().err
    assert not (tmp_path / "dataset").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["prepare", "GAMES", "-o", "DATASET", "--workers", "0"],
            "--workers: expected a whole number from 1 up.",
        ),
        (
            ["prepare", "GAMES", "-o", "DATASET", "--limit", "-1"],
            "--limit: expected a whole number from 1 up.",
        ),
        (["prepare", "GAMES", "-o", "DATASET", "--tolerance", "nan"], "--tolerance: expected a number from 0 up"),
        (
            ["prepare", "GAMES", "-o", "DATASET", "--time-limit", "0"],
            "--time-limit: expected a number above 0",
        ),
        (["prepare", "GAMES", "-o", "DATASET", "--gnugo", "/bin/false"], "expected GNU Go, but it does not run"),
        (["prepare", "GAMES", "-o", "DATASET", "--gnugo", "/bin/true"], "expected GNU Go. Received: "),
        (["prepare", "GAMES", "-o", "DATASET", "--model", "missing"], "missing"),
        (["prepare", "GAMES", "-o", "DATASET", "--model", "default", "--scorer", "gnugo"], "--model is for --scorer"),
        (["prepare", "GAMES", "-o", "DATASET", "--model", "OWNER", "--finish", "resigned"], "with the head policy"),
        (["prepare", "GAMES", "-o", "DATASET", "--cluster", "tcp://127.0.0.1:9"], "expected a Dask scheduler"),
        (["prepare", "GAMES", "-o", "DATASET", "--since", "yesterday"], "--since must be a date"),
        (["prepare", "GAMES", "-o", "nowhere://x"], "nowhere"),
        (["prepare", "GAMES", "-o", "GAMES"], "expected a new folder or a dataset, found other files"),
        (["inspect", "GAMES", "--examples", "-1"], "--examples: expected a whole number from 0 up. Received: -1"),
        (["inspect", "GAMES"], "expected a dataset folder"),
        (["inspect", "/nowhere"], "expected a dataset folder"),
    ],
)
def test_mistakes_cost_one_line(
    games: Path,
    tmp_path: Path,
    owner_model: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.setattr("runtime.workers._CONNECT_SECONDS", 0.5)
    places = {"GAMES": str(games), "DATASET": str(tmp_path / "dataset"), "OWNER": str(owner_model)}
    assert main([places.get(argument, argument) for argument in arguments]) == 2
    error = capsys.readouterr().err.strip().splitlines()[-1]
    assert message in error
    assert error.startswith("ownership: error: ")


def test_a_record_without_its_last_parenthesis_is_accepted_where_the_count_confirms_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = (EXAMPLES / "finished-9x9.sgf").read_text().rstrip()
    records = {
        "a-off-the-board": whole.replace(";W[];B[])", ";W[dundefined];B[])"),
        "b-another-result": whole[:-1].replace("B+4.0", "B+5.0"),
        "c-inside-a-value": whole[:-2],
        "d-cut": whole[: whole.index(";B[gi]")],
        "e-without-parenthesis": whole[:-1],
        "f-whole": whole,
    }
    for name, text in records.items():
        (tmp_path / f"{name}.sgf").write_text(text)
    for attempt in ("first", "resumed"):
        assert main(["prepare", str(tmp_path), "-o", str(tmp_path / "out"), "--scorer", "model"]) == 2
        errors = capsys.readouterr().err
        found = [(Path(row["source"]).stem[0], row["reason"]) for row in rows(tmp_path / "out")]
        reasons = ["bad move", "truncated", "truncated", "truncated", "", "duplicate"]
        assert found == list(zip("abcdef", reasons, strict=True)), attempt
        assert "a-off-the-board.sgf: bad move: move 44, White [dundefined]: no point of the board" in errors
        assert "d-cut.sgf: truncated: the record breaks off after move 36" in errors
