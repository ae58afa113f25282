"""The calibration of a model's score: factors on the deviation of the score and on the spread of the margin."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import inf
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import ABOVE_ZERO, InputError, check_fields, check_number, fields_of, naming, shown

MAX_FACTOR: Final = 1000

Curve = tuple[tuple[float, float], ...]
_ONE: Final[Curve] = ((0.0, 1.0),)
_LEAST: Final = np.finfo(np.float32).tiny  # of a deviation, which divides


@dataclass(frozen=True)
class Factors:
    """Two factors on a standard deviation or spread that a network answers, which are multiplied.

    Both depend on how a network sees the phase of a game: how unsettled the points are, and how uncertain the score.
    Each is a curve: values that rise, with their factors, one or more. Between two values the factor is interpolated,
    beyond them it is that of the nearest.

    Attributes:
        unsettled: the factor by the mean of 1 - |ownership|, 0..1.
        size: the factor by the deviation or spread itself, in points.

    Raises:
        InputError: other curves, or a factor that is not above 0 and at most `MAX_FACTOR`.
    """

    unsettled: Curve = _ONE
    size: Curve = _ONE

    def __post_init__(self) -> None:
        """Check the curves."""
        check_fields(self, {"unsettled": (0, inf), "size": (0, inf)})
        for name, curve in asdict(self).items():
            with naming(name):
                _check_curve(curve)

    def applied(self, values: NDArray[Any], unsettled: NDArray[Any]) -> NDArray[np.float32]:
        """Return values times their factors, float32 (B,).

        Args:
            values: (B,), deviations or spreads in points.
            unsettled: (B,), of `unsettled_shares`.
        """
        factors = curve_at(self.unsettled, unsettled) * curve_at(self.size, values)
        return np.maximum(values * factors, _LEAST).astype(np.float32)


@dataclass(frozen=True)
class ScoreCalibration:
    """The factors of a model on boards of one side.

    Attributes:
        deviation: on the standard deviation of the score, so that the 90% interval holds 90% of the final scores.
        spread: on the spread of a head of margins, so that of the positions with a chance to win of p a share p is won.
    """

    deviation: Factors = field(default_factory=Factors)
    spread: Factors = field(default_factory=Factors)


CalibrationBySide = Mapping[int, ScoreCalibration]


def curve_at(curve: Curve, values: NDArray[Any]) -> NDArray[np.float64]:
    """Return the factors of a curve at values, float64 (B,)."""
    at, factors = zip(*curve, strict=True)
    found: NDArray[np.float64] = np.interp(values, at, factors)
    return found


def unsettled_shares(probability: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the mean of 1 - |ownership|, 0..1, float64 (B,), given the chances to own each point, (B, N, N)."""
    shares: NDArray[np.float64] = 1 - np.abs(2 * probability - 1).mean(axis=(1, 2), dtype=np.float64)
    return shares


def calibrated(
    outputs: Mapping[str, NDArray[np.float32]], calibration: CalibrationBySide
) -> dict[str, NDArray[np.float32]]:
    """Return the outputs of a network with its deviations and spreads calibrated.

    With `own_spread`, float32 (B,), the spread as the network has it: searches compare values by it, which steps of a
    calibration between two positions would change.

    Args:
        outputs: by head, as `Evaluator.predict` returns them; without ownership they stay as they are.
        calibration: of the model. On a side without factors those of the nearest side hold, of two the smaller one.
    """
    if not calibration or "ownership" not in outputs:
        return dict(outputs)
    side, shares = outputs["ownership"].shape[1], unsettled_shares(outputs["ownership"])
    factors = calibration[min(sorted(calibration), key=lambda each: abs(each - side))]
    changed = {}
    if "deviation" in outputs:
        changed["deviation"] = factors.deviation.applied(outputs["deviation"], shares)
    if "margin" in outputs:
        area, spread = outputs["margin"].T
        changed["margin"] = np.stack([area, factors.spread.applied(spread, shares)], axis=1)
        changed["own_spread"] = spread
    return {**outputs, **changed}


def parse_calibration(values: object) -> dict[int, ScoreCalibration]:
    """Return the calibration by board side that JSON values give; raise InputError naming the field at fault."""
    if not isinstance(values, dict) or not all(re.fullmatch("[0-9]{1,2}", side) for side in values):
        raise InputError(f"expected an object with factors by board side. Received: {shown(values)}")
    found = {}
    for side, given in values.items():
        with naming(side):
            parts = fields_of(ScoreCalibration, given, "a calibration")
            found[int(side)] = ScoreCalibration(**{name: _factors(name, part) for name, part in parts.items()})
    return found


def calibration_values(calibration: CalibrationBySide) -> dict[str, Any]:
    """Return the JSON values of a calibration, from which `parse_calibration` makes it again."""
    return {str(side): asdict(each) for side, each in sorted(calibration.items())}


def _factors(name: str, values: object) -> Factors:
    with naming(name):
        return Factors(**fields_of(Factors, values, "factors"))


def _check_curve(curve: Curve) -> None:
    for _, factor in curve:
        check_number(factor, ABOVE_ZERO, MAX_FACTOR)
    values = [value for value, _ in curve]
    if not values or values != sorted(values):
        raise InputError(f"expected values that rise, one or more. Received: {shown(values)}")
