"""Measurements summed up: every figure as JSON values, and the details that `ownership evaluate` prints."""

from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.counting.expected_score import INTERVAL
from goban.errors import plural
from ownership.evaluation.measure import Measurements, PredictedMoves
from ownership.evaluation.metrics import Calibration, Float64, SidesDisagreement, binned

TOP = (1, 5, 10)
AccuracyCurve = tuple[list[float], list[float], list[float]]
_MOST = 20
_WIDTH = 7  # of the narrowest column of a printed table
_MOSTLY_RIGHT = 0.96  # of all points, at the end of a game
_FEW_GAMES = 50


def all_figures(
    measured: Measurements, datasets: Sequence[str] = (), ends: Measurements | None = None
) -> dict[str, Any]:
    """Return all figures as JSON values: overall, by move number, by tenth of the game, by side, by rank, calibration.

    Standard errors are over games: positions of one are alike. See `standard_error`.

    Args:
        measured: the positions.
        datasets: the names of the table's datasets, for figures by dataset.
        ends: the last positions of games whose last position is not among `measured`; only `ends` counts them.
    """
    groups = {
        "by_move": _grouped(measured, "move", measured.ply),
        "by_tenth": _grouped(measured, "tenth", measured.tenth + 1),
        "by_side": _grouped(measured, "side", measured.side),
        "by_rank": _grouped(measured, "rank", measured.dan),
    }
    if datasets:
        groups["by_dataset"] = _by_dataset(measured, datasets)
    figures: dict[str, Any] = {
        "positions": len(measured.ply),
        **_means(_by_position(measured), measured.record),
        **groups,
    }
    if measured.owners:
        for row in groups["by_tenth"]:
            row["calibration_error"] = measured.owners.calibration[row["tenth"] - 1].error
        tally = Calibration.total(measured.owners.calibration)
        figures |= {"calibration_error": tally.error, "calibration": _bins(tally), "ends": _ends(measured, ends)}
    if measured.owners and measured.owners.disagreement:
        figures["both_sides"] = _of_disagreement(measured.owners.disagreement)
    if measured.policy:
        known = ~np.isnan(measured.policy.right)
        tally = binned(measured.policy.chance[known], measured.policy.right[known] > 0)
        figures |= _top(measured) | {"move_calibration": _bins(tally)}
    return figures


def notes(figures: Mapping[str, Any]) -> list[str]:
    """Return lines on figures without a column: last positions, and positions evaluated with either side to move."""
    lines = []
    if ends := figures.get("ends"):
        right, mean = (_with_error(ends, name) for name in ("mostly_right", "accuracy_of_all"))
        lines.append(
            f"last positions: {right} of {ends['games']:,} above {_MOSTLY_RIGHT:.0%} of all points, {mean} on average"
        )
    if "both_sides" in figures:
        lines.append(_disagreement_text(figures["both_sides"]))
    return lines


def _with_error(figures: Mapping[str, Any], name: str) -> str:
    """Return a share in percent with its standard error, where that is known."""
    error = figures[f"{name}_error"]
    return f"{figures[name]:.1%}" if error is None else f"{figures[name]:.1%} ±{100 * error:.1f}"


def detail_table(figures: Mapping[str, Any], step: int = 50) -> str:
    """Return figures by part of the games, and the calibration; of the move numbers only the multiples of `step`."""
    shown = [name for name in FIGURES if name in figures]
    lines = [
        f"{'':14}positions" + "".join(f"  {FIGURES[name][0]:>{_WIDTH}}" for name in shown),
        _row("all", figures, shown),
    ]
    lines += [_row(f"move {row['move']}", row, shown) for row in figures["by_move"] if row["move"] % step == 0]
    lines += [_row(f"tenth {row['tenth']}", row, shown) for row in figures["by_tenth"]]
    if len(figures["by_side"]) > 1:
        lines += [_row(f"{row['side']}x{row['side']}", row, shown) for row in figures["by_side"]]
    if len(figures["by_rank"]) > 1:
        lines += [_row(f"{row['rank']} dan" if row["rank"] else "no rank", row, shown) for row in figures["by_rank"]]
    if len(figures.get("by_dataset", ())) > 1:
        lines += [_row(_short(row["dataset"]), row, shown) for row in figures["by_dataset"]]
    if "calibration" in figures:
        lines.append(f"\n{'predicted':>10} {'observed':>9} {'points':>9}")
        lines += [
            f"{row['predicted']:10.3f} {row['observed']:9.3f} {row['points']:9}" for row in figures["calibration"]
        ]
    return "\n".join(lines)


def accuracy_curve(figures: Mapping[str, Any], measure: str = "accuracy") -> AccuracyCurve:
    """Return move numbers, a measure and its standard errors by them, as far as one game in ten is that long."""
    moves = [row for row in figures["by_move"] if row["positions"] >= figures["games"] / 10 and measure in row]
    errors = _numbers(row[f"{measure}_error"] for row in moves)
    return [row["move"] for row in moves], [row[measure] for row in moves], errors


def top_curve(figures: Mapping[str, Any]) -> tuple[list[float], list[float]]:
    """Return the share of moves among the first 1, 2 ... choices, and its standard errors."""
    return figures["top"], _numbers(figures["top_error"])


def _numbers(errors: Iterable[float | None]) -> list[float]:
    """Return standard errors, NaN where one is not known."""
    return [nan if error is None else error for error in errors]


def calibration_curve(bins: Sequence[Mapping[str, float]]) -> tuple[list[float], list[float], list[int]]:
    """Return mean probabilities, observed shares and numbers of points of the bins of a calibration, for a drawing."""
    predicted, observed = ([row[key] for row in bins] for key in ("predicted", "observed"))
    return predicted, observed, [int(row["points"]) for row in bins]


def note_on_few(games: int, split: str) -> str:
    """Return a line for users on figures of so few games of a split, or of "all", that chance decides; else ""."""
    if games >= _FEW_GAMES:
        return ""
    place = "the datasets" if split == "all" else f"the {split} split"
    errors = "no standard errors" if games == 1 else "standard errors are large"
    return f"only {plural(games, 'game')} of {place}: {errors}"


def _by_dataset(measured: Measurements, datasets: Sequence[str]) -> list[dict[str, Any]]:
    rows = _grouped(measured, "dataset", measured.dataset)
    return [row | {"dataset": datasets[row["dataset"]]} for row in rows]


def _of_disagreement(found: SidesDisagreement) -> dict[str, float]:
    """Return shares of the decided points: how many differ, and how many are wrong among these and among the others."""
    return {
        "differ": found.differ / max(found.points, 1),
        "wrong_where_differing": found.both / max(found.differ, 1),
        "wrong_elsewhere": (found.wrong - found.both) / max(found.points - found.differ, 1),
    }


def _disagreement_text(found: Mapping[str, float]) -> str:
    return (
        f"with either side to move {found['differ']:.2%} of the points differ; wrong are "
        f"{found['wrong_where_differing']:.1%} of these and {found['wrong_elsewhere']:.2%} of the others"
    )


def _short(place: str) -> str:
    """Return the last part of a path or URL, as far as there is room."""
    return place.rstrip("/").rsplit("/", 1)[-1][:13]


# The name of each figure, with its unit, and how its value is written.
FIGURES = {
    "accuracy": ("accuracy", ".2%"),
    "accuracy_of_all": ("accuracy, all points", ".2%"),
    "brier": ("Brier score", ".4f"),
    "calibration_error": ("calibration error", ".4f"),
    "score_error": ("score error, points", ".2f"),
    "score_coverage": ("in 90% interval", ".1%"),
    "all_stones": ("all stones right", ".1%"),
    "sure_and_wrong": ("sure and wrong", ".3%"),
    "chain_spread": ("chain spread", ".4f"),
    **{f"top_{most}": (f"top-{most}", ".1%") for most in TOP},
    "entropy": ("entropy, bits", ".2f"),
    "illegal": ("illegal", ".2%"),
}


def _means(values: Mapping[str, Float64], game: NDArray[np.int64]) -> dict[str, float | None]:
    """Return the means of figures by position, as far as something is known of them, each with its standard error."""
    means: dict[str, float | None] = {}
    for name, each in values.items():
        known = ~np.isnan(each)
        if known.any():
            means |= {name: float(each[known].mean()), f"{name}_error": standard_error(each[known], game[known])}
    return means


def _by_position(measured: Measurements) -> dict[str, Float64]:
    """Return the figures that are means over positions, each (P,); NaN where one is not known."""
    figures: dict[str, Float64] = {}
    if owners := measured.owners:
        error = np.abs(owners.expected - owners.score)
        margin = INTERVAL * owners.deviation - error
        within = np.where(np.isnan(margin), np.nan, margin >= 0)
        kept = ("accuracy", "accuracy_of_all", "brier", "sure_and_wrong", "chain_spread")
        figures |= {name: getattr(owners, name) for name in kept}
        figures |= {"score_error": error, "score_coverage": within, "all_stones": owners.stones_right}
    if policy := measured.policy:
        figures |= {f"top_{most}": _found(policy, most) for most in TOP}
        moves = {"entropy": policy.entropy, "illegal": policy.illegal}
        figures |= {name: np.where(policy.rank > 0, values, np.nan) for name, values in moves.items()}
    return figures


def _found(policy: PredictedMoves, most: int) -> Float64:
    """Return whether the stone that was played is among the `most` first choices, 1 or 0; NaN where none was played."""
    found: Float64 = np.where(policy.rank > 0, policy.rank <= most, np.nan)
    return found


def over_trainings(models: Sequence[Measurements]) -> dict[str, Any]:
    """Return the means of the figures of models that differ only in their seed, measured in the same positions.

    Besides the standard error over games, such as `brier_error`, they have one over trainings, such as
    `brier_training_error`: how far the mean of as many other seeds may be from this one.
    """
    figures = _means(_mean_by_position(models), models[0].record)
    return {"positions": len(models[0].ply), **figures, **_training_errors(models)}


def difference(models: Sequence[Measurements], first: Sequence[Measurements]) -> dict[str, float | None]:
    """Return the differences of the figures of two models, with their standard errors over games.

    Positions and games are as hard for one model as for the other, so these errors are smaller than the errors of the
    figures. The result has the keys of `all_figures`; it is empty where the models were measured on other positions.

    Args:
        models: of one model, or of several that differ only in their seed, which gives errors over trainings too if
            there are several on both sides.
        first: of the other model, or of several of its seeds.
    """
    alike = all(
        np.array_equal(getattr(models[0], name), getattr(first[0], name)) for name in ("game", "ply", "moves", "side")
    )
    others = _mean_by_position(first) if alike else {}
    figures = {name: values - others[name] for name, values in _mean_by_position(models).items() if name in others}
    one, other = _training_errors(models), _training_errors(first)
    errors = {name: float(np.hypot(one[name], other[name])) for name in one if name in other and alike}
    return _means(figures, models[0].record) | errors


def _mean_by_position(models: Sequence[Measurements]) -> dict[str, Float64]:
    """Return the means over models of the figures by position that all of them have."""
    figures = [_by_position(each) for each in models]
    return {name: np.mean([each[name] for each in figures], axis=0) for name in figures[0]}


def _training_errors(models: Sequence[Measurements]) -> dict[str, float]:
    """Return the standard errors of the means over trainings, by name; none for a single one."""
    if len(models) < 2:
        return {}
    means = [_means(_by_position(each), each.record) for each in models]
    values = {name: np.array([each[name] for each in means], np.float64) for name in means[0] if name in FIGURES}
    return {f"{name}_training_error": float(each.std(ddof=1) / np.sqrt(len(each))) for name, each in values.items()}


def standard_error(values: NDArray[np.floating[Any]], game: NDArray[np.int64]) -> float | None:
    """Return the standard error of the mean of values (P,), grouped by game; NaN is left out.

    It is None for values of fewer than two games, and of games that are all alike, such as a share of 0 or 1, which
    tell nothing about their spread.
    """
    known = ~np.isnan(values)
    if len(np.unique(game[known])) < 2:
        return None
    apart = values[known] - values[known].mean()
    sums = np.bincount(game[known], apart)
    return None if np.allclose(sums, 0) else float(np.sqrt(np.square(sums).sum()) / known.sum())


def _top(measured: Measurements) -> dict[str, list[float] | list[float | None]]:
    """Return the share of moves among the first 1, 2 ... choices, with standard errors."""
    assert measured.policy is not None
    if not (measured.policy.rank > 0).any():
        return {"top": [], "top_error": []}
    found = [_found(measured.policy, most) for most in range(1, _MOST + 1)]
    errors = [standard_error(each, measured.record) for each in found]
    return {"top": [float(np.nanmean(each)) for each in found], "top_error": errors}


def _ends(*parts: Measurements | None) -> dict[str, Any]:
    """Return how many of all points were right in last positions: the mean, and a histogram in hundredths."""
    known = [part for part in parts if part is not None and part.owners is not None]
    right = np.concatenate([part.owners.accuracy_of_all[part.ply == part.moves] for part in known if part.owners])
    game = np.concatenate([part.record[part.ply == part.moves] for part in known])[~np.isnan(right)]
    right = right[~np.isnan(right)]
    if not len(right):
        return {}
    figures = {"accuracy_of_all": right, "mostly_right": (right > _MOSTLY_RIGHT).astype(np.float64)}
    return {
        "games": len(right),
        **_means(figures, game),
        "histogram": np.histogram(right, bins=100, range=(0, 1))[0].tolist(),
    }


def _bins(tally: Calibration) -> list[dict[str, float]]:
    return [
        {"predicted": predicted / points, "observed": observed / points, "points": int(points)}
        for points, predicted, observed in zip(tally.points, tally.predicted, tally.observed, strict=True)
        if points
    ]


def _grouped(measured: Measurements, name: str, keys: NDArray[np.int64]) -> list[dict[str, Any]]:
    values, rows = _by_position(measured), []
    for key in np.unique(keys).tolist():
        chosen = np.flatnonzero(keys == key)
        means = _means({figure: each[chosen] for figure, each in values.items()}, measured.record[chosen])
        rows.append({name: key, "positions": len(chosen), **means})
    return rows


def _row(name: str, figures: Mapping[str, Any], shown: Sequence[str]) -> str:
    cells = []
    for column in shown:
        title, written = FIGURES[column]
        cell = format(figures[column], written) if column in figures else ""
        cells.append(f"{cell:>{max(len(title), _WIDTH)}}")
    return f"{name:14}{figures['positions']:9}  " + "  ".join(cells)
