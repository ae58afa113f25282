"""python -m experiments.final_scores RECORDS... [--beside DATASET] [--limit N] [--model NAME|DIR]

How often the score of a finished game is the recorded one, and how many counts are confirmed or safe. This is behind
docs/measured.md, "Scoring". Safe counts that are off are listed.

DATASET holds GNU Go's scores of the same records: `ownership prepare RECORDS... --scorer gnugo -o DATASET`. GNU Go
counts area there, so its score may differ by a point from a record under territory rules without being wrong. Records
without a row in DATASET are left out.
"""

import time
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from game_datasets.shards import read_shard, shard_names
from game_records.game_record import GameRecord
from game_records.record_sources import read_games
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_processes import score_list
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from runtime.folders import Folder

_WIDTH = 36

Errors = NDArray[np.float64]


def main() -> int:
    """Print a table: the model, by what it says about its count, and with --beside GNU Go."""
    parser = parser_of("experiments.final_scores", __doc__)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--beside", metavar="DATASET", help="GNU Go's scores of the same records")
    parser.add_argument("--limit", type=int, metavar="N", help="counted games of each file or folder (all)")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args()
    theirs = _gnugo(Folder(arguments.beside)) if arguments.beside else None
    evaluator = Evaluator.load(arguments.model, cached=0)
    list(islice(score_games(read_games(arguments.records), evaluator, ScoreOptions()), 1))  # compiled, loaded
    games, started = counted_games(arguments.records, arguments.limit, theirs), time.perf_counter()
    scored = [each for each in score_list(games, evaluator, ScoreOptions()) if isinstance(each, ScoredGame)]
    speed = len(scored) / (time.perf_counter() - started)
    errors = np.array([each.estimate.score - (each.game.result.score or 0) for each in scored])
    states = np.array([each.estimate.state for each in scored])
    safe_alone = np.array([each.estimate.finished and not each.estimate.reasons for each in scored])
    print(f"{len(scored)} games, {speed:.1f} a second\n{'':{_WIDTH}}    games    share    exact  within 1  within 2")
    if theirs:
        _print("GNU Go 3.8", np.array([theirs[each.game.id] for each in scored]), len(scored))
    _print(evaluator.name, errors, len(scored))
    finished = states != "open"
    _print("  of these, finished", errors[finished], len(scored))
    for state in Counter(states[finished].tolist()):
        _print(f"    of these, {state}", errors[states == state], int(finished.sum()))
    _print("    of these, without a doubt", errors[safe_alone], int(finished.sum()))
    off = (states == "safe") & (abs(errors) > 1)
    for each in np.array(scored, object)[off]:
        print(f"safe and off: {each.estimate.result}, recorded {each.game.result.text}: {each.game.source}")
    return 0


def _gnugo(dataset: Folder) -> dict[str, float]:
    """Return by game GNU Go's score less the recorded one, infinity for none."""
    found: dict[str, float] = {}
    for name in shard_names(dataset):
        for row in read_shard(dataset, name, ["id", "reason", "recorded_score", "counted_score"]).to_pylist():
            if row["reason"] in ("", "score differs") or row["reason"].startswith("gnugo"):
                found[row["id"]] = _error(row)
    return found


def _error(row: dict[str, Any]) -> float:
    counted = row["counted_score"]
    return np.inf if counted is None else float(counted - row["recorded_score"])


def counted_games(
    places: Sequence[str], limit: int | None = None, chosen: Container[str] | None = None
) -> Iterator[GameRecord]:
    """Yield the counted games of each file or folder up to the limit, of these the chosen ids, each once."""
    found = set[str]()
    for place in places:
        games = (game for game in read_games([place]) if isinstance(game, GameRecord) and game.shows_count)
        for game in islice(games, limit):
            if game.id not in found and (chosen is None or game.id in chosen):
                found.add(game.id)
                yield game


def _print(name: str, errors: Errors, among: int) -> None:
    """Print how many games these are, and how often their score is the recorded one."""
    within = [float((abs(errors) <= points).mean()) if len(errors) else 0.0 for points in (0, 1, 2)]
    shares = "".join(f"{part:>{width}.2%}" for part, width in zip(within, (9, 10, 10), strict=True))
    print(f"{name:{_WIDTH}}{len(errors):9}{len(errors) / among:9.2%}{shares}", flush=True)


if __name__ == "__main__":
    exit_with(main)
