"""Tables of games on disk: what is drawn from them stays the same, and their memory does not grow with the games."""

import hashlib
import tracemalloc
from collections.abc import Iterable
from itertools import islice, permutations, product
from pathlib import Path

import numpy as np
import pytest

from game_datasets.evaluation_positions import evaluation_positions
from game_datasets.load_table import load_games
from game_datasets.position_overlap import learned_keys, position_keys
from game_datasets.rows import Row, record_of
from game_datasets.sampler import Sampler
from game_datasets.shards import write_shard
from ownership.inference.learned_games import LEARNED, write_learned
from planes.feature_sets import FEATURE_SETS
from runtime.folders import Folder
from tests.support.datasets import rows_of, write_dataset
from tests.support.paths import DATA

pytest.importorskip("pyarrow", reason="datasets need the train extra")

EVERYDAY = [DATA / "everyday" / name for name in ("gnugo", "mistakes", "pachi", "weak")]
A_SHARD = 200
DRAWN = ("game", "ply", "symmetry", "stones", "to_move", "ko", "move", "target", "komi")


@pytest.mark.parametrize(("weights", "expected"), [(None, "98c3e0e2513fe057"), ((1, 2, 3, 4), "cefeb17eef47b13f")])
def test_batches_of_a_seed_and_a_step_stay_the_same(weights: tuple[float, ...] | None, expected: str) -> None:
    """As version 0.1 drew them, which held its tables in memory."""
    sampler = Sampler(load_games(EVERYDAY), FEATURE_SETS["classic8"], 32, seed=3, weights=weights)
    digest = hashlib.blake2b(digest_size=8)
    for step in range(8):
        batch = sampler.batch(step)
        for name in DRAWN:
            digest.update(getattr(batch, name).tobytes())
    assert digest.hexdigest() == expected


def test_fingerprints_stay_the_same() -> None:
    assert load_games(EVERYDAY).fingerprint == "805f04abd6e6e647"
    assert load_games(EVERYDAY, most=40).fingerprint == "5671ab14879911de"


def reordered(row: Row, orders: Iterable[tuple[tuple[int, ...], ...]]) -> list[Row]:
    """Rows of games that differ in the order of each player's first five stones."""
    rows = []
    for black, white in orders:
        moves = list(row["moves"])
        moves[0:10:2] = [moves[2 * place] for place in black]
        moves[1:11:2] = [row["moves"][2 * place + 1] for place in white]
        rows.append(row | {"moves": moves, "id": record_of(row | {"moves": moves}).id})
    return rows


def peak_of(dataset: Path, shards: int) -> int:
    """The most bytes that Python and numpy hold while a dataset of that many shards is read and drawn from."""
    [row] = rows_of(write_dataset(dataset))
    orders = product(permutations(range(5)), repeat=2)
    for shard in range(shards):
        write_shard(Folder(dataset), shard, reordered(row, islice(orders, A_SHARD)))
    tracemalloc.start()
    table = load_games(dataset)
    Sampler(table, FEATURE_SETS["classic8"], 4, seed=0).batch(0)
    learned_keys(dataset)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(table) == A_SHARD * shards
    return most


def test_memory_does_not_grow_with_the_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.mapped_arrays.PART", A_SHARD)
    monkeypatch.setattr("game_datasets.position_overlap._GAMES", A_SHARD)
    peak_of(tmp_path / "first", 1)  # imports and kernels
    assert peak_of(tmp_path / "many", 24) < 1.5 * peak_of(tmp_path / "few", 3)


def test_the_most_positions_are_some_of_all_spread_evenly() -> None:
    table = load_games(EVERYDAY)
    every = evaluation_positions(table, every=3)
    chosen = np.unique(np.linspace(0, len(every.games) - 1, 100).astype(int))
    found = evaluation_positions(table, every=3, most=100)
    assert np.array_equal(found.games, every.games[chosen])
    assert np.array_equal(found.plies, every.plies[chosen])


def test_positions_have_the_same_numbers_in_any_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    table = load_games(EVERYDAY[:1])
    whole = position_keys(table.replayed, table.side)
    monkeypatch.setattr("game_datasets.position_overlap._GAMES", 7)
    assert np.array_equal(position_keys(table.replayed, table.side), whole)


def test_learned_games_are_written_once_and_rising(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.mapped_arrays.PART", 3)
    openings = np.array([5, 3, 3, 8, 1, 5, 5, 9], np.uint64)
    write_learned(tmp_path, [openings, np.empty(0, np.uint64), openings[:2]])
    assert np.frombuffer((tmp_path / LEARNED).read_bytes(), "<u8").tolist() == [1, 3, 5, 8, 9]
