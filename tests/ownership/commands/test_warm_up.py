"""`ownership warm-up` compiles what later commands need."""

import json
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from game_datasets.sampler import Sampler
from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from game_records.sgf import parse_game
from goban.game import Game
from goban.position import Position
from goban.rollouts import _rollouts, roll_out
from ownership.commands.shared.kernel_compilation import compile_kernels
from planes.feature_sets import FEATURE_SETS
from planes.replayed_planes import fill_batch
from tests.support.datasets import write_dataset
from tests.support.paths import EXAMPLES, ROOT
from tests.support.positions import write_dataset as write_positions

# Those that have a version for chains in int16, as on a board, and one for int32, as `chain_ids` returns them, or for
# stones, int8.
SEVERAL = {"board_kernels._copy", "board_kernels.label_into", "board_kernels._smallest", "regions._first_contact"}

# Prints the kernels of which commands call a version that warm-up does not, compiled before or not, and those of which
# there are several versions after all commands.
USED = """
import gc, json, sys
from collections import Counter
from numba.core.dispatcher import Dispatcher
from ownership.cli import main
from ownership.commands.shared.kernel_compilation import compile_kernels

def kernels():
    found = (each for each in gc.get_objects() if isinstance(each, Dispatcher))
    return {(f"{each.__module__}.{each.__qualname__}", str(types)) for each in found for types in each.signatures}

compile_kernels()
before = kernels()
for words in json.loads(sys.argv[1]):
    assert main(words) == 0
versions = Counter(name for name, _ in kernels() if not name.startswith("numba."))
print(json.dumps([sorted(kernels() - before), sorted(name for name in versions if versions[name] > 1)]))
"""


def test_games_of_a_dataset_need_no_other_kernel(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    from game_datasets.load_table import load_games

    compile_kernels()
    compiled = list(fill_batch.signatures)  # type: ignore[attr-defined]
    Sampler(load_games(write_dataset(tmp_path / "data")), FEATURE_SETS["standard"], 4, 0).batch(0)
    assert fill_batch.signatures == compiled  # type: ignore[attr-defined]


def test_each_kernel_has_one_version_for_all_commands(small_model: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="datasets need the train extra")
    games = write_positions(tmp_path / "games")
    made = [
        ["prepare", str(EXAMPLES), "--scorer", "model", "--finish", "resigned"],
        ["prepare", str(EXAMPLES), "--scorer", "gnugo"],
        ["teach", str(games), "--teacher", str(small_model), "--every", "40"],
    ]
    commands = [[*words, "-o", str(tmp_path / str(number))] for number, words in enumerate(made)]
    commands += [["inspect", str(tmp_path / str(number))] for number in range(len(made))]
    words = [sys.executable, "-c", USED, json.dumps(commands)]
    ended = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    others, several = json.loads(ended.stdout.splitlines()[-1])
    assert not others, ended.stderr
    # Those that other kernels hold compiled are not seen.
    assert {each.removeprefix("goban.") for each in several} <= SEVERAL


def test_the_record_of_a_match_needs_no_other_kernel() -> None:
    """Numba compiles a kernel again for an array that cannot be written."""
    played = GameRecord.of_game(Game.empty(5).play(0), "match", parse_result(""))
    assert numba.typeof(played.setup) == numba.typeof(parse_game(b"(;SZ[5];B[aa])").setup)


def test_rollouts_need_no_other_kernel() -> None:
    compile_kernels()
    compiled = list(_rollouts.signatures)  # type: ignore[attr-defined]
    roll_out(Position.empty(9).play(40), 2, seed=2**63)
    assert compiled and _rollouts.signatures == compiled  # type: ignore[attr-defined]
