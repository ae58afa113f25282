"""`ownership inspect`: what is in a dataset."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

HELP = "show what is in a dataset"

_COLUMNS = ["result", "counted_score", "plies", "komi", "rules", "split", "source"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Describe the command line."""
    parser.add_argument("dataset", type=Path, help="folder made by `ownership prepare`")
    parser.add_argument("--examples", type=int, default=3, metavar="N", help="games to show (default %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Print counts, reasons for rejection, and a few games with the owner of each point."""
    from preprocessing.dataset import shard_paths

    if arguments.examples < 0:
        raise InputError(f"--examples must be 0 or more. Received: {arguments.examples}")
    paths = shard_paths(arguments.dataset)
    games = _read(paths)
    accepted = games[games["reason"] == ""]
    _print_counts(arguments.dataset, games, accepted, sum(path.stat().st_size for path in paths))
    _print_reasons(games)
    _print_examples(accepted.head(arguments.examples))
    return 0


def _read(paths: list[Path]) -> "pd.DataFrame":
    import pandas as pd

    from preprocessing.dataset import read_shard

    return pd.concat([read_shard(path).to_pandas() for path in paths], ignore_index=True)


def _print_counts(dataset: Path, games: "pd.DataFrame", accepted: "pd.DataFrame", size: int) -> None:
    share = len(accepted) / max(len(games), 1)
    print(f"{dataset}: {len(games)} records, {len(accepted)} accepted ({share:.1%})")
    if accepted.empty:
        return
    print(f"{size / len(accepted):.0f} bytes a game on disk, {accepted['moves'].str.len().sum()} moves")
    print(f"scored in {accepted['seconds'].mean():.2f} s a game on average, {accepted['seconds'].max():.0f} s at most")
    for column in ("split", "side", "rules", "scorer"):
        counts = accepted[column].value_counts()
        print(f"{column}: " + ", ".join(f"{value or 'unknown'} {number}" for value, number in counts.items()))
    difference = (accepted["counted_score"] - accepted["recorded_score"]).abs().round()
    counts = difference.value_counts(normalize=True).sort_index()
    print("points from the record: " + ", ".join(f"{points:.0f} in {part:.1%}" for points, part in counts.items()))


def _print_reasons(games: "pd.DataFrame") -> None:
    rejected = games[games["reason"] != ""]
    if rejected.empty:
        return
    print("\nrejected")
    for reason, rows in rejected.groupby("reason", sort=False):
        example = rows.iloc[0]
        print(f"{len(rows):8} {reason:16} such as {example['source']}: {example['detail']}")


def _print_examples(games: "pd.DataFrame") -> None:
    if games.empty:
        return
    table = games.assign(plies=games["moves"].str.len()).set_index("id")[_COLUMNS]
    print("\n" + table.to_string(max_colwidth=60))
    for _, game in games.iterrows():
        print(f"\n{game['id']} {game['source']}: owner of each point, {game['result']} recorded\n")
        print(_owner_diagram(game))


def _owner_diagram(game: Any) -> str:
    import numpy as np

    from goban.diagram import render

    return render(np.frombuffer(game["target"], dtype=np.int8).reshape(game["side"], game["side"]))
