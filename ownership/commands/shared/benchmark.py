"""The benchmark that comes with the project: its games, and the figures that it adds to those of any dataset."""

from pathlib import Path
from typing import Any, Final

import numpy as np

from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from game_datasets.sampler import Positions
from ownership.evaluation.evaluation_tables import standard_error
from ownership.evaluation.measure import measure_games
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_position import score_positions

VERSION: Final = "1"
BENCHMARK: Final = Path(__file__).parents[2] / "benchmark" / VERSION
AGREED: Final = BENCHMARK / "agreed"
CONTESTED: Final = BENCHMARK / "contested"
NAME: Final = f"the benchmark, version {VERSION}"
_NEAR: Final = 1  # point: whoever fills the last dame changes an area score by one


def benchmark_figures(evaluator: Evaluator, table: GameTable, symmetries: int) -> dict[str, Any]:
    """Return the figures of last positions: final scores, and points on which the judges disagree.

    Args:
        evaluator: the model.
        table: games of AGREED.
        symmetries: 1 or 8, in which contested points are evaluated.
    """
    contested = load_games(CONTESTED)
    unclear = set(contested.ids)
    settled = [game for game, name in enumerate(table.ids) if name not in unclear]
    figures = _mean("final_scores", _scores_right(evaluator, table, settled))
    rows = np.flatnonzero(np.isin(contested.ids, table.ids)).astype(np.int32)
    if len(rows):
        ends = Positions(rows, contested.lengths[rows].astype(np.int16))
        measured = measure_games(evaluator, contested, ends, symmetries)
        assert measured.owners is not None
        figures |= _mean("contested", measured.owners.accuracy)
    return figures


def _scores_right(evaluator: Evaluator, table: GameTable, games: list[int]) -> Any:
    """Return whether the count of each final board is within a point of the score of the judges."""
    ends = [table.position(game, int(table.lengths[game])) for game in games]
    estimates = score_positions(ends, "area", table.komi[games].tolist(), evaluator=evaluator)
    scores = np.array([each.score for each in estimates])
    return np.abs(scores - table.score[games]) <= _NEAR


def _mean(name: str, values: Any) -> dict[str, Any]:
    import pandas as pd

    if not len(values):
        return {}
    known = pd.Series(np.asarray(values, np.float64))
    return {name: float(known.mean()), f"{name}_error": standard_error(known)}
