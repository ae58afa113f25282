"""Measurements summed up: every figure as JSON values, and the details that `ownership evaluate` prints."""

from collections.abc import Iterable, Mapping, Sequence
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from goban.counting.expected_score import INTERVAL
from goban.errors import plural
from ownership.evaluation.measure import Integers, Measurements, Owners, PredictedMoves
from ownership.evaluation.metrics import Calibration, Float64, SidesDisagreement, binned, log_loss

if TYPE_CHECKING:
    import pandas as pd  # slow to import, and part of an extra

TOP = (1, 5, 10)
AccuracyCurve = tuple[list[float], list[float], list[float]]
CalibrationCurve = tuple[list[float], list[float], list[int], list[float]]
_MOST = 20
_WIN_BINS = 10  # a position has one winner, and hundreds of owners
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
    positions = _by_position(measured)
    groups = {
        "by_move": _grouped(positions, "move", measured.ply),
        "by_tenth": _grouped(positions, "tenth", measured.tenth + 1),
        "by_side": _grouped(positions, "side", measured.side),
        "by_rank": _grouped(positions, "rank", measured.dan),
    }
    if datasets:
        rows = _grouped(positions, "dataset", measured.dataset)
        groups["by_dataset"] = [row | {"dataset": datasets[row["dataset"]]} for row in rows]
    figures: dict[str, Any] = {"positions": len(positions), **_means(positions), **groups}
    if measured.owners:
        for row in groups["by_tenth"]:
            row["calibration_error"] = measured.owners.calibration.where(measured.tenth + 1 == row["tenth"]).error
        tally = measured.owners.calibration
        figures |= {"calibration_error": tally.error, "calibration": _bins(tally, measured.record)}
        figures |= _wins(measured.owners, measured.record) | {"ends": _ends(measured, ends)}
    if measured.owners and measured.owners.disagreement:
        figures["both_sides"] = _of_disagreement(measured.owners.disagreement)
    if measured.policy:
        known = ~np.isnan(measured.policy.right)
        tally = binned(measured.policy.chance[known], measured.policy.right[known], *_numbered(known))
        figures |= _top(measured) | {"move_calibration": _bins(tally, measured.record[known])}
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
    for name, (title, counted) in CALIBRATIONS.items():
        if name in figures:
            lines.append(f"\n{title}\n{'predicted':>10} {'observed':>9} {counted:>9}")
            lines += [f"{row['predicted']:10.3f} {row['observed']:9.3f} {row['points']:9}" for row in figures[name]]
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


def calibration_curve(bins: Sequence[Mapping[str, Any]]) -> CalibrationCurve:
    """Return mean probabilities, observed shares, numbers of points and half 90% bands of bins, for a drawing."""
    predicted, observed, points = ([row[key] for row in bins] for key in ("predicted", "observed", "points"))
    return predicted, observed, points, [INTERVAL * error for error in _numbers(row["observed_error"] for row in bins)]


def note_on_few(games: int, split: str) -> str:
    """Return a line for users on figures of so few games of a split, or of "all", that chance decides; else ""."""
    if games >= _FEW_GAMES:
        return ""
    place = "the datasets" if split == "all" else f"the {split} split"
    errors = "no standard errors" if games == 1 else "standard errors are large"
    return f"only {plural(games, 'game')} of {place}: {errors}"


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
    "score_width": ("interval width, points", ".1f"),
    "win_log_loss": ("win log loss", ".4f"),
    "win_calibration_error": ("win calibration error", ".4f"),
    "all_stones": ("all stones right", ".1%"),
    "blocks": ("blocks right", ".2%"),
    "final_scores": ("final scores right", ".1%"),
    "contested": ("contested points as GNU Go", ".1%"),
    "sure_and_wrong": ("sure and wrong", ".3%"),
    "chain_spread": ("chain spread", ".4f"),
    **{f"top_{most}": (f"top-{most}", ".1%") for most in TOP},
    "entropy": ("entropy, bits", ".2f"),
    "illegal": ("illegal", ".2%"),
}


# The title of each calibration in the details, and what its bins count.
CALIBRATIONS = {"calibration": ("owners", "points"), "win_calibration": ("Black wins", "positions")}


def _means(positions: "pd.DataFrame") -> dict[str, float | None]:
    """Return the means of figures by position, as far as something is known of them, each with its standard error."""
    means: dict[str, float | None] = {}
    for name, values in positions.items():
        known = values.dropna()
        if len(known):
            means |= {name: float(known.mean()), f"{name}_error": standard_error(known)}
    return means


def _by_position(measured: Measurements) -> "pd.DataFrame":
    """Return the figures that are means over positions as columns, indexed by game; NaN where one is not known."""
    import pandas as pd

    figures: dict[str, Float64] = {}
    if owners := measured.owners:
        error = np.abs(owners.expected - owners.score)
        margin = INTERVAL * owners.deviation - error
        within = np.where(np.isnan(margin), np.nan, margin >= 0)
        kept = ("accuracy", "accuracy_of_all", "brier", "sure_and_wrong", "chain_spread")
        figures |= {name: getattr(owners, name) for name in kept}
        figures |= {"score_error": error, "score_coverage": within, "score_width": 2 * INTERVAL * owners.deviation}
        figures |= {"win_log_loss": log_loss(owners.wins, owners.won), "all_stones": owners.stones_right}
        figures |= {"blocks": owners.blocks_right}
    if policy := measured.policy:
        figures |= {f"top_{most}": _found(policy, most) for most in TOP}
        moves = {"entropy": policy.entropy, "illegal": policy.illegal}
        figures |= {name: np.where(policy.rank > 0, values, np.nan) for name, values in moves.items()}
    return pd.DataFrame(figures, measured.record)


def _found(policy: PredictedMoves, most: int) -> Float64:
    """Return whether the stone that was played is among the `most` first choices, 1 or 0; NaN where none was played."""
    found: Float64 = np.where(policy.rank > 0, policy.rank <= most, np.nan)
    return found


def over_trainings(models: Sequence[Measurements]) -> dict[str, Any]:
    """Return the means of the figures of models that differ only in their seed, measured in the same positions.

    Besides the standard error over games, such as `brier_error`, they have one over trainings, such as
    `brier_training_error`: how far the mean of as many other seeds may be from this one.
    """
    positions = _mean_by_position(models)
    return {"positions": len(positions), **_means(positions), **_training_errors(models)}


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
    if not alike:
        return {}
    positions = _mean_by_position(models)
    less = positions - _mean_by_position(first)
    one, other = _training_errors(models), _training_errors(first)
    errors = {name: float(np.hypot(one[name], other[name])) for name in one if name in other}
    return _means(less[positions.columns]) | errors


def _mean_by_position(models: Sequence[Measurements]) -> "pd.DataFrame":
    """Return the means over models of the figures by position."""
    return sum(map(_by_position, models)) / len(models)


def _training_errors(models: Sequence[Measurements]) -> dict[str, float]:
    """Return the standard errors of the means over trainings, by name; none for a single one."""
    if len(models) < 2:
        return {}
    import pandas as pd

    means = pd.DataFrame([_by_position(each).mean() for each in models])
    errors: dict[str, float] = means.sem().dropna().add_suffix("_training_error").to_dict()
    return errors


def standard_error(values: "pd.Series[float]") -> float | None:
    """Return the standard error of the mean of values, grouped by game, their index; NaN is left out.

    It is None for values of fewer than two games, and of games that are all alike, such as a share of 0 or 1, which
    tell nothing about their spread.
    """
    apart, record = (values - values.mean()).to_numpy(), values.index.to_numpy()
    return _share_error(apart, len(values), record, record)


def _top(measured: Measurements) -> dict[str, list[float] | list[float | None]]:
    """Return the share of moves among the first 1, 2 ... choices, with standard errors."""
    import pandas as pd

    assert measured.policy is not None
    choices = {most: _found(measured.policy, most) for most in range(1, _MOST + 1)}
    found = pd.DataFrame(choices, measured.record).dropna()
    if found.empty:
        return {"top": [], "top_error": []}
    return {"top": found.mean().tolist(), "top_error": [standard_error(each) for _, each in found.items()]}


def _ends(*parts: Measurements | None) -> dict[str, Any]:
    """Return how many of all points were right in last positions: the mean, and a histogram in hundredths."""
    import pandas as pd

    known = [(part, part.owners.accuracy_of_all) for part in parts if part is not None and part.owners is not None]
    right = pd.concat([pd.Series(values, part.record)[part.ply == part.moves] for part, values in known]).dropna()
    if right.empty:
        return {}
    figures = {"accuracy_of_all": right, "mostly_right": (right > _MOSTLY_RIGHT).astype(np.float64)}
    return {
        "games": len(right),
        **_means(pd.DataFrame(figures)),
        "histogram": np.histogram(right, bins=100, range=(0, 1))[0].tolist(),
    }


def _wins(owners: Owners, record: Integers) -> dict[str, Any]:
    """Return the calibration of the chance to win, with its error; nothing where the chance is not known."""
    known = ~np.isnan(owners.wins + owners.won)
    if not known.any():
        return {}
    tally = binned(owners.wins[known], owners.won[known], *_numbered(known), _WIN_BINS)
    return {"win_calibration_error": tally.error, "win_calibration": _bins(tally, record[known])}


def _numbered(known: NDArray[np.bool_]) -> tuple[NDArray[np.intp], int]:
    """Return a number for each known position, from 0, and how many they are."""
    count = int(known.sum())
    return np.arange(count), count


def _bins(tally: Calibration, record: Integers) -> list[dict[str, Any]]:
    """Return the bins in which something was predicted, with standard errors of the observed shares over games."""
    bins = []
    for points, predicted, observed in zip(tally.points.T, tally.predicted.T, tally.observed.T, strict=True):
        if count := points.sum():
            share = float(observed.sum() / count)
            error = _share_error(observed - share * points, count, record[points > 0], record)
            row = {"predicted": float(predicted.sum() / count), "observed": share, "observed_error": error}
            bins.append(row | {"points": int(count)})
    return bins


def _share_error(apart: Float64, count: float, found: Integers, record: Integers) -> float | None:
    """Return the standard error of a share over games, as `standard_error` does; `apart` is 0 on average."""
    sums = np.bincount(record, apart)
    alike = len(np.unique(found)) < 2 or np.allclose(sums, 0)
    return None if alike else float(np.sqrt(np.square(sums).sum()) / count)


def _grouped(positions: "pd.DataFrame", name: str, keys: NDArray[Any]) -> list[dict[str, Any]]:
    return [{name: key, "positions": len(group), **_means(group)} for key, group in positions.groupby(keys)]


def _row(name: str, figures: Mapping[str, Any], shown: Sequence[str]) -> str:
    cells = []
    for column in shown:
        title, written = FIGURES[column]
        cell = format(figures[column], written) if column in figures else ""
        cells.append(f"{cell:>{max(len(title), _WIDTH)}}")
    return f"{name:14}{figures['positions']:9}  " + "  ".join(cells)
