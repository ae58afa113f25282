"""Arrays in temporary files: their values, that they are on disk, and the first of equal keys."""

import gc
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from runtime.mapped_arrays import distinct, first_of_each, joined, made_in_parts, parts_of


@pytest.mark.parametrize("shape", [(0,), (5,), (0, 2), (7, 2)])
@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.float32, np.bool_])
def test_arrays_are_joined_with_their_type_and_further_axes(shape: tuple[int, ...], dtype: type) -> None:
    values: np.ndarray = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    found = joined([values[:2], values[2:2], values[2:]])
    assert found.dtype == dtype
    assert np.array_equal(found, values)


def test_an_array_made_in_parts_can_be_changed_in_place() -> None:
    found = made_in_parts(200_000, lambda part: np.arange(part.stop, part.start, -1))
    found.sort()
    assert np.array_equal(found, np.arange(1, 200_001))


def test_parts_are_all_of_the_rows_once() -> None:
    assert [(part.start, part.stop) for part in parts_of(7, 3)] == [(0, 3), (3, 6), (6, 7)]
    assert not list(parts_of(0))


def test_distinct_values_of_all_parts() -> None:
    assert distinct(np.repeat(np.array([19, 9, 13], np.int16), 70_000)) == [9, 13, 19]


@pytest.mark.parametrize("bucket", [1 << 20, 64])
def test_the_first_of_each_key_or_the_first_preferred(bucket: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compared with a dictionary, with all keys sorted together and in several buckets."""
    monkeypatch.setattr("runtime.mapped_arrays._BUCKET", bucket)
    random = np.random.default_rng(1)
    keys, preferred = random.integers(0, 300, 1000).astype(np.uint64), random.random(1000) < 0.3
    kept: dict[int, int] = {}
    for row, key in enumerate(keys.tolist()):
        if key not in kept or (preferred[row] and not preferred[kept[key]]):
            kept[key] = row
    assert np.flatnonzero(first_of_each(keys, preferred)).tolist() == sorted(kept.values())
    assert not first_of_each(keys[:0], preferred[:0]).size


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells which files a process maps")
def test_an_array_is_in_a_file_without_a_name_that_goes_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    found = joined([np.arange(1 << 16)])
    assert str(tmp_path) in Path("/proc/self/maps").read_text()
    assert not os.listdir(tmp_path)
    del found
    gc.collect()
    assert str(tmp_path) not in Path("/proc/self/maps").read_text()
