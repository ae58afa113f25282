"""The contents of a dataset, in numbers and a few games."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import filter as matching
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from game_datasets.arrow_to_numpy import list_column, number_column
from game_datasets.columns import SOFT
from game_datasets.position_overlap import Shared, shared_positions
from game_datasets.rows import SPLITS, Row, decode_points
from game_datasets.shards import dataset_files, read_shard, read_timing, shard_names
from game_records.dates import parse_date
from game_records.game_identity import game_end
from game_records.game_record import printable
from game_records.rank_property import parse_rank, rank_name
from runtime.folders import Folder

if TYPE_CHECKING:
    import pandas as pd  # slow to import, and part of an extra

_REPEATED: Final = ("rules", "ending", "black_rank", "white_rank", "date", "scorer", "split", "reason")
_SINGLE: Final = ("side", "recorded_score", "counted_score", "opening", "branch")
_SOFT: Final = ("teacher", "side", "rules", "komi", "lead")
_MOST_VALUES, _MOST_GROUPS, _MOST_SOURCES = 8, 3, 3
_BIN: Final = 50  # moves
_MARGINS: Final = {"0": 0.0, "0.5-4.5": 0.5, "5-9.5": 5.0, "10-19.5": 10.0, "20-39.5": 20.0, "40+": 40.0}  # from

Counts = dict[str, int]
Shown = Callable[[list[str]], Iterable[str]]


@dataclass(frozen=True)
class Rejection:
    """How many records were rejected for a reason, and the first of them."""

    reason: str
    number: int
    source: str
    detail: str


@dataclass(frozen=True)
class Group:
    """How many accepted games begin or end alike, and where some of them come from."""

    number: int
    sources: list[str]


@dataclass(frozen=True)
class Alike:
    """How many accepted games begin or end as another one does, and the largest groups of these."""

    number: int
    groups: list[Group]


@dataclass(frozen=True)
class Timing:
    """Seconds a game that a scorer took."""

    scorer: str
    games: int
    mean: float
    median: float
    percentile_99: float
    most: float


@dataclass(frozen=True)
class Summary:
    """The contents of a dataset.

    Attributes:
        records: of any reason.
        accepted: with a target.
        size: bytes of all shards.
        moves: of the accepted games.
        branches: the move from which targets hold, for each accepted game that was turned from its record.
        rejections: the most frequent reason first.
        distributions: how many accepted games there are of each kind, by property; empty if none is accepted.
        openings: accepted games with the opening of another one.
        ends: accepted games with the end of another one.
        shared: how many positions of the other splits occur in `train` too.
        timings: one for each scorer, if the dataset has them.
        examples: rows of the first accepted games.
    """

    records: int
    accepted: int
    size: int
    moves: int
    branches: list[int]
    rejections: list[Rejection]
    distributions: dict[str, Counts]
    openings: Alike
    ends: Alike
    shared: list[Shared]
    timings: list[Timing]
    examples: list[Row]


@dataclass(frozen=True)
class SoftSummary:
    """The contents of a soft dataset.

    Attributes:
        positions: how many.
        size: bytes of all files.
        distributions: how many positions there are of each kind, by property; empty if there are none.
        examples: rows of the first positions.
    """

    positions: int
    size: int
    distributions: dict[str, Counts]
    examples: list[Row]


def summarise(dataset: Folder, examples: int, shown: Shown = iter) -> Summary:
    """Return a summary of a dataset.

    Args:
        dataset: its folder.
        examples: how many rows of accepted games to return.
        shown: goes through the names of the shards, to show progress.

    Raises:
        DatasetError: it cannot be read.
    """
    names = shard_names(dataset)
    records = _records(dataset, names, shown)
    accepted = records[records["reason"] == ""]
    return Summary(
        records=len(records),
        accepted=len(accepted),
        size=sum(map(dataset.size, names)),
        moves=int(accepted["moves"].sum()),
        branches=[int(branch) for branch in accepted["branch"].dropna()],
        rejections=_rejections(dataset, records[records["reason"] != ""]),
        distributions=_distributions(accepted) if len(accepted) else {},
        openings=_alike(dataset, accepted, "opening"),
        ends=_alike(dataset, accepted[accepted["end"] != ""], "end"),
        shared=list(_shared(dataset, set(accepted["split"]))),
        timings=_timings(dataset),
        examples=list(_rows(dataset, accepted.head(examples))),
    )


def summarise_soft(place: str, examples: int, shown: Shown = iter) -> SoftSummary:
    """Return a summary of a soft dataset, a folder or one file; arguments and errors as for `summarise`."""
    files = {name: folder for folder, name in dataset_files(place, SOFT)}
    tables: list[Any] = []
    rows: list[Row] = []
    for name in shown(list(files)):
        table = read_shard(files[name], name, schema=SOFT)
        rows += table.slice(0, examples - len(rows)).to_pylist()
        tables.append(_compact_soft(table))
    positions = _frame(iter(tables))
    return SoftSummary(
        positions=len(positions),
        size=sum(folder.size(name) for name, folder in files.items()),
        distributions=_soft_distributions(positions) if len(positions) else {},
        examples=rows,
    )


def _compact_soft(table: Any) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {name: table[name] for name in _SOFT}
    columns["moves"] = pc.list_value_length(table["moves"])
    columns["policy"] = pc.if_else(table["policy"].is_valid(), "known", "unknown")
    return pa.table(columns)


def _records(dataset: Folder, names: list[str], shown: Shown) -> "pd.DataFrame":
    """Return every record, of any reason.

    Columns: _REPEATED, as categories; _SINGLE; moves, how many; end, as `game_end`; shard and row, where the record is.
    """
    columns = [*_REPEATED, *_SINGLE, "moves"]
    return _frame(_compact(read_shard(dataset, name, columns), name) for name in shown(names))


def _compact(table: Any, shard: str) -> Any:
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {name: table[name].dictionary_encode() for name in _REPEATED} | {name: table[name] for name in _SINGLE}
    columns["moves"] = pc.list_value_length(table["moves"])
    columns["end"] = pa.array(_ends(table), pa.string())
    columns["shard"] = pa.repeat(shard, len(table)).dictionary_encode()
    columns["row"] = pa.array(np.arange(len(table), dtype=np.int32))
    return pa.table(columns)


def _ends(table: Any) -> Iterator[str]:
    moves = list_column(table, "moves")
    for side, (start, end) in zip(number_column(table, "side").tolist(), pairwise(moves.offset.tolist()), strict=True):
        yield game_end(side, decode_points(moves.values[start:end])[0])


def _frame(tables: Iterator[Any]) -> "pd.DataFrame":
    """Return Arrow tables as one frame, in which texts stay in Arrow's memory, a fraction of what pandas may need."""
    import pandas as pd
    import pyarrow as pa

    texts = {pa.string(): pd.ArrowDtype(pa.string())}
    return pa.concat_tables(tables).unify_dictionaries().to_pandas(types_mapper=texts.get)


def _rows(dataset: Folder, records: "pd.DataFrame") -> Iterator[Row]:
    """Yield all columns of a few records."""
    for shard, row in zip(records["shard"], records["row"], strict=True):
        yield from read_shard(dataset, shard).slice(row, 1).to_pylist()


def _rejections(dataset: Folder, rejected: "pd.DataFrame") -> list[Rejection]:
    counts = _counts(rejected["reason"], most=len(rejected))
    examples = {row["reason"]: row for row in _rows(dataset, rejected.drop_duplicates("reason"))}
    return [
        Rejection(reason, number, examples[reason]["source"], examples[reason]["detail"])
        for reason, number in counts.items()
    ]


def _distributions(games: "pd.DataFrame") -> dict[str, Counts]:
    """Return how many games there are of each kind, for several properties."""
    off = (games["counted_score"] - games["recorded_score"]).abs().round()
    return {
        "split": _counts(games["split"]),
        "board side": _counts(games["side"], "{:.0f}".format),
        "year": _counts(_parsed(games["date"], _year), "{:.0f}".format),
        "rank of the weaker player": _counts(_weaker(games), lambda rank: rank_name(int(rank))),
        "moves": _move_counts(games),
        "recorded margin in points": _counts(_margin_bins(games["recorded_score"]), str),
        "points between area count and record": _counts(off, "{:.0f}".format),
        "recorded ending": _counts(games["ending"]),
        "scorer of the dead stones": _counts(games["scorer"]),
        "rules": _counts(games["rules"]),
    }


def _soft_distributions(positions: "pd.DataFrame") -> dict[str, Counts]:
    """Return how many positions there are of each kind, for several properties."""
    return {
        "teacher": _counts(positions["teacher"]),
        "board side": _counts(positions["side"], "{:.0f}".format),
        "moves": _move_counts(positions),
        "rules": _counts(positions["rules"]),
        "komi": _counts(positions["komi"], "{:g}".format),
        "expected margin in points": _counts(_margin_bins(positions["lead"]), str),
        "policy": _counts(positions["policy"]),
    }


def _move_counts(rows: "pd.DataFrame") -> Counts:
    return _counts(rows["moves"] // _BIN, lambda bin: f"{bin * _BIN:.0f}-{bin * _BIN + _BIN - 1:.0f}")


def _counts(values: "pd.Series[Any]", name: Callable[[Any], str] | None = None, most: int = _MOST_VALUES) -> Counts:
    """Return how often each of the `most` frequent values occurs: texts by frequency, others by value."""
    counts = values.value_counts()
    counts = counts[counts > 0]
    shown = counts.head(most)
    if name:
        shown = shown.sort_index()
    named = {name(value) if name else value or "unknown": int(number) for value, number in shown.items()}
    rest = {"others": int(counts.iloc[most:].sum()), "unknown": int(values.isna().sum())}
    return named | {text: number for text, number in rest.items() if number}


def _parsed(texts: "pd.Series[Any]", parse: Callable[[str], int | None]) -> "pd.Series[Any]":
    """Return the value of `parse` for each category, float, NaN where it has none."""
    import pandas as pd

    values = np.array([*map(parse, texts.cat.categories), None], float)
    return pd.Series(values[texts.cat.codes], texts.index)


def _year(text: str) -> int | None:
    date = parse_date(text)
    return date[0] if date else None


def _weaker(games: "pd.DataFrame") -> "pd.Series[Any]":
    """Return the rank of the weaker player, NaN where either has none."""
    return games[["black_rank", "white_rank"]].apply(_parsed, parse=parse_rank).min(axis=1, skipna=False)


def _margin_bins(scores: "pd.Series[Any]") -> "pd.Series[Any]":
    """Return the name in _MARGINS of each score, NaN where there is none."""
    import pandas as pd

    return pd.cut(scores.abs(), [*_MARGINS.values(), float("inf")], right=False, labels=list(_MARGINS))


def _alike(dataset: Folder, games: "pd.DataFrame", name: str) -> Alike:
    """Return the games with the opening or the end of another one."""
    alike = games[games[name].duplicated(keep=False)]
    largest = alike[name].value_counts().head(_MOST_GROUPS)
    return Alike(len(alike), [_group(dataset, alike[alike[name] == value], int(n)) for value, n in largest.items()])


def _group(dataset: Folder, games: "pd.DataFrame", number: int) -> Group:
    return Group(number, [row["source"] for row in _rows(dataset, games.head(_MOST_SOURCES))])


def _shared(dataset: Folder, splits: set[str]) -> Iterator[Shared]:
    if "train" in splits:
        yield from shared_positions(str(dataset), [each for each in SPLITS[1:] if each in splits])


def _timings(dataset: Folder) -> list[Timing]:
    names = matching(dataset.names(), "timing-*.parquet")
    if not names:
        return []
    timing = _frame(read_timing(dataset, name, ["scorer", "seconds"]) for name in names)
    table = timing.groupby("scorer")["seconds"].describe(percentiles=[0.5, 0.99])
    table = table[["count", "mean", "50%", "99%", "max"]]
    return [
        Timing(printable(str(scorer)), int(row[0]), *map(float, row[1:]))
        for scorer, row in zip(table.index, table.to_numpy(), strict=True)
    ]
