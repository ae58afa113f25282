"""A match on a Dask cluster, a scheduler and two workers on this machine, has the same games as one without."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from goban.errors import InputError
from ownership.cli import main
from ownership.match.match_conditions import Conditions
from ownership.match.match_folder import MatchFolder
from ownership.match.match_run import Match, MatchSetup
from ownership.match.pairings import Pairing
from ownership.match.referee import GnuGoReferee
from ownership.players.player_interface import Player
from preprocessing.gnugo import GnuGo
from runtime.workers import cluster_workers

distributed = pytest.importorskip("distributed", reason="a cluster needs the extra of that name")


def games(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (output / "games").iterdir()}


def results(output: Path) -> set[tuple[int, str]]:
    lines = map(json.loads, (output / "results.jsonl").read_text().splitlines())
    return {(each["number"], each["result"]) for each in lines}


@pytest.mark.long
def test_the_same_games_as_without_a_cluster(cluster: Any, tmp_path: Path, small_model: Path) -> None:
    program = f"{sys.executable} -m gogui_plugin --player policy --model {small_model}"
    command = ["match", "random:seed=3", program, "--size", "5", "--games", "4", "--referee", str(small_model)]
    command += ["--model", str(small_model)]
    assert main([*command, "-o", str(tmp_path / "here")]) == 0
    assert main([*command, "-o", str(tmp_path / "there"), "--cluster", cluster.scheduler_address]) == 0
    assert games(tmp_path / "there") == games(tmp_path / "here")
    assert results(tmp_path / "there") == results(tmp_path / "here")


def poison(name: str) -> Player:
    """End the process that makes a player."""
    os._exit(1)


@pytest.mark.long
def test_a_game_that_kills_its_workers_is_reported(cluster: Any, tmp_path: Path) -> None:
    conditions = Conditions(side=5, opening=0)
    folder = MatchFolder(tmp_path, ["a", "b"], conditions, "gnugo")
    match = Match(MatchSetup(["a", "b"], poison, conditions, GnuGoReferee(GnuGo())), folder)
    with cluster_workers(cluster.scheduler_address) as workers, pytest.raises(InputError, match="several workers died"):
        list(match.play_on(workers, [Pairing(0, 1, 0)]))
