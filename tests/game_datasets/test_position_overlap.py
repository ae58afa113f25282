"""Which positions occur in several games, from whichever side they are seen."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from game_datasets.columns import GAMES
from game_datasets.position_overlap import Shared, position_keys, shared_positions
from game_datasets.shards import read_rows, write_shard
from goban import coords
from runtime.folders import Folder
from tests.support.datasets import with_passes
from tests.support.positions import write_dataset
from tests.support.random_games import game_table, random_game

pytest.importorskip("pyarrow", reason="datasets need the train extra")


def test_positions_have_one_number_if_they_are_alike_up_to_symmetry() -> None:
    """Compared with the boards themselves, turned in all ways, for all pairs of positions of random games."""
    table = game_table([random_game(side, seed, 12) for side in (3, 4) for seed in range(6)])
    keys = position_keys(table.replayed, table.side).tolist()
    places = [(game, ply) for game in range(len(table)) for ply in range(13)]
    boards = []
    for game, ply in places:
        position = table.position(game, ply)
        images = {coords.apply_symmetry(position.stones, k).tobytes() for k in coords.SYMMETRIES}
        boards.append((position.side, int(to_move(table.move_codes[table.move_offset[game] :], ply)), min(images)))
    pairs = list(combinations(range(len(places)), 2))
    assert [keys[one] == keys[other] for one, other in pairs] == [boards[one] == boards[other] for one, other in pairs]
    assert sum(keys[one] == keys[other] for one, other in pairs) > 0


def to_move(codes: np.ndarray, ply: int) -> bool:
    """Whether White is to move in a game of 12 moves, given as codes."""
    return bool(codes[ply] & 1 if ply < 12 else 1 - (codes[11] & 1))


def test_a_dataset_shares_the_positions_of_games_that_begin_alike(tmp_path: Path) -> None:
    games = write_dataset(tmp_path / "games", side=5, games=8)
    [found] = shared_positions(games, ["validation"])
    assert (found.split, found.side) == ("validation", 5)
    assert 0 <= found.shared < found.positions
    rows = read_rows(Folder(games), GAMES.file_name(0))[:4]
    twice = [(row, split) for row in rows for split in ("train", "validation")]
    renamed = [with_passes(row, split == "train") | {"split": split} for row, split in twice]
    write_shard(Folder(games), 0, renamed)
    positions = sum(len(row["moves"]) + 1 for row in rows)
    assert list(shared_positions(games, ["validation"])) == [Shared("validation", 5, positions, positions)]
