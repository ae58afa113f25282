"""Many records in, one dataset out, with a real GNU Go on small boards."""

import csv
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from game_datasets.game_filter import GameFilter
from game_datasets.rows import DatasetError, Row
from game_datasets.shards import read_rows
from game_records.game_record import GameRecord
from game_records.record_sources import read_games
from goban.position import Position
from preprocessing.gnugo import GnuGo, find_gnugo
from preprocessing.labeller import Labeller
from preprocessing.prepare_run import Pipeline
from runtime.folders import Folder
from runtime.workers import local_workers
from tests.support.datasets import rows_of, shards, wait_for_shards
from tests.support.labelled import collection, run
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

SCRIPT = """
import sys
from pathlib import Path
from tests.support.labelled import run
run(sys.argv[1], Path(sys.argv[2]))
"""


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.sgf"
    path.write_text(collection(14) + "\n(;SZ[5]RE[B+1];B[aa];W[aa])\n" + collection(2).split("\n")[1])
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
    without = {"recorded_score": "", "counted_score": ""}
    assert listed[0] == {"source": f"{games}#1", "reason": "not counted", **without, "detail": "result W+R"}


def test_a_rejected_record_is_listed_with_both_scores(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(collection(2).replace("W+5.5", "B+9.5"))
    run(str(path), tmp_path / "out")
    with (tmp_path / "out" / "rejected.csv").open(newline="") as stream:
        line = list(csv.DictReader(stream))[-1]
    assert (line["reason"], line["recorded_score"], line["counted_score"]) == ("score differs", "9.5", "-5.5")


def test_the_usual_komi_counts_where_the_score_excludes_0(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(collection(3).replace("KM[0.5]", "KM[0]").replace("W+5.5", "W+12.5"))
    _, *found = run(str(path), tmp_path / "out")
    assert [(row["komi"], row["counted_score"], row["detail"]) for row in found] == [
        (7.5, -12.5, "assumed: komi 7.5")
    ] * 2
    assert {row["reason"] for row in found} == {""}


def test_a_second_run_scores_nothing_again(games: str, tmp_path: Path) -> None:
    first = run(games, tmp_path / "out")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.parquet")}
    assert run(games, tmp_path / "out") == first
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("*.parquet")} == times


def test_the_same_bytes_with_any_number_of_workers(games: str, tmp_path: Path) -> None:
    run(games, tmp_path / "one", workers=1)
    run(games, tmp_path / "many", workers=5)
    assert shards(tmp_path / "one") == shards(tmp_path / "many")


def test_a_game_without_a_result_hides_no_later_copy(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(collection(2).replace("W+5.5", "?") + collection(2))
    assert [row["reason"] for row in run(str(path), tmp_path / "out")] == [
        "not counted",
        "not counted",
        "not counted",
        "",
    ]


def test_a_choice_of_games_is_made_before_they_are_scored(games: str, tmp_path: Path) -> None:
    labeller, wanted = Labeller(None, NoModel()), GameFilter(sides=(9,))
    with local_workers(1) as threads:
        Pipeline(Folder(tmp_path / "out"), labeller, wanted).run(read_games([games]), threads)
    found = read_rows(Folder(tmp_path / "out"), "shard-00000.parquet")
    assert {row["reason"] for row in found} == {"filtered", "illegal move"}


class NoModel:
    name = "none"

    def ownership(self, position: Position) -> np.ndarray:
        raise AssertionError("nothing is to be scored")

    def play_out(self, game: GameRecord) -> np.ndarray:
        raise AssertionError("nothing is to be played")


def test_a_longer_input_goes_on_where_the_shorter_one_ended(tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    path.write_text(collection(6))
    first = run(str(path), tmp_path / "out")
    path.write_text(collection(9))
    second = run(str(path), tmp_path / "out")
    assert second[:6] == first
    assert len(second) == 9


def test_other_or_fewer_records_need_another_folder(tmp_path: Path) -> None:
    path, other = tmp_path / "games.sgf", tmp_path / "other.sgf"
    path.write_text(collection(6))
    other.write_text(collection(9))
    run(str(path), tmp_path / "out")
    made = shards(tmp_path / "out")
    path.write_text(collection(3))
    for given in (other, path):
        with pytest.raises(DatasetError, match=r"other records or in another order: .*games\.sgf#\d is there; choose"):
            run(str(given), tmp_path / "out")
        assert shards(tmp_path / "out") == made


class SlowModel(NoModel):
    """A model that finishes the first game after another one."""

    def __init__(self) -> None:
        self.played: list[str] = []
        self.goes_on = threading.Event()

    def play_out(self, game: GameRecord) -> np.ndarray:
        if game.source.endswith("#1"):
            self.goes_on.wait(PATIENCE)
        self.played.append(game.source)
        return np.full((5, 5), game.result.winner, np.int8)


def played_out(path: Path, output: Path, model: SlowModel, last: int) -> list[str]:
    """Prepare resigned games; return their sources in the order of the reports, and interrupt the last of them."""
    reported: list[str] = []

    def report(row: Row) -> None:
        reported.append(row["source"])
        model.goes_on.set()
        if len(reported) == last:
            raise KeyboardInterrupt

    pipeline = Pipeline(Folder(output), Labeller(None, model, resigned=True, finisher=model))
    with suppress(KeyboardInterrupt), local_workers(2) as threads:
        pipeline.run(read_games([path]), threads, report)
    return reported


def test_games_count_as_they_finish_and_survive_an_interruption(tmp_path: Path) -> None:
    path, out = tmp_path / "games.sgf", tmp_path / "out"
    path.write_text(collection(5).replace("W+5.5", "W+R"))
    kept = played_out(path, out, SlowModel(), last=3)
    assert len(kept) == 3 and kept[0] != f"{path}#1"
    model = SlowModel()
    assert len(played_out(path, out, model, last=6)) == 5
    assert sorted([*kept, *model.played]) == [f"{path}#{number}" for number in range(1, 6)]
    played_out(path, tmp_path / "whole", SlowModel(), last=6)
    assert shards(out) == shards(tmp_path / "whole")


@pytest.mark.long
def test_survives_being_killed_at_any_moment(tmp_path: Path) -> None:
    path, out = tmp_path / "games.sgf", tmp_path / "out"
    path.write_text(collection(60))
    whole = run(str(path), tmp_path / "whole")
    moments, left = random.Random(1), list[int]()
    for killed in range(0, 12, 2):
        process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), str(out)], cwd=ROOT)
        wait_for_shards(process, out, killed)
        time.sleep(moments.uniform(0, 0.2))
        process.send_signal(signal.SIGKILL)
        process.wait()
        left.append(len(shards(out)))
    assert sum(0 < found < 60 // 4 for found in left) >= 3
    assert run(str(path), out) == whole
    assert shards(out) == shards(tmp_path / "whole")
    assert not list(out.glob("*.partial"))


def test_a_gnugo_that_goes_away_costs_no_game(games: str, tmp_path: Path) -> None:
    program = tmp_path / "gnugo"
    shutil.copy(find_gnugo(), program)
    pipeline = Pipeline(Folder(tmp_path / "out"), Labeller(GnuGo(program), tolerance=1.5), shard_size=4)

    def remove(row: Row) -> None:
        if row["source"].endswith("#7"):
            program.unlink()

    with local_workers(2) as workers, pytest.raises(FileNotFoundError, match="gnugo"):
        pipeline.run(read_games([games]), workers, remove)
    shutil.copy(find_gnugo(), program)
    with local_workers(2) as workers:
        pipeline.run(read_games([games]), workers)
    assert rows_of(tmp_path / "out") == run(games, tmp_path / "whole")


def test_other_options_need_another_folder(games: str, tmp_path: Path) -> None:
    run(games, tmp_path / "out")
    with pytest.raises(DatasetError, match="choose another folder"):
        run(games, tmp_path / "out", tolerance=6)


@pytest.mark.parametrize("text", ["", "null", "NaN", "[]", '"x"', "{", "[" * 100_000, "\xff"])
def test_a_broken_manifest_costs_one_line(text: str, games: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "dataset.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(DatasetError, match=r"dataset\.json: expected the options of a dataset"):
        run(games, tmp_path / "out")


def test_a_spreadsheet_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("=1+1.sgf", "@sum.sgf", "+1.sgf", "-1.sgf"):
        Path(name).write_text(collection(1))
        run(f"./{name}", tmp_path / name[0])
        listed = (tmp_path / name[0] / "rejected.csv").read_text().splitlines()
        assert listed[1].split(",")[0] == f"'{name}"


def test_a_folder_that_was_only_begun_is_used(games: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "dataset.partial").write_text("{")
    assert len(run(games, tmp_path / "out")) == 16


def test_other_files_are_not_touched(games: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "letter.txt").write_text("dear")
    with pytest.raises(DatasetError, match="expected a new folder or a dataset, found other files"):
        run(games, tmp_path / "out")
