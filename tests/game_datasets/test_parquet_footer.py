"""The claims of a Parquet footer are of its groups of rows, or sums over them; a hostile footer is one error."""

import io
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from game_datasets.columns import GAMES
from game_datasets.parquet_footer import ColumnClaims, column_claims
from game_datasets.rows import DatasetError
from game_datasets.shards import read_shard
from runtime.folders import Folder
from tests.support.datasets import write_dataset

SHARD = GAMES.file_name(0)
MILLION = b"\xc0\x84\x3d"  # 1,000,000 as a varint
END = b"\0"
GROUPS, LIST, STRUCT, WHOLE = b"\x49", b"\x19", b"\x1c", b"\x16"  # the header of a field that comes next but for GROUPS


@pytest.mark.parametrize(("rows_a_group", "most"), [(1, 3), (2, 4), (5, 9)])
def test_the_bytes_of_a_column_are_added_up_and_its_values_are_those_of_a_group(rows_a_group: int, most: int) -> None:
    stream = io.BytesIO()
    table = pa.table({"side": [9, 9, 13, 19, 19], "moves": [[1, 2, 3], [4], [5, 6], [7], [8, 9]]})
    pq.write_table(table, stream, row_group_size=rows_a_group)
    groups = pq.read_metadata(stream)
    sizes = [
        sum(groups.row_group(group).column(column).total_uncompressed_size for group in range(groups.num_row_groups))
        for column in range(groups.num_columns)
    ]
    assert column_claims(groups) == ColumnClaims(values=most, unpacked=max(sizes))


def with_footer(data: bytes, footer: bytes) -> bytes:
    """Return a Parquet file with another footer."""
    size = int.from_bytes(data[-8:-4], "little")
    return data[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1"


def footer_of(data: bytes) -> bytes:
    return data[-8 - int.from_bytes(data[-8:-4], "little") : -8]


FOOTERS = {
    "an endless number": WHOLE + b"\x80" * 1_000_000,
    "lists in lists": LIST * 1_000_000,
    "structs in structs": STRUCT * 1_000_000,
    "structs in structs that are let out": b"\xfc\x01" + STRUCT * 1_000_000,
    "a list of more than there is": GROUPS + b"\xfc" + MILLION,
    "lists of a million each": GROUPS + b"\xfc" + MILLION + (LIST + b"\xfc" + MILLION) * 100,
    "a million empty groups": GROUPS + b"\xfc" + MILLION + END * 1_000_001,
    "a text of more than there is": b"\x18" + MILLION,
    "nothing": END,
    "not even an end": WHOLE,
}


@pytest.mark.parametrize("name", FOOTERS)
def test_a_footer_that_cannot_be_is_one_error(name: str, tmp_path: Path) -> None:
    path = write_dataset(tmp_path / "games") / SHARD
    path.write_bytes(with_footer(path.read_bytes(), FOOTERS[name]))
    with pytest.raises(DatasetError, match="expected a Parquet file of games") as raised:
        read_shard(Folder(path.parent), SHARD)
    assert str(raised.value).isprintable()


@pytest.mark.parametrize("size", [0, 1 << 31, 0xFFFFFFFF])
def test_a_footer_of_another_length_is_one_error(size: int, tmp_path: Path) -> None:
    path = write_dataset(tmp_path / "games") / SHARD
    path.write_bytes(path.read_bytes()[:-8] + size.to_bytes(4, "little") + b"PAR1")
    with pytest.raises(DatasetError, match="expected a Parquet file of games"):
        read_shard(Folder(path.parent), SHARD)


def with_number_below_zero(footer: bytes, pattern: bytes) -> bytes:
    """Return a footer in which the number that begins with the only group of `pattern` has the other sign.

    Numbers are written as twice their value, those below 0 as 1 less than that of their positive one, low bits first.
    """
    found = re.search(pattern, footer, re.DOTALL)
    assert found
    return footer[: found.start(1)] + bytes([found[1][0] - 1]) + footer[found.end(1) :]


# Behind a column's codec its values and its bytes; before the groups of rows the number of all.
NUMBERS = {
    "values": rb"\x15\x00\x16(\x0a)\x16",
    "bytes": rb"\x15\x00\x16\x0a\x16(.)",
    "rows": rb"\x16(\x0a)\x19\x1c",
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_below_zero_are_refused(name: str, tmp_path: Path) -> None:
    stream = io.BytesIO()
    table = pa.table({"side": pa.array([9] * 5, pa.int8())})
    pq.write_table(table, stream, compression="none", use_dictionary=False, store_schema=False)
    data = stream.getvalue()
    changed = with_footer(data, with_number_below_zero(footer_of(data), NUMBERS[name]))
    assert column_claims(pq.ParquetFile(pa.BufferReader(data)).metadata).values == 5
    with pytest.raises(ValueError, match="a damaged footer"):
        column_claims(pq.ParquetFile(pa.BufferReader(changed)).metadata)
