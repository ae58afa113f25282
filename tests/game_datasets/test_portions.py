"""Portions of a dataset, joined to files by their size: the same rows and bytes however a run came there."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice, permutations
from pathlib import Path

import pytest

from game_datasets.columns import GAMES
from game_datasets.load_table import load_games
from game_datasets.portions import Portions
from game_datasets.rows import DatasetError, Row, record_of
from game_datasets.shards import read_rows, shard_groups, timing_name, write_parquet
from runtime.folders import Folder
from tests.support.datasets import rows_of, shards, write_dataset

pytest.importorskip("pyarrow", reason="datasets need the train extra")

A_PORTION = 4
PORTION_BYTES = A_PORTION * (2 * 14 + 25 + 256)  # of games of 14 moves on 5x5


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """Rows of 40 games, each with the seconds that it took."""
    [row] = rows_of(write_dataset(tmp_path_factory.mktemp("one") / "games"))
    found = []
    for order in islice(permutations(range(5)), 40):
        moves = list(row["moves"])
        moves[0:10:2] = [row["moves"][2 * place] for place in order]
        found.append(row | {"moves": moves, "id": record_of(row | {"moves": moves}).id, "seconds": 0.5})
    return found


@pytest.fixture(autouse=True, scope="module")
def small() -> Iterator[None]:
    """Let a file hold three portions, in groups of rows of two."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("game_datasets.portions.SHARD_BYTES", 3 * PORTION_BYTES)
        patch.setattr("game_datasets.portions._GROUP_BYTES", 2 * PORTION_BYTES)
        yield


def write(folder: Path, rows: list[Row], joins: bool = True) -> Portions:
    """Write the portions of rows that are missing or shorter, and join them."""
    portions = Portions(Folder(folder))
    for number, start in enumerate(range(0, len(rows), A_PORTION)):
        wanted = rows[start : start + A_PORTION]
        if len(portions.rows(number)) < len(wanted):
            portions.write(number, wanted)
    if joins:
        portions.join()
    return portions


def ids(folder: Path) -> list[str]:
    return [row["id"] for row in rows_of(folder)]


def test_files_are_joined_by_their_size(rows: list[Row], tmp_path: Path) -> None:
    write(tmp_path / "out", rows)
    names = [f"{kind}-{number:05}.parquet" for kind in ("shard", "timing") for number in (0, 3, 6, 9)]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == names
    assert ids(tmp_path / "out") == [row["id"] for row in rows]
    groups = shard_groups(Folder(tmp_path / "out"), GAMES.file_name(3))
    assert [len(group) for group in groups] == [2 * A_PORTION, A_PORTION]


def test_portions_are_found_in_joined_files(rows: list[Row], tmp_path: Path) -> None:
    write(tmp_path / "out", rows)
    portions = Portions(Folder(tmp_path / "out"))
    assert list(portions) == list(range(10))
    for number in range(10):
        found = portions.rows(number)
        assert [row["id"] for row in found] == [row["id"] for row in rows[A_PORTION * number :][:A_PORTION]]
    assert 10 not in portions and portions.rows(10) == []


@pytest.fixture(scope="module")
def whole(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The dataset of all rows, made by one run."""
    folder = tmp_path_factory.mktemp("one") / "whole"
    write(folder, rows)
    return folder


@pytest.mark.parametrize("first", range(1, 40, 6))
def test_a_dataset_that_grew_has_the_bytes_of_one_made_whole(
    first: int, rows: list[Row], whole: Path, tmp_path: Path
) -> None:
    write(tmp_path / "grown", rows[:first])
    write(tmp_path / "grown", rows)
    assert shards(tmp_path / "grown") == shards(whole)
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "grown").iterdir()}
    write(tmp_path / "grown", rows)
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "grown").iterdir()} == times


@pytest.fixture(scope="module")
def run(rows: list[Row], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The datasets `whole`, of which one row changed, and `begun`: portions of all rows, not all joined."""
    folder = tmp_path_factory.mktemp("run")
    write(folder / "whole", [*rows[:20], rows[20] | {"detail": "other"}, *rows[21:]])
    assert ids(folder / "whole") == [row["id"] for row in rows]
    write(folder / "begun", rows[:30])
    write(folder / "begun", rows, joins=False)
    return folder


class Killed(Exception):
    pass


@pytest.mark.parametrize("moment", range(1, 30))
def test_a_run_killed_at_any_moment_loses_and_doubles_nothing(
    moment: int, rows: list[Row], run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before the file operation of that number, while portions are joined, and while a file is split."""
    left = moment

    def counted(name: str) -> None:
        operation = getattr(Folder, name)

        def operate(*arguments: object) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Killed
            operation(*arguments)

        monkeypatch.setattr(Folder, name, operate)

    portions = Portions(Folder(shutil.copytree(run / "begun", tmp_path / "out")))
    counted("write")
    counted("remove")
    with suppress(Killed):
        portions.write(5, [rows[20] | {"detail": "other"}, *rows[21:24]])
        portions.join()
    left = 0  # counts no more
    assert {*ids(tmp_path / "out")} == {row["id"] for row in rows}, "readers may see rows twice, and miss none"
    portions = Portions(Folder(tmp_path / "out"))
    portions.write(5, [rows[20] | {"detail": "other"}, *rows[21:24]])
    portions.join()
    assert shards(tmp_path / "out") == shards(run / "whole")
    assert not (tmp_path / "out" / "moving.json").exists()


def test_a_table_is_the_same_from_joined_files(rows: list[Row], tmp_path: Path) -> None:
    write(tmp_path / "apart", rows, joins=False)
    write(tmp_path / "joined", rows)
    assert load_games(tmp_path / "joined").fingerprint == load_games(tmp_path / "apart").fingerprint


def test_files_come_in_the_order_of_their_numbers(rows: list[Row], tmp_path: Path) -> None:
    portions = Portions(Folder(tmp_path / "out"))
    for number in (100_000, 99_999):
        portions.write(number, [rows[number - 99_999]])
    assert ids(tmp_path / "out") == [rows[0]["id"], rows[1]["id"]]


def test_a_file_with_other_metadata_is_explained(rows: list[Row], tmp_path: Path) -> None:
    write(tmp_path / "out", rows[:4])
    folder, name = Folder(tmp_path / "out"), GAMES.file_name(0)
    table = next(shard_groups(folder, name)).replace_schema_metadata({b"portions": b"four"})
    write_parquet(folder, name, [table], GAMES.dialect)
    with pytest.raises(DatasetError, match=rf"{name}: expected how many rows each portion has"):
        Portions(folder)
    assert len(read_rows(folder, name)) == 4
    assert timing_name(0) in folder.names()
