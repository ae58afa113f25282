"""Checks of columns at their bounds: the last value that is good, and the first that is bad."""

from typing import Any

import pytest

from game_datasets.column_checks import (
    Check,
    expect_at_most,
    expect_bytes,
    expect_codes,
    expect_one_of,
    expect_value,
    expect_within,
)

pa = pytest.importorskip("pyarrow", reason="reading datasets needs the train extra")

ONES_AND_ZEROS = bytes([1, 0, 255, 1])
SHORT, OUT_OF_RANGE = bytes([1, 0, 255]), bytes([1, 0, 255, 2])


@pytest.mark.parametrize(
    ("checks", "kind", "good", "bad"),
    [
        ([expect_value()], "int16", [0, 1], [None]),
        ([expect_within(-2, 2, "")], "float32", [-2, 0, 2, None], [-2.5, 2.5]),
        ([expect_one_of(("a", ""))], "string", ["a", "", None], ["b"]),
        ([expect_at_most(2, "")], "list<int16>", [[], [1, 2]], [[1, 2, 3]]),
        ([expect_codes(2)], "list<int16>", [[], [0, 7]], [[-1], [8]]),
        ([expect_codes(2, 2)], "list<int16>", [[0, 9]], [[10]]),
        (expect_bytes(1, ""), "binary", [ONES_AND_ZEROS, None], [SHORT, OUT_OF_RANGE]),
    ],
)
def test_the_first_bad_value(checks: list[Check], kind: str, good: list[Any], bad: list[Any]) -> None:
    types = {"list<int16>": pa.list_(pa.int16()), "binary": pa.binary(), "string": pa.string()}
    values = pa.array([*good, *bad], types.get(kind) or getattr(pa, kind)())
    table = pa.table({"side": pa.array([2] * len(values), pa.int8()), "column": values})
    found = [row for row in range(len(values)) if any(check.bad(table.slice(row, 1), "column")[0] for check in checks)]
    assert found == list(range(len(good), len(values)))


def test_a_value_is_expected_beside_another() -> None:
    table = pa.table({"target": pa.array([b"", None, b"", None], pa.binary()), "split": ["a", "a", None, None]})
    assert expect_value(beside="split").bad(table, "target").tolist() == [False, True, False, False]
