"""A scored game as a row of the table that `ownership score --csv` writes; docs/scoring.md lists the columns."""

from ownership.scoring.scored_game import ScoredGame
from runtime.csv_cells import inert_cell


def as_row(scored: ScoredGame) -> dict[str, str]:
    """Return one row of a table, as text that no spreadsheet runs; the columns are listed in docs/scoring.md."""
    answer, found = scored.estimate, scored.comparison
    low, high = map(_rounded, answer.interval) if answer.interval else ("", "")
    return {
        "source": inert_cell(scored.game.source),
        "side": str(scored.position.side),
        "moves": str(scored.move),
        "rules": answer.rules,
        "komi": f"{answer.komi:g}",
        "result": answer.result,
        "score": _rounded(answer.score),
        "low": low,
        "high": high,
        "black": _rounded(answer.black),
        "white": _rounded(answer.white),
        "state": answer.state,
        "in_doubt": str(sum(len(chain.points) for chain in answer.in_doubt)),
        "recorded": inert_cell(scored.game.result.text),
        "difference": "" if found is None else _rounded(found.difference),
        "second_opinion": inert_cell(scored.estimate.second_opinion or ""),
        "assumed": " ".join(scored.assumed),
        "notes": inert_cell("; ".join(scored.game.notes)),
    }


def _rounded(points: float) -> str:
    return f"{round(points, 2) + 0.0:g}"
