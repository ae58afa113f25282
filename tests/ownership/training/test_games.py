"""The games to train on, which may have moves alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from game_datasets.rows import rejected_row
from game_datasets.shards import write_shard
from game_records.sgf import parse_game
from ownership.inference.network_config import NetworkConfig
from ownership.training.training_games import TrainingGames, games_for
from runtime.folders import Folder
from tests.support.datasets import write_dataset

pytest.importorskip("pyarrow", reason="datasets need the train extra")


def test_games_that_are_there_for_their_moves_are_counted_apart(tmp_path: Path) -> None:
    dataset = write_dataset(tmp_path / "dataset")
    resigned = [parse_game(f"(;SZ[5]RE[B+R];B[{point}];W[cc];B[aa];W[ab])".encode()) for point in ("bb", "dd")]
    rows = [rejected_row(game, "not counted", "result B+R") | {"split": "train"} for game in resigned]
    write_shard(Folder(dataset), 1, rows)
    both = NetworkConfig("residual", "classic8", heads=("ownership", "policy"))
    for config, train in (
        (both, "3 games to train on, 2 of them for moves only"),
        (replace(both, heads=("ownership",)), "1 game to train on"),
        (replace(both, heads=("policy",)), "3 games to train on"),
    ):
        games = games_for(config, dataset, "train")
        assert TrainingGames(games, games).summary(config) == f"{train}, {len(games)} to validate on"
