"""Cells of tables that spreadsheets open."""

import pytest

from runtime.csv_cells import inert_cell


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_formulas_become_text(text: str) -> None:
    assert inert_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "W+0.5", "games/a-b.sgf", "1 = 1", "'=1"])
def test_other_texts_stay(text: str) -> None:
    assert inert_cell(text) == text
