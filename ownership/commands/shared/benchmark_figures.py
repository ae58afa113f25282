"""The benchmark that comes with the project: its games, and the figures that it adds to those of any dataset."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from game_datasets.evaluation_positions import Positions
from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from goban.rulesets import RULESETS, Terms
from ownership.evaluation.evaluation_tables import standard_error
from ownership.evaluation.measure import measure_games
from ownership.evaluation.metrics import Float64
from ownership.inference.evaluator import Evaluator
from ownership.scoring.assessment import assess, estimate_by

VERSION: Final = "1"
BENCHMARK: Final = Path(__file__).parents[2] / "benchmark" / VERSION
AGREED: Final = BENCHMARK / "agreed"
CONTESTED: Final = BENCHMARK / "contested"
NAME: Final = f"the benchmark, version {VERSION}"
_NEAR: Final = 1  # point, which the last dame changes in an area score


def benchmark_figures(evaluator: Evaluator, table: GameTable, symmetries: int) -> dict[str, Any]:
    """Return the figures of last positions: final scores, and points on which the judges disagree.

    Args:
        evaluator: the model.
        table: games of AGREED.
        symmetries: 1 or 8, in which boards are evaluated.
    """
    contested = load_games(CONTESTED)
    unclear = set(contested.ids)
    settled = [game for game, name in enumerate(table.ids) if name not in unclear]
    figures = _mean("final_scores", [_score_right(evaluator, table, game, symmetries) for game in settled])
    rows = np.flatnonzero(np.isin(contested.ids, table.ids)).astype(np.int32)
    if len(rows):
        ends = Positions(rows, contested.lengths[rows].astype(np.int16))
        measured = measure_games(evaluator, contested, ends, symmetries)
        assert measured.owners is not None
        figures |= _mean("contested", measured.owners.accuracy)
    return figures


def _score_right(evaluator: Evaluator, table: GameTable, game: int, symmetries: int) -> bool:
    """Return whether the count of a final board is within a point of the score of the judges."""
    position = table.position(game, int(table.lengths[game]))
    terms = Terms(RULESETS["area"], float(table.komi[game]))
    [assessment] = assess(evaluator, [position], [True], symmetries, [terms])
    score = estimate_by(assessment, position, terms, True, None).score
    return bool(abs(score - table.score[game]) <= _NEAR)


def _mean(name: str, values: Sequence[bool] | Float64) -> dict[str, float | None]:
    import pandas as pd

    if not len(values):
        return {}
    known = pd.Series(np.asarray(values, np.float64))
    return {name: float(known.mean()), f"{name}_error": standard_error(known)}
