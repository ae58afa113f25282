"""Pictures of how often models are right, as `ownership evaluate` draws them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ownership.commands.shared.output_files import report_file
from ownership.evaluation.evaluation_tables import AccuracyCurve, accuracy_curve, calibration_curve, top_curve
from runtime.safe_writing import replacing
from viz.curves import draw_accuracy, draw_calibration, draw_top
from viz.figure import new_row, save

_TITLES: Final = {
    "calibration": "Calibration of owners",
    "win_calibration": "Calibration of Black's wins",
    "move_calibration": "Calibration of moves",
}


def draw_curves(models: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Draw the accuracy of all models, or their moves where one has no ownership, and reliability diagrams.

    The accuracy is over decided points; that of a single model is also drawn over all points.
    """
    with_owners = all("accuracy" in each for each in models)
    chosen = ("calibration", "win_calibration") if with_owners else ("move_calibration",)
    tallies = [tally for tally in chosen if any(tally in each for each in models)]
    left, *others = new_row(1 + len(tallies))
    if with_owners:
        draw_accuracy(_accuracy_curves(models), ax=left)
        if len(models) == 1:
            left.set(ylabel="accuracy")
    else:
        known = [each for each in models if each.get("top")]
        draw_top({f"{each['model']}: {each['top_1']:.1%}": top_curve(each) for each in known}, ax=left)
    for tally, axes in zip(tallies, others, strict=True):
        curves = {each["model"]: calibration_curve(each[tally]) for each in models if tally in each}
        draw_calibration(curves, title=_TITLES[tally], ax=axes)
    with replacing(path) as partial:
        save(left, partial)
    report_file(path)


def _accuracy_curves(models: Sequence[Mapping[str, Any]]) -> dict[str, AccuracyCurve]:
    """Return curves of accuracy by move number with their labels."""
    if len(models) > 1:
        labels = (f"{each['model']}: {each['accuracy']:.1%}, Brier {each['brier']:.4f}" for each in models)
        return {label: accuracy_curve(each) for label, each in zip(labels, models, strict=True)}
    [figures] = models
    curves = {f"decided points: {figures['accuracy']:.1%}, Brier {figures['brier']:.4f}": accuracy_curve(figures)}
    if figures["accuracy_of_all"] != figures["accuracy"]:  # there are neutral points
        curves[f"all points: {figures['accuracy_of_all']:.1%}"] = accuracy_curve(figures, "accuracy_of_all")
    return curves
