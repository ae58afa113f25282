"""python -m experiments.benchmark_games GAMES... --network MODEL --judged FOLDER -o BENCHMARK

Makes the games of the benchmark (docs/benchmark.md) from folders of `ownership selfplay` and `ownership match`. Two
judges look at each final board: GNU Go plays it to the end, and a network predicts the owners with either side to move.
`agreed/` has the owners on which they agree, `contested/` those of GNU Go where the network does not surely agree.
FOLDER keeps their answers.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from experiments.benchmark_metadata import write_metadata
from game_datasets.manifest import claim
from game_datasets.rows import RECORD_COLUMNS, Label, Row, accepted_row, record_of
from game_datasets.shards import read_shard, shard_names, write_shard
from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.record_sources import read_games
from goban.coords import BLACK, WHITE, pass_point
from goban.position import Position
from goban.regions import owners
from goban.rulesets import RULESETS, Terms
from ownership.commands.shared.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.inference.learned_games import learned_openings
from ownership.inference.model_catalogue import bundled_models, find_model
from ownership.selfplay.game_plans import UNFINISHED
from preprocessing.gnugo import GnuGo, GnuGoError
from runtime.folders import Folder

_SURE: Final = 0.6  # |ownership| at least, with either side to move
_MOST_CONTESTED: Final = 0.25  # of the points of a board
_LEAST_MOVES: Final = 0.25  # for each point
_LARGE: Final = 13  # the board side from which GNU Go plays at level 1, not 10

Owners = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Judged:
    """A game and what the judges say about its final board, int8 (N, N).

    Attributes:
        record: the game.
        gnugo: the owners at the end of GNU Go's play.
        network: the owners of which the network is sure with either side to move, 0 for other points.
    """

    record: GameRecord
    gnugo: Owners
    network: Owners

    @property
    def agreed(self) -> Owners:
        """The owners that both judges name, 0 for other points."""
        return np.where(self.gnugo == self.network, self.gnugo, 0)

    @property
    def contested(self) -> Owners:
        """GNU Go's owners where the network does not surely name the same, 0 for other points."""
        return np.where(self.gnugo == self.network, 0, self.gnugo)

    def row(self, target: Owners, network: str) -> Row:
        """Return the dataset row: the target holds from the first move on, and no move is to be learned."""
        score = float(self.gnugo.sum()) - self.record.komi
        judges = f"{_gnugo(self.record.side).version()} and {network}"
        return accepted_row(self.record, Label(target, score, judges)) | {"branch": 0, "split": "test"}


def main() -> int:
    """Judge the games that ended, write the folders and the files that describe them, and print what was left out."""
    parser = parser_of("experiments.benchmark_games", __doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--network", required=True, metavar="MODEL")
    parser.add_argument("--judged", required=True, type=Path, metavar="FOLDER")
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="BENCHMARK")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.network, cached=0)
    records = _distinct(record for place in arguments.games for record in _games(Path(place)))
    whole = [record for record in records if _is_whole(record)]
    unseen = _not_learned(whole)
    judged = _judged(unseen, evaluator, arguments.judged)
    kept = [each for each in judged if np.count_nonzero(each.contested) <= _MOST_CONTESTED * each.gnugo.size]
    _write(kept, evaluator.name, arguments.output)
    write_metadata(arguments.output)
    print(f"{len(records)} games, {len(whole)} whole, {len(unseen)} not learned, {len(judged)} played to the end by")
    print(f"GNU Go, {len(kept)} with at most {_MOST_CONTESTED:.0%} of the points contested")
    _report(kept)
    return 0


def _games(place: Path) -> Iterator[GameRecord]:
    """Yield the games of a dataset or of a folder of records, named by their place below its parent."""
    if any(place.glob("shard-*.parquet")):
        folder = Folder(place)
        for name in shard_names(folder):
            for row in read_shard(folder, name, RECORD_COLUMNS).to_pylist():
                yield replace(record_of(row), source=f"{place.name}: {row['source']}", result=UNFINISHED)
        return
    for game in read_games([str(place)]):
        if not isinstance(game, BadRecord):
            source = str(Path(game.source).relative_to(place)).replace("/games/", "/")
            yield replace(game, source=source, result=UNFINISHED, comments={}, black="", white="", date="")


def _distinct(records: Iterator[GameRecord]) -> list[GameRecord]:
    return list({record.id: record for record in records}.values())


def _is_whole(record: GameRecord) -> bool:
    """Return whether both players passed at the end of a game of some length."""
    passing = pass_point(record.side)
    ended = record.move_points[-2:].tolist() == [passing, passing]
    return ended and record.moves_before_passes >= _LEAST_MOVES * record.side**2


def _not_learned(records: Sequence[GameRecord]) -> list[GameRecord]:
    """Return the games whose openings occur in the training games of no bundled model."""
    learned = np.concatenate([learned_openings(find_model(name)) for name in bundled_models()])
    known = set(learned.tolist())
    return [record for record in records if int(record.opening, 16) not in known]


def _judged(records: Sequence[GameRecord], evaluator: Evaluator, kept: Path) -> list[Judged]:
    kept.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(2) as pool:
        ends = pool.map(lambda each: _finished(each, kept), records)
        finished = list(progress_bar(ends, unit="game", total=len(records)))
    pairs = [(record, end) for record, end in zip(records, finished, strict=True) if end is not None]
    sure = [_sure(record, evaluator, kept) for record, _ in progress_bar(pairs, unit="game", total=len(pairs))]
    return [Judged(record, end, owner) for (record, end), owner in zip(pairs, sure, strict=True)]


def _finished(record: GameRecord, kept: Path) -> Owners | None:
    """Return the owners at the end of GNU Go's play, None where it did not finish; a file keeps them."""
    path = kept / f"{record.id}.npy"
    if not path.exists():
        try:
            stones = _gnugo(record.side).finish(record)
        except GnuGoError:
            return None
        np.save(path, owners(stones, np.zeros(stones.shape, np.bool_)))
    end: Owners = np.load(path)
    return end


def _gnugo(side: int) -> GnuGo:
    return GnuGo(level=1) if side >= _LARGE else GnuGo()


def _sure(record: GameRecord, evaluator: Evaluator, kept: Path) -> Owners:
    """Return the owners of which the network is sure on a final board without the moves before; a file keeps them."""
    path = kept / f"{record.id}-{evaluator.name}.npy"
    if not path.exists():
        boards = [Position.from_stones(record.position().stones, colour) for colour in (BLACK, WHITE)]
        predicted = evaluator.ownership(boards, 1, Terms(RULESETS["area"], record.komi))
        np.save(path, (predicted >= _SURE).all(axis=0).astype(np.int8) - (predicted <= -_SURE).all(axis=0))
    sure: Owners = np.load(path)
    return sure


def _write(judged: Sequence[Judged], network: str, output: Path) -> None:
    rows = sorted(judged, key=lambda each: (each.record.side, each.record.source))
    contested = [each for each in rows if each.contested.any()]
    options = {"benchmark": {"network": network, "sure": _SURE}}
    for name, written in (
        ("agreed", [each.row(each.agreed, network) for each in rows]),
        ("contested", [each.row(each.contested, network) for each in contested]),
    ):
        with claim(Folder(output / name), options):
            write_shard(Folder(output / name), 0, written)


def _report(judged: Sequence[Judged]) -> None:
    print("board   games  without contested points  points: agreed  contested  contradicted  neutral")
    for side in sorted({each.record.side for each in judged}):
        chosen = [each for each in judged if each.record.side == side]
        clear = sum(not each.contested.any() for each in chosen)
        shares = [
            np.mean([(each.agreed != 0).mean() for each in chosen]),
            np.mean([(each.contested != 0).mean() for each in chosen]),
            np.mean([(each.gnugo * each.network < 0).mean() for each in chosen]),
            np.mean([(each.gnugo == 0).mean() for each in chosen]),
        ]
        print(f"{f'{side}x{side}':7} {len(chosen):5}  {clear:24}  " + "  ".join(f"{share:11.2%}" for share in shares))


if __name__ == "__main__":
    exit_with(main)
