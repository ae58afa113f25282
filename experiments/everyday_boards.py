"""python -m experiments.everyday_boards GAMES... --network MODEL --judged FOLDER -o DATASET [--seed 0]

Make a dataset of boards on which two judges agree: the last position of each game, and a late one. GAMES are records,
or folders that `ownership selfplay` made. GNU Go plays each position to its end; a strong network, such as one of
KataGo's, predicts who will own each point if Black is to move and if White is. A point has an owner if both name the
same one and the network is sure of it with either side to move. From 13x13 on GNU Go plays at level 1, which takes a
quarter of the time. docs/lab/everyday-boards.md describes the set that this made.

FOLDER keeps the judgements, a part at a time: the same command resumes, and another one does not judge the same games
again.
"""

import argparse
import hashlib
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with
from goban.coords import BLACK, WHITE
from goban.position import Position
from goban.regions import owners
from goban.rulesets import RULESETS, Terms
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.plan import UNFINISHED
from ownership.teaching.run import TaughtGames
from preprocessing.dataset.pipeline import claim
from preprocessing.dataset.rows import Row, accepted_row, rejected_row
from preprocessing.dataset.shards import read_parquet, write_parquet, write_shard
from preprocessing.labels.gnugo import DEFAULT_LEVEL, GnuGo, GnuGoError
from preprocessing.labels.labeller import Label
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord, read_games
from preprocessing.storage import Folder

_PART: Final = 32  # positions
_LATE: Final = (0.7, 0.95)  # of a game's moves
_SURE: Final = 0.6  # |ownership| at least, with either side to move
_SETTLED: Final = 0.9  # of the stones of a board have an owner
_SCALE: Final = 127
_LARGE, _QUICK_LEVEL = 13, 1  # the board side from which GNU Go plays at this level
_COLUMNS: Final = ("gnugo", "if_black", "if_white")
_KIND: Final = "judgements as this experiment writes them"

Owners = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Judged:
    """A position and what the judges say, all int8 (N, N).

    Attributes:
        record: the game up to the position.
        gnugo: the owners at the end of GNU Go's play; None where it did not finish.
        network: expected owners, 127 for surely Black's, if Black is to move and if White is.
    """

    record: GameRecord
    gnugo: Owners | None
    network: tuple[Owners, Owners]

    @property
    def sure(self) -> Owners:
        """The owners of which the network is sure with either side to move, 0 for the other points."""
        black, white = self.network
        least = _SCALE * _SURE
        both: Owners = ((black >= least) & (white >= least)).astype(np.int8)
        return both - ((black <= -least) & (white <= -least))

    @property
    def agreed(self) -> Owners:
        """The owners that the judges agree on, 0 for the other points."""
        return np.zeros_like(self.sure) if self.gnugo is None else np.where(self.sure == self.gnugo, self.sure, 0)

    @property
    def contradicted(self) -> bool:
        """Whether GNU Go gives a stone to the side that the network is sure will not own it."""
        stones = self.record.position().stones != 0
        return self.gnugo is not None and bool((self.sure * self.gnugo < 0)[stones].any())

    @property
    def settled(self) -> float:
        """The share of the stones that have an owner, 0..1."""
        stones = self.record.position().stones != 0
        return float((self.agreed != 0)[stones].mean()) if stones.any() else 0.0

    def row(self, scorer: str) -> Row:
        """Return the dataset row: its only position is the last one."""
        own = {"branch": len(self.record.moves), "split": "test"}
        if self.settled < _SETTLED or self.gnugo is None:
            return rejected_row(self.record, "in doubt", f"judges agree on {self.settled:.0%} of the stones") | own
        score = float(self.gnugo.sum()) - self.record.komi
        return accepted_row(self.record, Label(self.agreed, score, scorer)) | own


def main() -> int:
    """Judge what is not yet judged, write the dataset and print how far the judges agree."""
    parser = argparse.ArgumentParser(prog="python -m experiments.everyday_boards", description=main.__doc__)
    parser.add_argument("games", nargs="+", metavar="GAMES")
    parser.add_argument("--network", required=True, metavar="MODEL")
    parser.add_argument("--judged", required=True, metavar="FOLDER")
    parser.add_argument("-o", "--output", required=True, metavar="DATASET")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.network, cached=0)
    parts = [part for place in arguments.games for part in _parts(place, arguments.seed)]
    judged: list[Judged] = []
    for part in progress_bar(parts, unit="part", total=len(parts)):
        judged += _judged(part, Folder(arguments.judged), evaluator)
    output = Folder(arguments.output)
    options = {"everyday": {"positions": len(judged), "network": evaluator.name, "seed": arguments.seed}}
    with claim(output, options):
        write_shard(output, 0, [each.row(_judges(each.record, evaluator)) for each in judged])
    _report(judged)
    return 0


def _parts(place: str, seed: int) -> Iterator[list[GameRecord]]:
    """Yield the positions of a file or folder, some at a time."""
    records = [position for game, first in games_of(place) for position in _chosen(game, first, seed)]
    for start in range(0, len(records), _PART):
        yield records[start : start + _PART]


def games_of(place: str) -> Iterator[tuple[GameRecord, int]]:
    """Yield games and the first ply of each that is its own."""
    if os.path.isdir(place) and any(name.startswith("shard-") for name in os.listdir(place)):
        made = TaughtGames(place)
        yield from ((made[number], made.first_ply(number)) for number in range(len(made)))
    else:
        yield from ((game, 0) for game in read_games([place]) if not isinstance(game, BadRecord))


def _chosen(record: GameRecord, first: int, seed: int) -> list[GameRecord]:
    """Return a game as it was at a late ply and at its end, the same for the same arguments."""
    chance, moves = np.random.default_rng((seed, int(record.id, 16))), len(record.moves)
    late = max(first, int(moves * chance.uniform(*_LATE)))
    return [until(record, ply) for ply in sorted({late, moves}) if ply]


def until(record: GameRecord, ply: int) -> GameRecord:
    """Return a game as it was after so many moves."""
    source = f"{record.source} after {ply} of {len(record.moves)} moves"
    cut = replace(record, source=source, moves=record.moves[:ply], colours=record.colours[:ply])
    return replace(cut, result=UNFINISHED)


def _gnugo(record: GameRecord) -> GnuGo:
    return GnuGo(level=DEFAULT_LEVEL if record.side < _LARGE else _QUICK_LEVEL)


def _judges(record: GameRecord, evaluator: Evaluator) -> str:
    return f"{_gnugo(record).version()} and {evaluator.name}"


def _judged(records: Sequence[GameRecord], folder: Folder, evaluator: Evaluator) -> list[Judged]:
    """Return the records with what the judges say, which the folder keeps."""
    judges = sorted({_judges(record, evaluator) for record in records})
    asked = "\n".join([*judges, *(record.id for record in records)])
    name = f"judged-{hashlib.blake2b(asked.encode(), digest_size=8).hexdigest()}.parquet"
    if name in folder.names():
        rows = read_parquet(folder, name, _COLUMNS, _KIND).to_pylist()
        return [_of_row(record, row) for record, row in zip(records, rows, strict=True)]
    found = _judge(records, evaluator)
    write_parquet(folder, name, _as_table(found), {"compression": "zstd"})
    return found


def _judge(records: Sequence[GameRecord], evaluator: Evaluator) -> list[Judged]:
    def finish(record: GameRecord) -> Owners | None:
        try:
            stones = _gnugo(record).finish(record)
        except GnuGoError:
            return None
        return owners(stones, np.zeros(stones.shape, np.bool_))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        finished = list(pool.map(finish, records))
    found: dict[int, Judged] = {}
    for side in sorted({record.side for record in records}):
        chosen = [number for number, record in enumerate(records) if record.side == side]
        for number, labels in zip(chosen, labels_of([records[each] for each in chosen], evaluator), strict=True):
            found[number] = Judged(records[number], finished[number], labels)
    return [found[number] for number in range(len(records))]


def labels_of(records: Sequence[GameRecord], evaluator: Evaluator) -> Iterator[tuple[Owners, Owners]]:
    """Yield for each record, all of one board side, the expected owners at its end if Black, and if White, is to move.

    Moves before it are not shown.
    """
    terms = [Terms(RULESETS["area"], record.komi) for record in records]
    by_colour = []
    for colour in (BLACK, WHITE):
        positions = [Position.from_stones(record.position().stones, colour) for record in records]
        by_colour.append(np.rint(_SCALE * evaluator.ownership(positions, 1, terms)).astype(np.int8))
    yield from zip(*by_colour, strict=True)


def _as_table(judged: Sequence[Judged]) -> Any:
    import pyarrow as pa

    rows = []
    for each in judged:
        black, white = each.network
        finished = None if each.gnugo is None else each.gnugo.tobytes()
        rows.append({"gnugo": finished, "if_black": black.tobytes(), "if_white": white.tobytes()})
    return pa.Table.from_pylist(rows)


def _of_row(record: GameRecord, row: Row) -> Judged:
    def board(data: bytes) -> Owners:
        return np.frombuffer(data, np.int8).reshape(record.side, record.side)

    finished = None if row["gnugo"] is None else board(row["gnugo"])
    return Judged(record, finished, (board(row["if_black"]), board(row["if_white"])))


def _report(judged: Sequence[Judged]) -> None:
    print("board   positions  finished by GNU Go  kept  every stone agreed  a stone contradicted")
    for side in sorted({each.record.side for each in judged}):
        chosen = [each for each in judged if each.record.side == side]
        finished = sum(each.gnugo is not None for each in chosen)
        kept, whole = sum(each.settled >= _SETTLED for each in chosen), sum(each.settled == 1 for each in chosen)
        against = sum(each.contradicted for each in chosen)
        print(f"{f'{side}x{side}':7} {len(chosen):9} {finished:19} {kept:5} {whole:20} {against:21}")


if __name__ == "__main__":
    exit_with(main)
