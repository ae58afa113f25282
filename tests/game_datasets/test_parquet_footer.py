"""What the footer of a Parquet file claims is the sum over its groups of rows."""

import io

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from game_datasets.parquet_footer import ColumnClaims, column_claims


@pytest.mark.parametrize("rows_a_group", [1, 2, 5])
def test_the_groups_of_a_column_are_added_up(rows_a_group: int) -> None:
    stream = io.BytesIO()
    table = pa.table({"side": [9, 9, 13, 19, 19], "moves": [[1, 2, 3], [4], [5, 6], [7], [8, 9]]})
    pq.write_table(table, stream, row_group_size=rows_a_group)
    groups = pq.read_metadata(stream)
    sizes = [
        sum(groups.row_group(group).column(column).total_uncompressed_size for group in range(groups.num_row_groups))
        for column in range(groups.num_columns)
    ]
    assert column_claims(stream.getvalue()) == ColumnClaims(values=9, unpacked=max(sizes))
