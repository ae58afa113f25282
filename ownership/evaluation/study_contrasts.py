"""What the settings of a study change: differences between its trainings, with 95% intervals by Student's t.

Each training has one setting of every factor, and each setting the same number of seeds. The spread over seeds is taken
to be the same in all settings, so that few seeds of each estimate it together, with as many degrees of freedom as there
are trainings beyond the first of each setting.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from math import nan, pi, sqrt
from typing import Any, Final, NamedTuple

import numpy as np

from ownership.evaluation.evaluation_tables import FIGURES, difference, over_trainings
from ownership.evaluation.measure import Measurements
from ownership.evaluation.model_comparison import aligned, cell

SHOWN: Final = ("accuracy", "brier", "score_error", "win_log_loss", "top_1")
_COVERAGE: Final = 0.95
_STEPS: Final = 200_001
_MOST_DEGREES: Final = 10_000  # beyond which the t-distribution is normal to four digits
_ERROR, _TRAINING_ERROR = "_error", "_training_error"

Setting = tuple[str, ...]


class Run(NamedTuple):
    """One training: the value of each factor, and what was measured of its model."""

    setting: Setting
    measured: Measurements


class Factor(NamedTuple):
    """An option that a study varies, and its values, of which the first is what the others are compared with."""

    option: str
    values: tuple[str, ...]


class Contrast(NamedTuple):
    """A difference between trainings of a study, or the first setting itself.

    Attributes:
        name: such as "filters: 32 - 16".
        figures: by name, and half the 95% interval over games under the same with `_error`, over trainings with
            `_training_error`, as far as these are known.
    """

    name: str
    figures: dict[str, Any]


def t_quantile(degrees: int) -> float:
    """Return how many standard errors half a 95% interval is: Student's t with degrees of freedom, infinity for none.

    With t = sqrt(degrees) * tan(a) the density of the angle a is proportional to cos(a) ** (degrees - 1).
    """
    if degrees < 1:
        return np.inf
    degrees = min(degrees, _MOST_DEGREES)
    angles = np.linspace(0, pi / 2, _STEPS)
    density = np.cos(angles) ** (degrees - 1)
    total = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
    return float(sqrt(degrees) * np.tan(np.interp(_COVERAGE, total / total[-1], angles)))


def contrasts(factors: Sequence[Factor], runs: Sequence[Run]) -> list[Contrast]:
    """Return the first setting, then each value of each factor less the first one, then each setting less the first.

    The difference of two values is a mean over all settings of the other factors. Settings are left out where there is
    one factor, whose values they are.
    """
    settings = list(dict.fromkeys(run.setting for run in runs))
    spread = _Spread(runs)
    found = [Contrast(_named(factors, settings[0]), spread.mean([run for run in runs if run.setting == settings[0]]))]
    for place, factor in enumerate(factors):
        base = [run for run in runs if run.setting[place] == factor.values[0]]
        for value in factor.values[1:]:
            others = [run for run in runs if run.setting[place] == value]
            name = f"{factor.option}: {value} - {factor.values[0]}"
            found.append(Contrast(name, spread.difference(others, base)))
    if len(factors) > 1:
        base = [run for run in runs if run.setting == settings[0]]
        for setting in settings[1:]:
            others = [run for run in runs if run.setting == setting]
            found.append(Contrast(f"{_named(factors, setting)} - first", spread.difference(others, base)))
    return found


def _named(factors: Sequence[Factor], setting: Setting) -> str:
    return ", ".join(f"{factor.option}={value}" for factor, value in zip(factors, setting, strict=True))


class _Spread:
    """The spread of figures over seeds, the same in all settings."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._means = {id(run.measured): over_trainings([run.measured]) for run in runs}
        cells: dict[Setting, list[Run]] = {}
        for run in runs:
            cells.setdefault(run.setting, []).append(run)
        self.degrees = len(runs) - len(cells)
        self._variance = {
            name: sum(self._squares(cell, name) for cell in cells.values()) / self.degrees
            for name in FIGURES
            if self.degrees and all(name in means for means in self._means.values())
        }

    def _squares(self, runs: Sequence[Run], name: str) -> float:
        values = np.array([self._means[id(run.measured)][name] for run in runs])
        return float(((values - values.mean()) ** 2).sum())

    def mean(self, runs: Sequence[Run]) -> dict[str, Any]:
        """Return the mean of trainings, with half intervals."""
        return self._with_intervals(over_trainings([run.measured for run in runs]), runs, 1 / len(runs))

    def difference(self, runs: Sequence[Run], base: Sequence[Run]) -> dict[str, Any]:
        """Return the mean of trainings less that of others, with half intervals."""
        found = difference([run.measured for run in runs], [run.measured for run in base])
        return self._with_intervals(found, runs, 1 / len(runs) + 1 / len(base))

    def _with_intervals(self, found: Mapping[str, Any], runs: Sequence[Run], share: float) -> dict[str, Any]:
        games, trainings = t_quantile(len(np.unique(runs[0].measured.record)) - 1), t_quantile(self.degrees)
        figures: dict[str, Any] = {}
        for name in (each for each in FIGURES if each in found):
            error = found.get(name + _ERROR)
            figures |= {name: found[name], name + _ERROR: None if error is None else games * error}
            if name in self._variance:
                figures[name + _TRAINING_ERROR] = trainings * sqrt(self._variance[name] * share)
        return figures


def contrast_table(found: Sequence[Contrast]) -> str:
    """Return the contrasts as text, a line for each, with the most important figures."""
    names = shown_figures(found)
    rows = [["", *(FIGURES[name][0] for name in names)]]
    for each in found:
        sign = "" if each is found[0] else "+"
        rows.append([each.name, *(cell(each.figures, name, sign) for name in names)])
    return aligned(rows)


def contrast_csv(found: Sequence[Contrast]) -> str:
    """Return every figure of the contrasts, a row for each of both; an interval that is not known is empty."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["contrast", "figure", "value", "half_interval_games", "half_interval_trainings"])
    for each in found:
        for name in (figure for figure in FIGURES if figure in each.figures):
            halves = [each.figures.get(name + kind) for kind in (_ERROR, _TRAINING_ERROR)]
            table.writerow([each.name, name, each.figures[name], *halves])
    return text.getvalue()


def shown_figures(found: Sequence[Contrast]) -> list[str]:
    """Return the most important figures that all contrasts have."""
    return [name for name in SHOWN if all(name in each.figures for each in found)]


def half_intervals(contrast: Contrast, name: str) -> tuple[float, float]:
    """Return half the 95% intervals of a figure over games and over trainings, NaN where one is not known."""
    games, trainings = (contrast.figures.get(name + kind) for kind in (_ERROR, _TRAINING_ERROR))
    return nan if games is None else games, nan if trainings is None else trainings
