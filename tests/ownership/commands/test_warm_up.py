"""`ownership warm-up` compiles what later commands need."""

from pathlib import Path

import numba
import pytest

from goban.game import Game
from goban.position import Position
from goban.rollouts import _rollouts, play_out
from ownership.commands.warm_up import compile_kernels
from preprocessing.dataset.sampler import Sampler
from preprocessing.features.kernels import fill_batch
from preprocessing.features.planes import FEATURE_SETS
from preprocessing.records.game import GameRecord
from preprocessing.records.properties import parse_result
from preprocessing.records.sgf import parse_game
from tests.support.datasets import write_dataset


def test_games_of_a_dataset_need_no_other_kernel(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from preprocessing.dataset.table import load_games

    compile_kernels()
    compiled = list(fill_batch.signatures)  # type: ignore[attr-defined]
    Sampler(load_games(write_dataset(tmp_path / "data")), FEATURE_SETS["standard"], 4, 0).batch(0)
    assert fill_batch.signatures == compiled  # type: ignore[attr-defined]


def test_the_record_of_a_match_needs_no_other_kernel() -> None:
    """Numba compiles a kernel again for an array that cannot be written."""
    played = GameRecord.of_game(Game.empty(5).play(0), "match", parse_result(""))
    assert numba.typeof(played.setup) == numba.typeof(parse_game(b"(;SZ[5];B[aa])").setup)


def test_rollouts_need_no_other_kernel() -> None:
    compile_kernels()
    compiled = list(_rollouts.signatures)  # type: ignore[attr-defined]
    play_out(Position.empty(9).play(40), 2, seed=2**63)
    assert compiled and _rollouts.signatures == compiled  # type: ignore[attr-defined]
