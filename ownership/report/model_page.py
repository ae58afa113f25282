"""The page of a model: how good it is in figures and curves, and its worst predictions."""

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from goban import board_svg
from goban.counting.counted_score import format_result
from goban.errors import plural
from ownership.evaluation.evaluation_tables import FIGURES, TOP, accuracy_curve, calibration_curve
from ownership.evaluation.model_comparison import cell
from ownership.evaluation.worst_positions import Mistake
from ownership.report.page_frame import as_html, definition_list, fill_template, html_page

_MEASURES = (
    "accuracy",
    "brier",
    "calibration_error",
    "score_error",
    "score_coverage",
    "all_stones",
    "sure_and_wrong",
    *(f"top_{most}" for most in TOP),
)


def model_page(
    figures: Mapping[str, Any], worst: Sequence[Mistake], history: Sequence[Mapping[str, float]] = ()
) -> str:
    """Return the page of a model.

    Args:
        figures: from `evaluation_tables.all_figures`, and model, path, datasets, split, games and symmetries.
        worst: the positions to show, from `worst_positions`.
        history: the records of the model's training, as far as known.
    """
    body = fill_template(
        "model.html",
        facts=definition_list({FIGURES[name][0]: cell(figures, name) for name in _MEASURES if name in figures}),
        tenths=_tenths(figures["by_tenth"]),
        curves="".join(_curves(figures, history)),
        worst="".join(_mistake(each) for each in worst),
    )
    split = "" if figures["split"] == "all" else f"{figures['split']} "
    measured = f"{plural(figures['positions'], 'position')} of {plural(figures['games'], f'{split}game')}"
    averaged = "averaged over 8 symmetries" if figures["symmetries"] == 8 else "the network alone"
    place = "" if figures["path"] == figures["model"] else f"{figures['path']} · "
    datasets = ", ".join(map(str, figures["datasets"]))
    return html_page(figures["model"], f"{place}{measured} · {datasets} · {averaged}", body)


def _curves(figures: Mapping[str, Any], history: Sequence[Mapping[str, float]]) -> Iterator[str]:
    from viz.curves import draw_accuracy, draw_calibration, draw_training
    from viz.figure import new_axes

    yield _curve(draw_accuracy({figures["model"]: accuracy_curve(figures)}), "Accuracy by move number")
    curves = {figures["model"]: calibration_curve(figures["calibration"])}
    yield _curve(draw_calibration(curves, ax=new_axes(4.8, 3.6)), "Calibration")
    for measure in ("accuracy", "brier", "policy_accuracy"):
        if any(f"validation_{measure}" in record for record in history):
            axes = draw_training({figures["model"]: history}, measure)
            yield _curve(axes, f"Training: {FIGURES[measure][0] if measure in FIGURES else 'accuracy of moves'}")


def _curve(axes: Any, name: str) -> str:
    from viz.figure import as_svg

    picture = base64.b64encode(as_svg(axes)).decode()
    return f'<section><figure><img alt="{as_html(name)}" src="data:image/svg+xml;base64,{picture}"></figure></section>'


def _mistake(mistake: Mistake) -> str:
    recent = mistake.position.recent
    caption = (
        f"{mistake.game}, after {mistake.ply} of {plural(mistake.moves, 'move')}: {mistake.accuracy:.0%} right, "
        f"Brier score {mistake.brier:.2f}; {format_result(round(mistake.expected, 1))} expected, "
        f"{format_result(mistake.score)} in the end"
    )
    board = board_svg.render_svg(
        mistake.position.stones,
        last=recent[0] if recent else None,
        values=mistake.ownership * mistake.wrong,
        label=caption,
    )
    return f"<section><figure>{board}<figcaption>{as_html(caption)}</figcaption></figure></section>"


def _tenths(rows: Sequence[Mapping[str, Any]]) -> str:
    names = [name for name in _MEASURES if any(name in row for row in rows)]
    heads = "".join(
        f'<th class="number">{as_html(label)}</th>' for label in ("tenth", *(FIGURES[name][0] for name in names))
    )
    lines = []
    for row in rows:
        cells = (row["tenth"], *(format(row[name], FIGURES[name][1]) if name in row else "" for name in names))
        lines.append("<tr>" + "".join(f'<td class="number">{as_html(text)}</td>' for text in cells) + "</tr>")
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
