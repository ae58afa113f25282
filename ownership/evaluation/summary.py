"""Measurements summed up: every figure as JSON values, and the table that `ownership evaluate` prints."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.counting.expected import INTERVAL
from ownership.evaluation.measure import Measurements
from ownership.evaluation.metrics import Calibration, Disagreement

TOP = (1, 5, 10)


def summary(measured: Measurements, datasets: Sequence[str] = ()) -> dict[str, Any]:
    """Return all figures as JSON values: overall, by move number, by tenth of the game, by board side, calibration.

    Args:
        measured: the positions.
        datasets: the names of the table's datasets, for figures by dataset.
    """
    everything = np.ones(len(measured.ply), np.bool_)
    tally = Calibration.total(measured.calibration)
    by_tenth = _grouped(measured, "tenth", measured.tenth + 1)
    for row in by_tenth:
        row["calibration_error"] = measured.calibration[row["tenth"] - 1].error
    return {
        "positions": len(measured.ply),
        **_figures(measured, everything),
        "calibration_error": tally.error,
        "by_move": _grouped(measured, "move", measured.ply),
        "by_tenth": by_tenth,
        "by_side": _grouped(measured, "side", measured.side),
        **({"by_dataset": _by_dataset(measured, datasets)} if datasets else {}),
        **({"both_sides": _of_disagreement(measured.disagreement)} if measured.disagreement else {}),
        "calibration": [
            {"predicted": predicted / points, "observed": observed / points, "points": int(points)}
            for points, predicted, observed in zip(tally.points, tally.predicted, tally.observed, strict=True)
            if points
        ],
    }


def as_table(figures: Mapping[str, Any], step: int = 50) -> str:
    """Return a summary as text; of the move numbers only the multiples of `step`."""
    policy = "".join(f"  top-{most:<3}" for most in TOP) if "top_1" in figures else ""
    headings = "positions  accuracy   Brier  calibration  score error  in 90% interval  all stones  sure and wrong"
    lines = [f"{'':14}{headings}{policy}"]
    lines.append(_row("all", figures))
    lines += [_row(f"move {row['move']}", row) for row in figures["by_move"] if row["move"] % step == 0]
    lines += [_row(f"tenth {row['tenth']}", row) for row in figures["by_tenth"]]
    if len(figures["by_side"]) > 1:
        lines += [_row(f"{row['side']}x{row['side']}", row) for row in figures["by_side"]]
    if len(figures.get("by_dataset", ())) > 1:
        lines += [_row(_short(row["dataset"]), row) for row in figures["by_dataset"]]
    if "both_sides" in figures:
        lines.append(_disagreement_text(figures["both_sides"]))
    lines.append(f"\n{'predicted':>10} {'observed':>9} {'points':>9}")
    lines += [f"{row['predicted']:10.3f} {row['observed']:9.3f} {row['points']:9}" for row in figures["calibration"]]
    return "\n".join(lines)


def _by_dataset(measured: Measurements, datasets: Sequence[str]) -> list[dict[str, Any]]:
    rows = _grouped(measured, "dataset", measured.dataset)
    return [row | {"dataset": datasets[row["dataset"]]} for row in rows]


def _of_disagreement(found: Disagreement) -> dict[str, float]:
    """Return shares of the decided points: how many differ, and how many are wrong among these and among the others."""
    return {
        "differ": found.differ / max(found.points, 1),
        "wrong_where_differing": found.both / max(found.differ, 1),
        "wrong_elsewhere": (found.wrong - found.both) / max(found.points - found.differ, 1),
    }


def _disagreement_text(found: Mapping[str, float]) -> str:
    return (
        f"\nWith either side to move {found['differ']:.2%} of the points differ; wrong are "
        f"{found['wrong_where_differing']:.1%} of these and {found['wrong_elsewhere']:.2%} of the others."
    )


def _short(place: str) -> str:
    """Return the last part of a path or URL, as far as there is room."""
    return place.rstrip("/").rsplit("/", 1)[-1][:13]


def _figures(measured: Measurements, chosen: NDArray[np.bool_]) -> dict[str, float]:
    error = np.abs(measured.expected - measured.score)[chosen]
    within = error <= INTERVAL * measured.deviation[chosen]
    rank = measured.rank[chosen]
    rank = rank[rank > 0]
    return {
        "accuracy": float(measured.accuracy[chosen].mean()),
        "brier": float(measured.brier[chosen].mean()),
        "score_error": float(error.mean()),
        "score_coverage": float(within.mean()),
        "all_stones": float(measured.stones_right[chosen].mean()),
        "sure_and_wrong": float(measured.sure_and_wrong[chosen].mean()),
        **({f"top_{most}": float((rank <= most).mean()) for most in TOP} if len(rank) else {}),
    }


def _grouped(measured: Measurements, name: str, keys: NDArray[np.int64]) -> list[dict[str, Any]]:
    rows = []
    for key in np.unique(keys).tolist():
        chosen = keys == key
        rows.append({name: key, "positions": int(chosen.sum()), **_figures(measured, chosen)})
    return rows


def _row(name: str, figures: Mapping[str, Any]) -> str:
    calibrated = f"{figures['calibration_error']:11.4f}" if "calibration_error" in figures else " " * 11
    policy = "".join(f"  {figures[f'top_{most}']:6.1%}" for most in TOP if f"top_{most}" in figures)
    return (
        f"{name:14}{figures['positions']:9}  {figures['accuracy']:8.2%}  {figures['brier']:.4f}  {calibrated}"
        f"  {figures['score_error']:11.2f}  {figures['score_coverage']:15.1%}"
        f"  {figures['all_stones']:10.1%}  {figures['sure_and_wrong']:14.3%}{policy}"
    )
