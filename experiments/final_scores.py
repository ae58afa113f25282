"""python -m experiments.final_scores RECORDS... [--beside DATASET] [--limit N] [--model NAME|DIR] [--gnugo]

How often the score of a finished game is the recorded one. This is behind docs/measured.md, "Scoring". Safe games that
are more than 10 points off are listed.

DATASET holds GNU Go's scores of the same records and the time that they took:
`ownership prepare RECORDS... --scorer gnugo -o DATASET`. GNU Go counts area there, so its score may differ by a point
from a record under territory rules without being wrong. Records without a row in DATASET are left out. With `--gnugo`
GNU Go also decides, in this run, the games that the model cannot safely count. `--misses` draws the first 30 games in
which the model is more than a point off. The columns `within` compare with the record; the column after them is the
share of games that are within a point of the record or of the other program's score.
"""

import time
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from game_datasets.shards import read_shard, read_timing, shard_names
from game_records.game_record import GameRecord
from game_records.record_sources import read_games
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_processes import score_list
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from preprocessing.gnugo import GnuGo
from runtime.folders import Folder

_DRAWN = 30
_FAR = 10  # points
_WIDTH = 48
_CERTAIN = (0.05, 0.1, 0.2, 0.5)  # of the games, those that the model is surest about

Errors = NDArray[np.float64]


def main() -> int:
    """Print a table: the model and the games that it calls safe, with --beside GNU Go and both together."""
    parser = parser_of("experiments.final_scores", __doc__)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--beside", metavar="DATASET", help="GNU Go's scores of the same records")
    parser.add_argument("--limit", type=int, metavar="N", help="counted games of each file or folder (all)")
    parser.add_argument("--model", metavar="NAME|DIR")
    parser.add_argument("--gnugo", action="store_true", help="let GNU Go decide where the model is in doubt")
    parser.add_argument("--misses", type=Path, metavar="FOLDER", help="draw what the model misses")
    arguments = parser.parse_args()
    theirs, seconds = _gnugo(Folder(arguments.beside)) if arguments.beside else (None, np.inf)
    evaluator = Evaluator.load(arguments.model, cached=0)
    list(islice(score_games(read_games(arguments.records), evaluator, ScoreOptions()), 1))  # compiled, loaded
    scored, speed = _scored(counted_games(arguments.records, arguments.limit, theirs), evaluator, ScoreOptions())
    print(f"{len(scored)} games\n{'':{_WIDTH}}    share    exact  within 1  within 2  or of the other  games/s")
    errors = _errors(scored)
    safe = np.array([answer.estimate.safe for answer in scored])
    gnugo = np.array([theirs[answer.game.id] for answer in scored]) if theirs else np.full(len(scored), np.inf)
    if theirs:
        _print("GNU Go 3.8, one process", gnugo, errors, 1.0, 1 / seconds)
    _print(f"{evaluator.name}, on all processors", errors, gnugo, 1.0, speed)
    _print("  of these, not safe", errors[~safe], gnugo[~safe], float((~safe).mean()))
    _print("  of these, called safe", errors[safe], gnugo[safe], float(safe.mean()))
    if theirs:
        _print_confirmed(errors, gnugo, safe)
    order = np.argsort([_doubt(answer) for answer in scored], kind="stable")
    for share in _CERTAIN:
        chosen = order[: round(share * len(order))]
        _print("  of these, whose least certain stone is surest", errors[chosen], gnugo[chosen], share)
    if arguments.gnugo:
        together, speed = _scored(
            counted_games(arguments.records, arguments.limit, theirs), evaluator, ScoreOptions(referee=GnuGo())
        )
        _print(f"{evaluator.name}, and GNU Go where it is not safe", _errors(together), gnugo, 1.0, speed)
    far = [answer for answer, error in zip(scored, errors, strict=True) if answer.estimate.safe and abs(error) > _FAR]
    print(f"{len(far)} safe games more than {_FAR} points off")
    for answer in far:
        print(f"  {answer.estimate.result:>8}, recorded {answer.game.result.text:>8}: {answer.game.source}")
    if arguments.misses:
        missed = [answer for answer, error in zip(scored, errors, strict=True) if abs(error) > 1]
        _draw(missed[:_DRAWN], arguments.misses)
    return 0


def _print_confirmed(errors: Errors, gnugo: Errors, safe: NDArray[np.bool_]) -> None:
    """Print the rows of the safe games that GNU Go, or GNU Go or the record, confirms within a point."""
    agreed = safe & (abs(gnugo - errors) <= 1)
    confirmed = safe & (np.minimum(abs(gnugo), abs(errors)) <= 1)
    for name, chosen in (
        ("    and GNU Go is within a point of it", agreed),
        ("    and either is within a point of the record", confirmed),
    ):
        _print(name, errors[chosen], gnugo[chosen], float(chosen.mean()))


def _gnugo(dataset: Folder) -> tuple[dict[str, float], float]:
    """Return by game GNU Go's score less the recorded one, infinity for none, and its seconds a game."""
    found: dict[str, float] = {}
    seconds: list[float] = []
    for name in shard_names(dataset):
        for row in read_shard(dataset, name, ["id", "reason", "recorded_score", "counted_score"]).to_pylist():
            if row["reason"] in ("", "score differs") or row["reason"].startswith("gnugo"):
                found[row["id"]] = _error(row)
        seconds += read_timing(dataset, name.replace("shard", "timing"), ["seconds"])["seconds"].to_pylist()
    return found, float(np.mean(seconds))


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


def _scored(games: Iterable[GameRecord], evaluator: Evaluator, options: ScoreOptions) -> tuple[list[ScoredGame], float]:
    """Return the scored games, and how many that is a second, reading included."""
    started = time.perf_counter()
    answers = [answer for answer in score_list(games, evaluator, options) if isinstance(answer, ScoredGame)]
    return answers, len(answers) / (time.perf_counter() - started)


def _doubt(answer: ScoredGame) -> float:
    """Return 1 - |ownership| of the stone with the least certain owner, in 0..1."""
    return float(1 - abs(answer.estimate.ownership[answer.position.stones != 0]).min(initial=1))


def _errors(scored: list[ScoredGame]) -> Errors:
    return np.array([answer.estimate.score - (answer.game.result.score or 0) for answer in scored])


def _print(name: str, errors: Errors, others: Errors, share: float, speed: float | None = None) -> None:
    """Print how often a score is the recorded one, and how often that or the other program's is within a point.

    Prints no row if there are no games.
    """
    if not len(errors):
        return
    within = [float((abs(errors) <= points).mean()) for points in (0, 1, 2)]
    either = float((np.minimum(abs(errors), abs(errors - others)) <= 1).mean())
    figures = zip((share, *within, either), (9, 9, 10, 10, 17), strict=True)
    shown = "".join(f"{part:>{width}.2%}" for part, width in figures)
    print(f"{name:{_WIDTH}}{shown}{'' if speed is None else f'{speed:9.2f}'}", flush=True)


def _draw(misses: list[ScoredGame], folder: Path) -> None:
    from viz.board import draw_territory
    from viz.figure import new_axes, save

    folder.mkdir(parents=True, exist_ok=True)
    for number, answer in enumerate(misses):
        axes = new_axes()
        draw_territory(answer.position.stones, answer.estimate.owner, dead=answer.estimate.dead, ax=axes)
        axes.set_title(f"{answer.game.name}: counted {answer.estimate.result}, recorded {answer.game.result.text}")
        save(axes, str(folder / f"{number:02}.png"))


if __name__ == "__main__":
    exit_with(main)
