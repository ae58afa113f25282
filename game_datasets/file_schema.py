"""A kind of Parquet file: its name, its columns, and the check of its values."""

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import filter as matching
from typing import Any

from game_datasets.column_checks import Check
from game_datasets.rows import DatasetError
from game_records.game_record import printable
from goban.errors import cut
from runtime.folders import Folder


class Column:
    """The type of a column's values, as Arrow names it, and what they must be."""

    def __init__(self, type: str, *checks: Check) -> None:
        self.type, self.checks = type, checks

    def arrow(self) -> Any:
        """Return the Arrow type."""
        import pyarrow as pa

        element = self.type.removeprefix("list<").removesuffix(">")
        values = pa.type_for_alias(element)
        return values if element == self.type else pa.list_(values)


@dataclass(frozen=True)
class FileSchema:
    """A kind of Parquet file.

    Attributes:
        prefix: of the names of its files.
        folder: what a folder of them is.
        kind: what it is, and which command writes it.
        level: of its compression.
        repeated: columns of which a few values occur again and again.
        columns: by name, in the order of the file; the board side is one of them.
    """

    prefix: str
    folder: str
    kind: str
    level: int
    repeated: tuple[str, ...]
    columns: Mapping[str, Column]

    def file_name(self, number: int) -> str:
        """Return the name of a file by its number, from 0."""
        return f"{self.prefix}-{number:05}.parquet"

    def file_names(self, folder: Folder) -> list[str]:
        """Return the names of the files in a folder, in order."""
        return sorted(matching(folder.names(), f"{self.prefix}-*.parquet"), key=lambda name: (len(name), name))

    def number_of(self, name: str) -> int:
        """Return the number in the name of a file."""
        return int(name.removeprefix(f"{self.prefix}-").removesuffix(".parquet"))

    @property
    def dialect(self) -> dict[str, Any]:
        """How Parquet files of this kind are written."""
        return {"compression": "zstd", "compression_level": self.level, "use_dictionary": list(self.repeated)}

    def arrow(self) -> Any:
        """Return the Arrow schema."""
        import pyarrow as pa

        return pa.schema([(name, column.arrow()) for name, column in self.columns.items()])

    def checked(self, table: Any, name: str, first: int = 0) -> Any:
        """Return a table of some of the columns, the board side among them, with their types.

        Args:
            table: an Arrow table.
            name: of its file, for messages.
            first: the number of its first row in the file.

        Raises:
            DatasetError: a value that no such file holds; it names file, row (from 0), column and value.
        """
        table = self._typed(table, name)
        for field in ("side", *(each for each in self.columns if each != "side")):
            for expected, bad, beside in self.columns[field].checks:
                if {field, *beside} <= {*table.column_names} and (rows := bad(table, field)).any():
                    row = int(rows.argmax())
                    received = cut(repr(table[field][row].as_py()))
                    raise DatasetError(f"{name}: row {first + row}: {field}: expected {expected}. Received: {received}")
        return table

    def _typed(self, table: Any, name: str) -> Any:
        import pyarrow as pa

        for place, field in enumerate(table.column_names):
            kind = self.columns[field].arrow()
            try:
                table = table.set_column(place, field, table[field].cast(kind))
            except pa.ArrowException as error:
                raise DatasetError(f"{name}: {field}: expected {kind}. Received: {printable(str(error))}") from error
        return table
