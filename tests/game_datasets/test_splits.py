"""The splits of whole datasets, small ones above all."""

from collections import Counter
from pathlib import Path

import pytest

from game_datasets.portions import Portions
from game_datasets.rows import excluded_row, split_of, unreadable_row
from game_datasets.shards import write_shard
from game_datasets.splits import opening_splits, settle_splits
from game_records.sgf import parse_game
from runtime.folders import Folder
from tests.support.datasets import rows_of, shards, write_dataset


def openings(count: int) -> list[str]:
    """Return openings; each number that decides about a split belongs to one in a hundred of them."""
    return [f"{number:08x}00000000" for number in range(count)]


@pytest.mark.parametrize(
    ("games", "train", "validation", "test"),
    [(3, 1, 1, 1), (5, 3, 1, 1), (30, 24, 3, 3), (60, 48, 6, 6), (150, 130, 10, 10), (1000, 920, 40, 40)],
)
def test_validation_and_test_have_games(games: int, train: int, validation: int, test: int) -> None:
    late = [f"{number % 90 + 10:08x}{number:08x}" for number in range(games)]  # none is held out by its number
    found = Counter(opening_splits(late if games < 1000 else openings(games)).values())
    assert found == {"train": train, "validation": validation, "test": test}


def test_many_games_are_split_by_their_openings() -> None:
    many = openings(1000)
    assert opening_splits(many) == {opening: split_of(opening) for opening in many}


def test_a_dataset_that_grows_keeps_its_held_out_games() -> None:
    many = openings(1000)
    for count in (10, 60, 200, 700):
        few = opening_splits(many[:count])
        assert all(few[opening] == split_of(opening) for opening in few if split_of(opening) != "train")


def test_two_games_stay_as_they_are() -> None:
    assert opening_splits(["0000006300000000", "0000006400000000"]) == {
        "0000006300000000": split_of("0000006300000000"),
        "0000006400000000": split_of("0000006400000000"),
    }


def test_the_rows_of_an_opening_change_together_and_files_only_once(tmp_path: Path) -> None:
    [row] = rows_of(write_dataset(tmp_path / "games"))
    folder = Folder(tmp_path / "games")
    rows = [row | {"opening": f"{number:08x}00000000", "split": "train"} for number in (50, 51, 52, 53)]
    copy = excluded_row(parse_game(b"(;SZ[5];B[aa])"), "duplicate", "") | {"opening": rows[0]["opening"]}
    write_shard(folder, 0, rows)
    write_shard(folder, 1, [copy, unreadable_row("x.sgf", "empty", "nothing")])
    assert settle_splits(folder, Portions(folder)) == {"validation": 1, "test": 1, "train": 2}
    found = [each["split"] for each in rows_of(tmp_path / "games")]
    assert found == ["validation", "test", "train", "train", "validation", None]
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "games").iterdir()}
    before = shards(tmp_path / "games")
    settle_splits(folder, Portions(folder))
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "games").iterdir()} == written
    assert shards(tmp_path / "games") == before
