"""`ownership inspect`: what is in a dataset."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from fnmatch import filter as matching
from typing import TYPE_CHECKING, Any

from goban.errors import InputError
from preprocessing.records.game import OPENING_MOVES
from preprocessing.records.properties import parse_date, parse_rank, rank_name

if TYPE_CHECKING:
    import pandas as pd

    from preprocessing.storage import Folder

_REPEATED = ["rules", "ending", "black_rank", "white_rank", "date", "scorer", "split", "reason"]
_SINGLE = ["side", "recorded_score", "counted_score", "opening", "branch"]
_MOST_VALUES, _MOST_GROUPS, _MOST_SOURCES = 8, 3, 3
_BIN = 50  # moves
_MARGINS = {"0": 0.0, "0.5-4.5": 0.5, "5-9.5": 5.0, "10-19.5": 10.0, "20-39.5": 20.0, "40+": 40.0}  # from how many on

Counts = dict[str, int]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("dataset", help="folder or URL made by `ownership prepare`")
    parser.add_argument("--examples", type=int, default=3, metavar="N", help="games to show (default %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Print what was accepted and why the rest was not, what the games are like, and a few of them."""
    from preprocessing.dataset.shards import shard_names
    from preprocessing.storage import Folder

    if arguments.examples < 0:
        raise InputError(f"--examples must be 0 or more. Received: {arguments.examples}")
    dataset = Folder(arguments.dataset)
    names = shard_names(dataset)
    records = _records(dataset, names)
    accepted = records[records["reason"] == ""]
    _print_counts(dataset, len(records), accepted, sum(map(dataset.size, names)))
    _print_reasons(dataset, records[records["reason"] != ""])
    if len(accepted):
        _print_distributions(accepted)
        _print_near_duplicates(dataset, accepted)
    _print_timing(dataset)
    _print_examples(dataset, accepted.head(arguments.examples))
    return 0


def _records(dataset: "Folder", names: Sequence[str]) -> "pd.DataFrame":
    """Return every record, of any reason, as it is counted.

    Columns: _REPEATED, as categories; _SINGLE; moves, how many; shard and row, where the record is.
    """
    from tqdm import tqdm

    from preprocessing.dataset.shards import read_shard

    columns = [*_REPEATED, *_SINGLE, "moves"]
    bar = tqdm(names, unit="shard", leave=False, disable=None)
    return _frame(_compact(read_shard(dataset, name, columns), name) for name in bar)


def _compact(table: Any, shard: str) -> Any:
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    columns = {name: table[name].dictionary_encode() for name in _REPEATED} | {name: table[name] for name in _SINGLE}
    columns["moves"] = pc.list_value_length(table["moves"])
    columns["shard"] = pa.repeat(shard, len(table)).dictionary_encode()
    columns["row"] = pa.array(np.arange(len(table), dtype=np.int32))
    return pa.table(columns)


def _frame(tables: Iterator[Any]) -> "pd.DataFrame":
    """Return Arrow tables as one frame, in which texts stay in Arrow's memory, a fraction of what pandas may need."""
    import pandas as pd
    import pyarrow as pa

    texts = {pa.string(): pd.ArrowDtype(pa.string())}
    return pa.concat_tables(tables).unify_dictionaries().to_pandas(types_mapper=texts.get)


def _rows(dataset: "Folder", records: "pd.DataFrame") -> Iterator[dict[str, Any]]:
    """Yield all columns of a few records."""
    from preprocessing.dataset.shards import read_shard

    for shard, row in zip(records["shard"], records["row"], strict=True):
        yield from read_shard(dataset, shard).slice(row, 1).to_pylist()


def _print_counts(dataset: "Folder", records: int, accepted: "pd.DataFrame", size: int) -> None:
    print(f"{dataset}: {records:,} records, {len(accepted):,} accepted ({_share(len(accepted), records)})")
    if len(accepted):
        moves = accepted["moves"]
        print(f"{size / len(accepted):.0f} bytes a game on disk; {moves.sum():,.0f} moves, {moves.mean():.0f} a game")
    if len(turned := accepted["branch"].dropna()):
        print(
            f"{len(turned):,} were turned from their records; targets hold from move {turned.mean():.0f} on, on average"
        )


def _print_reasons(dataset: "Folder", rejected: "pd.DataFrame") -> None:
    if rejected.empty:
        return
    print("\nrejected")
    counts = _counts(rejected["reason"], most=len(rejected))
    width = max(map(len, counts))
    examples = {row["reason"]: row for row in _rows(dataset, rejected.drop_duplicates("reason"))}
    for reason, number in counts.items():
        example = examples[reason]
        print(f"{number:8,}  {reason:{width}}  such as {example['source']}: {example['detail']}")


def _print_distributions(games: "pd.DataFrame") -> None:
    """Print how many games there are of each kind, for several properties."""
    off = (games["counted_score"] - games["recorded_score"]).abs().round()
    print()
    _print_row("split", _counts(games["split"]))
    _print_row("side", _counts(games["side"], "{:.0f}".format))
    _print_row("year", _counts(_parsed(games["date"], _year), "{:.0f}".format))
    _print_row("weaker player", _counts(_weaker(games), lambda rank: rank_name(int(rank))))
    _print_row("moves", _counts(games["moves"] // _BIN, lambda bin: f"{bin * _BIN:.0f}-{bin * _BIN + _BIN - 1:.0f}"))
    _print_row("margin", _counts(_margin_bins(games["recorded_score"]), str))
    _print_row("count off by", _counts(off, "{:.0f}".format))
    for column in ("ending", "scorer", "rules"):
        _print_row(column, _counts(games[column]))


def _counts(values: "pd.Series[Any]", name: Callable[[Any], str] | None = None, most: int = _MOST_VALUES) -> Counts:
    """Return how often each of the `most` frequent values occurs: texts by frequency, what has a `name` by value."""
    counts = values.value_counts()
    counts = counts[counts > 0]
    shown = counts.head(most)
    if name:
        shown = shown.sort_index()
    named = {name(value) if name else value or "unknown": number for value, number in shown.items()}
    rest = {"others": counts.iloc[most:].sum(), "unknown": values.isna().sum()}
    return named | {text: number for text, number in rest.items() if number}


def _print_row(title: str, counts: Counts) -> None:
    """Print values side by side, and under each its number and share."""
    total = sum(counts.values())
    cells = [(value, f"{number:,}", _share(number, total)) for value, number in counts.items()]
    widths = [max(map(len, cell)) for cell in cells]
    for head, line in zip((title, "", ""), zip(*cells, strict=True), strict=True):
        print(f"{head:13}  " + "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True)))


def _share(part: int, whole: int) -> str:
    return f"{part / max(whole, 1):.1%}"


def _parsed(texts: "pd.Series[Any]", parse: Callable[[str], int | None]) -> "pd.Series[Any]":
    """Return what `parse` makes of each category, float, NaN where it makes nothing."""
    import numpy as np
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


def _print_near_duplicates(dataset: "Folder", games: "pd.DataFrame") -> None:
    shared = games[games["opening"].duplicated(keep=False)]
    if shared.empty:
        return
    print(
        f"\nnear-duplicates: {len(shared):,} accepted games ({_share(len(shared), len(games))}) "
        f"begin with the same {OPENING_MOVES} moves as another one, seen from some side"
    )
    for opening, number in shared["opening"].value_counts().head(_MOST_GROUPS).items():
        rows = _rows(dataset, shared[shared["opening"] == opening].head(_MOST_SOURCES))
        print(f"{number:8,}  " + f"\n{'':10}".join(row["source"] for row in rows) + " ..." * (number > _MOST_SOURCES))


def _print_timing(dataset: "Folder") -> None:
    from preprocessing.dataset.shards import read_timing

    names = matching(dataset.names(), "timing-*.parquet")
    if not names:
        return
    timing = _frame(read_timing(dataset, name, ["scorer", "seconds"]) for name in names)
    table = timing.groupby("scorer")["seconds"].describe(percentiles=[0.5, 0.99])
    table = table[["count", "mean", "50%", "99%", "max"]].set_axis(["games", "mean", "median", "99%", "most"], axis=1)
    print("\nseconds a game")
    print(table.rename_axis(None).to_string(float_format="{:.2f}".format, formatters={"games": "{:,.0f}".format}))


def _print_examples(dataset: "Folder", games: "pd.DataFrame") -> None:
    for game in _rows(dataset, games):
        print(f"\n{game['source']}: {game['result']} by {game['rules'] or 'unknown'} rules, komi {game['komi']:g}")
        print(f"{len(game['moves'])} moves, counted {game['counted_score']:+g}; owner of each point:\n")
        print(_owner_diagram(game))


def _owner_diagram(game: dict[str, Any]) -> str:
    import numpy as np

    from goban.diagram import render

    return render(np.frombuffer(game["target"], dtype=np.int8).reshape(game["side"], game["side"]))
