"""Commands on a Dask cluster, of which a worker is killed meanwhile, answer as they do alone."""

import os
from pathlib import Path
from typing import Any

import pytest

from goban.errors import InputError
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.selfplay_run import SelfPlay
from ownership.selfplay.weak_game_plans import WeakGames
from runtime.folders import Folder
from runtime.workers import cluster_workers
from tests.support.cluster import a_worker_killed
from tests.support.datasets import rows_of, shards
from tests.support.labelled import collection
from tests.support.positions import write_dataset

pytest.importorskip("distributed", reason="a cluster needs the extra of that name")
pytestmark = pytest.mark.long


def on_cluster(cluster: Any, command: list[str]) -> int:
    """Return the status of a command on a cluster that loses a worker."""
    with a_worker_killed(cluster):
        return main([*command, "--cluster", cluster.scheduler_address])


@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_scores(form: str, cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.sgf"
    games.write_text(collection(200) + "(;GM[1]SZ[99];B[aa])")
    command = ["score", str(games), "--model", "fast", form]
    assert main(command) == 2
    alone = capsys.readouterr()
    assert on_cluster(cluster, command) == 2
    assert capsys.readouterr() == alone
    assert f"{games}#201: " in alone.err


@pytest.mark.parametrize("options", [["--set-up"], ["--both-sides"], ["--unseen", "DATASET"]], ids=lambda each: each[0])
def test_figures(options: list[str], cluster: Any, tmp_path: Path) -> None:
    dataset = str(write_dataset(tmp_path / "games", 7, games=40, tests=24))
    given = [word.replace("DATASET", dataset) for word in options]
    command = ["evaluate", "default", dataset, "--split", "test", "--every", "3", "--details", *given, "--json"]
    assert main([*command, str(tmp_path / "alone.json")]) == 0
    assert on_cluster(cluster, [*command, str(tmp_path / "cluster.json")]) == 0
    assert (tmp_path / "cluster.json").read_text() == (tmp_path / "alone.json").read_text()


def test_games(cluster: Any, tmp_path: Path) -> None:
    def play(output: Path, workers: Any = None) -> int:
        """Play 24 games in shards of three; return how many ended, by the reports."""
        ended: list[int] = []
        plays = SelfPlay(Folder(output), WeakGames([5, 7]), Evaluator.load("fast", cached=0, bulk=True), "fast", 1, 3)
        plays.run(24, ended.append, cluster=workers)
        return sum(ended)

    assert play(tmp_path / "alone") == 24
    with cluster_workers(cluster.scheduler_address) as workers, a_worker_killed(cluster):
        assert play(tmp_path / "cluster", workers) == 24
    assert shards(tmp_path / "cluster") == shards(tmp_path / "alone")
    assert len(rows_of(tmp_path / "alone")) == 24


def test_a_dataset_of_selfplay(cluster: Any, tmp_path: Path) -> None:
    command = ["selfplay", "--style", "weak", "--sides", "5", "--games", "40", "--model", "fast", "-o"]
    assert main([*command, str(tmp_path / "alone")]) == 0
    assert on_cluster(cluster, [*command, str(tmp_path / "cluster")]) == 0
    names = [path.name for path in sorted((tmp_path / "alone").iterdir())]
    for name in names:
        assert (tmp_path / "cluster" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    assert "shard-00000.parquet" in names


def test_work_that_kills_its_workers_is_an_error(cluster: Any) -> None:
    with cluster_workers(cluster.scheduler_address) as workers, pytest.raises(InputError, match="a worker died"):
        list(workers.in_order(_deadly, [0]))


def _deadly(_: int) -> None:
    os._exit(1)
