"""The pipeline on a Dask cluster: a scheduler and two worker processes on this machine."""

import os
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goban.errors import InputError
from goban.position import Position
from preprocessing.dataset.pipeline import Pipeline
from preprocessing.dataset.rows import Row
from preprocessing.dataset.shards import read_rows, shard_names
from preprocessing.labels.gnugo import GnuGo
from preprocessing.labels.labeller import Labeller
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games
from preprocessing.storage import Folder
from preprocessing.workers import cluster_workers
from tests.support.datasets import shards
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
        Pipeline(Folder(output), labeller, shard_size=4).run(read_games([games]), workers)
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


def test_the_same_dataset_though_a_worker_is_killed(cluster: Any, games: Path, tmp_path: Path) -> None:
    run(str(games), tmp_path / "here")
    before = worker_pids(cluster)
    killer = kill_one_when(tmp_path / "there" / "shard-00000.parquet", before[0])
    label_on(cluster, games, tmp_path / "there", Labeller(GnuGo()))
    killer.join()
    assert shards(tmp_path / "there") == shards(tmp_path / "here")
    assert len(shards(tmp_path / "here")) == 10
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


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense"])
def test_a_missing_cluster_gives_one_line(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("preprocessing.workers._CONNECT_SECONDS", 0.5)
    with pytest.raises(InputError, match=f"{address}: expected a Dask scheduler"), cluster_workers(address):
        pass
