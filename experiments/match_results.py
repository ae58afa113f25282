"""python -m experiments.match_results [FOLDER ...]

The matches behind docs/lab/play.md, "The two searches" and "Strength", as a table of Markdown. A FOLDER of a match, as
`ownership match` and `experiments.searches` leave it, is added to experiments/results/matches.csv first, in the place
of an earlier one between the same players under the same conditions.
"""

import csv
import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from benchmarks.command import exit_with
from benchmarks.duels import strength
from ownership.match.conditions import Conditions
from ownership.match.statistics import WinLoss
from ownership.match.storage import MatchFolder, counted
from ownership.match.summary import tally

_TABLE: Final = Path(__file__).with_name("results") / "matches.csv"
_KEY: Final = ("first", "second", "side", "komi", "rules", "opening", "referee")
_COLUMNS: Final = (*_KEY, "wins", "losses", "draws", "left_out", "seconds_first", "seconds_second")


def main() -> int:
    """Print the table."""
    parser = ArgumentParser(prog="python -m experiments.match_results", description=main.__doc__)
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="a match to add to the table")
    folders = parser.parse_args().folders
    rows = {_key(row): row for row in _read()}
    for folder in folders:
        row = _row(folder)
        rows[_key(row)] = row
    if folders:
        with _TABLE.open("w", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows.values())
    print("| board | player | opponent | games | won | Elo | seconds a move |\n|---|---|---|---|---|---|---|")
    for row in rows.values():
        record = WinLoss(*(int(row[name]) for name in ("wins", "losses", "draws")))
        board, seconds = f"{row['side']}x{row['side']}", f"{row['seconds_first']} and {row['seconds_second']}"
        print(f"| {board} | `{row['first']}` | `{row['second']}` | {strength(record)} | {seconds} |")
    return 0


def _read() -> Iterator[dict[str, str]]:
    if _TABLE.exists():
        with _TABLE.open(newline="") as file:
            yield from csv.DictReader(file)


def _key(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in _KEY)


def _row(folder: Path) -> dict[str, str]:
    """Return the row of a match: its conditions, the first player's record, and seconds a move of both."""
    settings = json.loads((folder / "match.json").read_text())
    first, second = settings["players"]
    names = [each for each in settings if each not in ("players", "referee")]
    conditions = Conditions(**{name: settings[name] for name in names})
    results = MatchFolder(folder, [first, second], conditions, settings["referee"]).results()
    games = counted(results)[0]
    record = tally(games, 0)
    seconds = []
    for player in (0, 1):
        own = [(each, 0 if each.pairing.black == player else 1) for each in games]
        moves = sum(each.thought[colour] for each, colour in own)
        seconds.append(f"{sum(each.seconds[colour] for each, colour in own) / max(1, moves):.2f}")
    counts = (record.wins, record.losses, record.draws, len(results) - record.games)
    values = (first, second, *(settings[name] for name in _KEY[2:]), *counts, *seconds)
    return dict(zip(_COLUMNS, map(str, values), strict=True))


if __name__ == "__main__":
    exit_with(main)
