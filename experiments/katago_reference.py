"""python -m experiments.katago_reference RECORDS ANSWERS MODEL [--games N]

A model of a network of KataGo beside answers that KataGo gave elsewhere with the same network, each in a random
symmetry of the board. This is behind the paragraph on recorded answers in docs/lab/katago.md.

ANSWERS is a Parquet file with one row a position: `game` (the GN of its record in RECORDS), `ply` (moves played),
`ownership_percent` (int8, N*N values, top row first, 100 for Black's, -100 for White's) and `score_lead` (points of
Black), by Chinese rules with 7.5 points. The model answers in each of the eight symmetries. It agrees where one of
them gives KataGo's answer up to the rounding; the mean over the eight shows how far apart symmetries are.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from goban import coords
from goban.rulesets import RULESETS, Terms
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games

_TERMS: Final = Terms(RULESETS["chinese"], 7.5)
_ROUNDING: Final = 0.005  # of ownership in whole percents


def main() -> int:
    """Print how far the model is from the answers."""
    parser = parser_of("experiments.katago_reference", __doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("model")
    parser.add_argument("--games", type=int, default=12, metavar="N", help="the first of them (default: %(default)s)")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model, cached=0)
    rows = _rows(arguments.records, arguments.answers, arguments.games)
    differences = np.array([_differences(evaluator, *row) for row in progress_bar(rows, total=len(rows), unit="row")])
    closest, mean, closest_lead, mean_lead = differences.T
    print(f"{len(rows)} positions of {arguments.games} games, ownership -1 to 1, lead in points")
    print(f"closest symmetry: ownership {closest.mean():.4f}, lead {np.median(closest_lead):.3f} (median)")
    print(f"mean of all: ownership {mean.mean():.4f}, lead {np.median(mean_lead):.3f} (median)")
    print(f"{np.mean(closest <= _ROUNDING):.1%} of the positions are within the rounding on average over their points")
    return 0


def _rows(records: Path, answers: Path, games: int) -> list[tuple[GameRecord, int, NDArray[np.float64], float]]:
    """Return record, ply, ownership (N*N,) and lead of the positions of some games."""
    import pandas as pd

    known = {game.name: game for game in read_games([records]) if isinstance(game, GameRecord)}
    frame: Any = pd.read_parquet(answers)
    chosen = frame[frame["game"].isin([name for name in frame["game"].unique() if name in known][:games])]
    return [
        (known[row.game], int(row.ply), np.array(row.ownership_percent, np.float64) / 100, float(row.score_lead))
        for row in chosen.itertuples()
    ]


def _differences(
    evaluator: Evaluator, record: GameRecord, ply: int, ownership: NDArray[np.float64], lead: float
) -> list[float]:
    """Return differences in ownership (mean over the points) and lead: of the closest symmetry, and of their mean."""
    positions = [_turned(record, k).position(ply) for k in coords.SYMMETRIES]
    answers = evaluator.evaluate(positions, terms=_TERMS)
    targets = coords.destinations(record.side)[:, :-1]
    boards = np.stack([each.ownership.ravel()[target] for each, target in zip(answers, targets, strict=True)])
    leads = np.array([each.lead for each in answers], np.float64)
    apart = np.abs(boards - ownership).mean(axis=1)
    closest = int(apart.argmin())
    return [
        float(apart[closest]),
        float(np.abs(boards.mean(axis=0) - ownership).mean()),
        abs(leads[closest] - lead),
        abs(leads.mean() - lead),
    ]


def _turned(record: GameRecord, k: int) -> GameRecord:
    """Return a game on the board turned by a symmetry."""
    setup = coords.apply_symmetry(record.setup.reshape(record.side, -1), k).ravel()
    return replace(record, setup=setup, moves=coords.destinations(record.side)[k][record.moves])


if __name__ == "__main__":
    exit_with(main)
