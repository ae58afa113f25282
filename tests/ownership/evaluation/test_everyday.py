"""The boards of everyday games that are part of the project: their number, and the figures of the bundled model."""

from pathlib import Path

import numpy as np
import pytest

from game_datasets.evaluation_positions import evaluation_positions, table_planes
from ownership.evaluation.evaluation_tables import all_figures
from ownership.evaluation.measure import measure
from ownership.inference.evaluator import Evaluator
from tests.support.datasets import rows_of
from tests.support.paths import ROOT

pytest.importorskip("pyarrow", reason="datasets need the train extra")

from game_datasets.load_table import load_games
from game_datasets.rows import owner_of, record_of

FOLDERS = sorted(path for path in (ROOT / "tests/data/everyday").iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_each_row_is_one_board_with_almost_all_stones_judged(folder: Path) -> None:
    rows = [row for row in rows_of(folder) if row["target"] is not None]
    assert len(rows) > 80
    for row in rows:
        stones, owner = record_of(row).position().stones, owner_of(row)
        assert row["branch"] == len(row["moves"]) and row["split"] == "test"
        assert (owner[stones != 0] != 0).mean() >= 0.9
        assert set(np.unique(owner)) <= {-1, 0, 1}


def test_the_set_has_boards_of_three_sides() -> None:
    table = load_games(FOLDERS, "test")
    assert len(table) >= 1400
    sides, counts = np.unique(table.side, return_counts=True)
    assert sides.tolist() == [9, 13, 19] and counts.min() >= 80


def test_the_bundled_model_is_right_about_almost_all(bundled: Evaluator) -> None:
    table = load_games(FOLDERS, "test")
    games, plies = evaluation_positions(table)
    assert len(games) == len(table)
    chosen = slice(None, None, 4)
    batches = table_planes(table, games[chosen], plies[chosen], bundled.feature_set, chains=True, batch_size=64)
    figures = all_figures(measure(bundled, table, batches))
    assert figures["all_stones"] > 0.95
    assert figures["accuracy"] > 0.995
    assert figures["sure_and_wrong"] < 0.001
