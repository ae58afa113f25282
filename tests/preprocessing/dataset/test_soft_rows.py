"""Soft datasets: what is written is read, and what no such dataset holds is named before any kernel sees it."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from preprocessing.dataset.rows import DatasetError
from preprocessing.dataset.soft_rows import read_soft, soft_name, soft_ownership, soft_policy, soft_schema, write_soft
from preprocessing.dataset.soft_table import check_soft, load_soft
from preprocessing.storage import Folder
from tests.support.damage import flip_bits
from tests.support.soft import soft_row, write_soft_dataset

ROWS = [soft_row(5, 1), soft_row(9, 2, known=False), soft_row(5, 3)]


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    write_soft(Folder(tmp_path), soft_name(0), ROWS)
    read = read_soft(Folder(tmp_path), soft_name(0)).to_pylist()
    for row, wanted in zip(read, ROWS, strict=True):
        for name in soft_schema().names:
            value = wanted.get(name)
            if name in ("policy", "lead") and value is not None:
                np.testing.assert_allclose(row[name], value, rtol=1e-6)
            else:
                assert row[name] == (value.tolist() if isinstance(value, np.ndarray) else value)


def test_a_changed_bit_is_an_error_or_changes_nothing(tmp_path: Path) -> None:
    write_soft(Folder(tmp_path), soft_name(0), ROWS)
    flip_bits(tmp_path / soft_name(0), lambda: read_soft(Folder(tmp_path), soft_name(0)))


def test_a_label_takes_a_byte_a_point() -> None:
    ownership = np.array([[1, -1], [0.5, -2]])
    assert np.frombuffer(soft_ownership(ownership), np.int8).tolist() == [127, -127, 64, -127]


def test_the_likeliest_moves_are_kept_and_at_least_one() -> None:
    kept = soft_policy(np.array([0.2, 0.0004, 0.0, 0.7996, 0.0]))
    assert kept["policy_moves"].tolist() == [3, 0]
    assert soft_policy(np.full(10_000, 0.0001))["policy_moves"].tolist() == [0]
    assert soft_policy(None) == {"policy_moves": None, "policy": None}


BAD: list[tuple[str, int, Any, str]] = [
    ("side", 0, 1, "side: expected a board side 2..25. Received: 1"),
    ("side", 1, None, "side: expected a board side 2..25. Received: None"),
    ("side", 1, 5, "setup: expected codes of points on the board. Received: ["),
    ("to_move", 0, 0, "to_move: expected 1 or -1. Received: 0"),
    ("to_move", 2, None, "to_move: expected 1 or -1. Received: None"),
    ("source", 0, None, "source: expected a value. Received: None"),
    ("teacher", 0, None, "teacher: expected a value. Received: None"),
    ("moves", 1, None, "moves: expected a value. Received: None"),
    ("moves", 0, [52], "moves: expected codes of points on the board. Received: [52]"),
    ("moves", 0, [-1], "moves: expected codes of points on the board. Received: [-1]"),
    ("moves", 0, [3, None], "moves: expected codes of points on the board. Received: [3, None]"),
    ("moves", 2, [24, 24], "moves: expected legal moves (simple ko, suicide allowed). Received: [24, 24]"),
    ("moves", 0, [50] * 32_765, "moves: expected fewer than 32765 moves. Received: [50, 50"),
    ("setup", 0, [50], "setup: expected codes of points on the board. Received: [50]"),
    ("setup", 0, [0, 1], "setup: expected one stone a point, and a liberty for every chain. Received: [0, 1]"),
    ("rules", 0, "chess", "rules: expected one of area, territory, "),
    ("komi", 0, float("nan"), "komi: expected a number of points. Received: nan"),
    ("lead", 2, float("inf"), "lead: expected a number of points. Received: inf"),
    ("deviation", 2, -1.0, "deviation: expected a number of points, 0 or more. Received: -1.0"),
    ("win_rate", 0, 1.5, "win_rate: expected a probability. Received: 1.5"),
    ("ownership", 0, None, "ownership: expected a value. Received: None"),
    ("ownership", 0, bytes(24), "ownership: expected a byte for each point of the board. Received: b'"),
    ("ownership", 2, bytes([128] * 25), "ownership: expected values -127..127. Received: b'"),
    ("policy", 0, None, "policy: expected probabilities of policy_moves. Received: None"),
    ("policy", 0, [0.5], "policy: expected a probability for each move. Received: [0.5]"),
    ("policy_moves", 0, [26], "policy: expected a probability for each move"),
]
BAD_POLICY = [
    ([26], [1.0], "policy_moves: expected codes of points on the board. Received: [26]"),
    ([-1], [1.0], "policy_moves: expected codes of points on the board. Received: [-1]"),
    ([3, 3], [0.5, 0.5], "policy_moves: expected each move once. Received: [3, 3]"),
    ([3, 4], [0.5, -0.1], "policy: expected probabilities. Received: [0.5, -0.1"),
    ([3, 4], [0.5, None], "policy: expected probabilities. Received: [0.5, None]"),
    ([3, 4], [0.5, float("nan")], "policy: expected probabilities. Received: [0.5, nan]"),
    ([3, 4], [0.6, 0.6], "policy: expected probabilities that sum to 1 at most. Received: [0.6"),
    ([3], [0.0], "policy: expected probabilities that sum to 1 at most. Received: [0.0]"),
    ([], [], "policy: expected probabilities that sum to 1 at most. Received: []"),
]


def refused(folder: Path, row: int, changes: dict[str, Any], message: str) -> None:
    rows = [dict(each) for each in ROWS]
    rows[row] |= changes
    write_soft(Folder(folder), soft_name(0), rows)
    with pytest.raises(DatasetError) as raised:
        load_soft(folder)
    assert str(raised.value).startswith(f"{folder}/{soft_name(0)}: row {row}: {message}")
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize(("field", "row", "value", "message"), BAD)
def test_a_bad_value_is_named(field: str, row: int, value: Any, message: str, tmp_path: Path) -> None:
    refused(tmp_path, row, {field: value}, message)


@pytest.mark.parametrize(("moves", "chances", "message"), BAD_POLICY)
def test_a_bad_policy_is_named(moves: list[int], chances: list[Any], message: str, tmp_path: Path) -> None:
    refused(tmp_path, 2, {"policy_moves": moves, "policy": chances}, message)


def test_a_dataset_is_a_folder_or_one_of_its_files(tmp_path: Path) -> None:
    place = write_soft_dataset(tmp_path / "soft", ROWS)
    assert load_soft(place).side.tolist() == [5, 9, 5]
    assert load_soft(place / soft_name(1)).side.tolist() == [9, 5]
    assert load_soft([place / soft_name(1), place]).side.tolist() == [5, 9, 5]  # each position once
    assert load_soft(place, side=9).side.tolist() == [9]
    for read in (load_soft, check_soft):
        with pytest.raises(
            DatasetError, match="soft: expected labelled positions on 19x19, the only side of this network"
        ):
            read(place, 19)
    check_soft(place, 9)


def test_what_is_no_soft_dataset_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"soft-\*\.parquet files, found none"):
        load_soft(tmp_path / "missing")
    (tmp_path / soft_name(0)).write_bytes(b"PAR1")
    with pytest.raises(DatasetError, match=soft_name(0)):
        load_soft(tmp_path)
    pq.write_table(pa.table({"side": [5], "ply": [3]}), tmp_path / soft_name(0))
    with pytest.raises(
        DatasetError, match=r"soft rows, as `ownership teach` .* source, teacher, .* Received: side, ply$"
    ):
        load_soft(tmp_path)
    write_soft(Folder(tmp_path), soft_name(0), [])
    with pytest.raises(DatasetError, match="expected labelled positions, found none"):
        load_soft(tmp_path)
