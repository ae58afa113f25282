"""The pipeline on a Dask cluster: a scheduler and two worker processes on this machine."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.rows import Row
from game_datasets.shards import read_rows, shard_names
from game_records.game_record import GameRecord
from goban.errors import InputError
from goban.position import Position
from ownership.cli import main
from preprocessing.gnugo import GnuGo
from preprocessing.labeller import Labeller
from preprocessing.prepare_run import Pipeline, read_on
from runtime.folders import Folder
from runtime.workers import cluster_workers
from tests.support.datasets import rows_of, shards
from tests.support.labelled import collection, run
from tests.support.waiting import wait_until

distributed = pytest.importorskip("distributed", reason="a cluster needs the extra of that name")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.sgf"
    path.write_text(collection(40))
    return path


def label_on(cluster: Any, games: Path, output: Path, labeller: Labeller) -> list[Row]:
    with cluster_workers(cluster.scheduler_address) as workers:
        Pipeline(Folder(output), labeller, shard_size=4).run(read_on(workers, [games]), workers)
    return [row for name in shard_names(Folder(output)) for row in read_rows(Folder(output), name)]


def worker_pids(cluster: Any) -> list[int]:
    with distributed.Client(cluster.scheduler_address) as client:
        return sorted(client.run(os.getpid, on_error="ignore").values())


def kill_one_when(shard: Path, pid: int) -> threading.Thread:
    """Start a thread that kills a process as soon as the shard is there."""

    def wait_and_kill() -> None:
        wait_until(shard.exists, every=0.005)
        os.kill(pid, signal.SIGKILL)

    thread = threading.Thread(target=wait_and_kill)
    thread.start()
    return thread


@pytest.mark.long
def test_the_same_dataset_though_a_worker_is_killed(cluster: Any, games: Path, tmp_path: Path) -> None:
    run(str(games), tmp_path / "here")
    before = worker_pids(cluster)
    killer = kill_one_when(tmp_path / "there" / "shard-00000.parquet", before[0])
    label_on(cluster, games, tmp_path / "there", Labeller(GnuGo()))
    killer.join()
    assert shards(tmp_path / "there") == shards(tmp_path / "here")
    assert len(rows_of(tmp_path / "here")) == 40
    wait_until(lambda: len(worker_pids(cluster)) == 2)
    assert before[0] not in worker_pids(cluster)


class Poison:
    """A model whose process dies at every position with a stone on the last point."""

    name = "poison"

    def ownership(self, position: Position) -> np.ndarray:
        if position.stones[-1, -1]:
            os.kill(os.getpid(), signal.SIGKILL)
        return np.where(np.arange(5) < 2, 1, -1) * np.ones((5, 5), np.float32)

    def play_out(self, game: GameRecord) -> np.ndarray:
        raise AssertionError("no game was resigned")


def test_a_game_that_kills_its_workers_is_reported(cluster: Any, tmp_path: Path) -> None:
    path = tmp_path / "games.sgf"
    first, second, third, *_ = [game for game in collection(5).split("\n") if "W+5.5" in game]
    path.write_text("\n".join([first, second.replace("W[ce]", "W[ee]"), third]))
    found = label_on(cluster, path, tmp_path / "out", Labeller(None, Poison()))
    assert [row["reason"] for row in found] == ["", "worker died", ""]


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The scheduler of a cluster of one worker, which writes its address into scheduler.json."""
    started = []
    for name in ("scheduler", "worker --nthreads 1 --no-nanny"):
        program, *options = name.split()
        code = f"from distributed.cli.dask_{program} import main; main()"
        words = [sys.executable, "-c", code, *options, "--scheduler-file", str(tmp_path / "scheduler.json")]
        started.append(subprocess.Popen([*words, "--no-dashboard"], stderr=subprocess.DEVNULL))
    wait_until((tmp_path / "scheduler.json").exists)
    yield started[0]
    for process in started:
        process.kill()
        process.wait()


def test_a_scheduler_that_dies_gives_one_line(
    scheduler: "subprocess.Popen[bytes]", games: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    address = json.loads((tmp_path / "scheduler.json").read_text())["address"]

    def kill_under_way() -> None:
        wait_until((tmp_path / "out" / "dataset.json").exists, every=0.005)
        scheduler.kill()

    with distributed.Client(address) as client:
        client.wait_for_workers(1)
    killer = threading.Thread(target=kill_under_way)
    killer.start()
    command = ["prepare", str(games), "-o", str(tmp_path / "out"), "--scorer", "gnugo"]
    assert main([*command, "--cluster", address]) == 2
    killer.join()
    error = capfd.readouterr().err
    message = "the Dask scheduler is gone. Start it and its workers again, then the same command, which resumes"
    assert error.endswith(f"ownership: error: {address}: {message}\n")
    assert "Traceback" not in error and "distributed" not in error
    assert main(command) == 0
    assert len(shards(tmp_path / "out")) == 1


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_missing_cluster_gives_one_line(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.workers._CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match=f"{address}: expected a Dask scheduler"), cluster_workers(address):
        pass


def test_an_error_that_is_not_of_the_cluster_stays_as_it_is(cluster: Any) -> None:
    with pytest.raises(KeyError, match="a game"), cluster_workers(cluster.scheduler_address):
        raise KeyError("a game")
