"""python -m experiments.soft_from_archives LABELS GAMES -o SOFT --teacher NAME [--komi SIDE=KOMI...]

Make a soft dataset of labels that name their positions by archive, game and ply: a Parquet file LABELS with the
columns source (an archive in the folder GAMES), game (its number among all records of the archive, from 0), side, ply,
extra (further moves: a point for Black, -1 - point for White), ownership, score_lead, winrate, moves and probabilities.
Games of the splits validation and test are left out. docs/lab/models.md has the command, docs/datasets.md the format.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.command import exit_with
from ownership.commands.progress import progress_bar
from preprocessing.dataset.rows import Row, encode, split_of
from preprocessing.dataset.schema import SOFT
from preprocessing.dataset.shards import write_shard
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord, read_games
from preprocessing.storage import Folder

_RULES = "chinese"
_KOMI = 7.5


def main() -> int:
    """Write one file an archive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", type=Path)
    parser.add_argument("games", type=Path)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--teacher", required=True)
    parser.add_argument("--komi", nargs="*", default=["9=7"], help="of some board sides (default: 9=7, others 7.5)")
    arguments = parser.parse_args()
    komi = {int(side): float(points) for side, points in (each.split("=") for each in arguments.komi)}
    counts = Counter[str]()
    for number, (archive, labels) in enumerate(progress_bar(_by_archive(arguments.labels), unit="file", total=None)):
        rows = list(_rows(arguments.games / archive, labels, arguments.teacher, komi, counts))
        write_shard(Folder(arguments.output), number, rows, SOFT)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()))
    return 0


def _by_archive(path: Path) -> Iterator[tuple[str, list[Row]]]:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    for archive in sorted(set(table["source"].to_pylist())):
        yield archive, table.filter(pc.equal(table["source"].cast("string"), archive)).to_pylist()


def _rows(
    archive: Path, labels: list[Row], teacher: str, komi: dict[int, float], counts: Counter[str]
) -> Iterator[Row]:
    wanted: dict[int, list[Row]] = {}
    for label in labels:
        wanted.setdefault(label["game"], []).append(label)
    for number, record in enumerate(read_games([archive])):
        for label in wanted.get(number, ()):
            if isinstance(record, BadRecord) or record.side != label["side"] or label["ply"] > len(record.moves):
                counts["of other records"] += 1
            elif split_of(record.opening) != "train":
                counts["of other splits"] += 1
            else:
                counts["positions"] += 1
                asked = {"rules": _RULES, "komi": komi.get(record.side, _KOMI), "teacher": teacher}
                yield _row(record, label, f"{archive.name}#{number}") | asked


def _row(record: GameRecord, label: Row, source: str) -> Row:
    ply, extra = label["ply"], np.array(label["extra"], np.int16)
    further = np.where(extra < 0, -1 - extra, extra), np.where(extra < 0, -1, 1)
    points = np.concatenate([record.moves[:ply], further[0]])
    colours = np.concatenate([record.colours[:ply], further[1]])
    setup = np.flatnonzero(record.setup)
    policy: dict[str, Any] = {"policy_moves": label["moves"] or None, "policy": label["probabilities"] or None}
    return {
        "source": f"{source} after {ply} moves and {len(extra)} others",
        "side": record.side,
        "setup": encode(setup, record.setup[setup]),
        "moves": encode(points, colours),
        "to_move": -int(colours[-1]) if len(colours) else record.to_move,
        "ownership": label["ownership"],
        "lead": label["score_lead"],
        "win_rate": label["winrate"],
        **policy,
    }


if __name__ == "__main__":
    exit_with(main)
