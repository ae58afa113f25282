"""Many records in, one dataset out, with a real GNU Go on small boards."""

import csv
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from preprocessing.dataset import DatasetError, Row, read_rows, shard_paths
from preprocessing.gnugo import GnuGo, find_gnugo
from preprocessing.pipeline import Pipeline
from preprocessing.sources import read_games
from preprocessing.targets import Labeller

SCRIPT = """
import sys
from pathlib import Path
from tests.preprocessing.test_pipeline import run
run(sys.argv[1], Path(sys.argv[2]))
"""
ROOT = Path(__file__).parents[2]


def collection(games: int) -> str:
    """Return games on 5x5 that part the board in two, the order of the moves differing from game to game."""
    texts = []
    for number in range(games):
        black, white = [f"b{row}" for row in "abcde"], [f"c{row}" for row in "abcde"]
        order = random.Random(number)
        order.shuffle(black)
        order.shuffle(white)
        moves = "".join(f";B[{one}];W[{two}]" for one, two in zip(black, white, strict=True))
        result = "W+5.5" if number % 5 else "W+R"
        texts.append(f"(;GM[1]SZ[5]KM[0.5]RE[{result}]{moves})")
    return "\n".join(texts)


def run(source: str, output: Path, tolerance: float = 1.5) -> list[Row]:
    """Label a file of games in shards of four and return the rows without their timings."""
    labeller = Labeller(GnuGo(find_gnugo()), "GNU Go 3.8", tolerance)
    with ThreadPoolExecutor(2) as executor:
        Pipeline(output, labeller, executor, shard_size=4).run(read_games([source]))
    return rows(output)


def rows(dataset: Path) -> list[Row]:
    return [row | {"seconds": None} for path in shard_paths(dataset) for row in read_rows(path)]


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.sgf"
    path.write_text(collection(14) + "\n(;SZ[5]RE[B+1];B[aa];W[aa])\n" + collection(1))
    return str(path)


def test_rows_keep_the_order_of_the_input(games: str, tmp_path: Path) -> None:
    found = run(games, tmp_path / "out")
    assert [row["source"] for row in found] == [f"{games}#{number + 1}" for number in range(16)]
    reasons = ["not counted" if number % 5 == 0 else "" for number in range(14)]
    assert [row["reason"] for row in found] == [*reasons, "illegal move", "duplicate"]
    assert {row["target"] for row in found if not row["reason"]} == {bytes([1, 1, 255, 255, 255] * 5)}


def test_rejected_records_are_listed(games: str, tmp_path: Path) -> None:
    run(games, tmp_path / "out")
    with (tmp_path / "out" / "rejected.csv").open(newline="") as stream:
        listed = list(csv.DictReader(stream))
    assert [line["reason"] for line in listed] == ["not counted"] * 3 + ["illegal move", "duplicate"]
    assert listed[0] == {"source": f"{games}#1", "reason": "not counted", "detail": "result W+R"}


def test_a_second_run_scores_nothing_again(games: str, tmp_path: Path) -> None:
    first = run(games, tmp_path / "out")
    times = [path.stat().st_mtime_ns for path in shard_paths(tmp_path / "out")]
    assert run(games, tmp_path / "out") == first
    assert [path.stat().st_mtime_ns for path in shard_paths(tmp_path / "out")] == times


def test_a_longer_input_goes_on_where_the_shorter_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(collection(6))
    first = run(str(path), tmp_path / "out")
    path.write_text(collection(9))
    second = run(str(path), tmp_path / "out")
    assert second[:6] == first
    assert len(second) == 9


def test_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    path, out = tmp_path / "games.sgf", tmp_path / "out"
    path.write_text(collection(30))
    whole = run(str(path), tmp_path / "whole")
    for attempt in range(5):
        process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), str(out)], cwd=ROOT)
        wait_for_shards(process, out, attempt + 1)
        time.sleep(random.Random(attempt).uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert 5 <= len(shard_paths(out)) <= 8
    assert run(str(path), out) == whole
    assert not list(out.glob("*.partial"))


def wait_for_shards(process: subprocess.Popen[bytes], dataset: Path, number: int) -> None:
    deadline = time.monotonic() + 60
    while len(list(dataset.glob("shard-*.parquet"))) < number and time.monotonic() < deadline:
        assert process.poll() is None, "ended before it was killed"
        time.sleep(0.01)


def test_other_options_need_another_folder(games: str, tmp_path: Path) -> None:
    run(games, tmp_path / "out")
    with pytest.raises(DatasetError, match="choose another folder"):
        run(games, tmp_path / "out", tolerance=6)


def test_a_folder_that_was_only_begun_is_used(games: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "dataset.partial").write_text("{")
    assert len(run(games, tmp_path / "out")) == 16


def test_other_files_are_not_touched(games: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("dear")
    with pytest.raises(DatasetError, match="expected a new folder or a dataset, found other files"):
        run(games, tmp_path / "out")
