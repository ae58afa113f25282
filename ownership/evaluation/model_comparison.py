"""Several models measured on the same games: one table, as text, CSV or LaTeX."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from goban.errors import InputError
from ownership.evaluation.evaluation_tables import FIGURES

_ERROR: Final = "_error"
_TRAINING_ERROR: Final = "_training_error"
_LATEX: Final = str.maketrans({each: f"\\{each}" for each in "&%$#_{}"} | {"±": "$\\pm$"})
_MINUS: Final = re.compile(r"^-(?=\d)|(?<= )-(?= )")
SUFFIXES: Final = (".csv", ".tex")


def comparison(models: Sequence[Mapping[str, Any]]) -> str:
    """Return the overall figures as text, a line for each, with a column for each model and difference from the first.

    Args:
        models: results of `all_figures` or `over_trainings`, each with its name as `model`, and perhaps its
            `difference` from the first, or from the model that it names as `minus`.
    """
    return aligned(_rows(models))


def aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells as text, the first column to the left and the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    first, *others = widths
    return "\n".join(
        (f"{name:{first}}" + "".join(f"  {text:>{width}}" for text, width in zip(cells, others, strict=True))).rstrip()
        for name, *cells in rows
    )


def comparison_file(models: Sequence[Mapping[str, Any]], path: Path) -> str:
    """Return the content of a table file, by the suffix of its name: all digits as CSV, or LaTeX with ±.

    Raises:
        InputError: another suffix.
    """
    check_table(path)
    return _csv(models) if path.suffix.lower() == ".csv" else _latex(models)


def check_table(path: Path) -> None:
    """Raise InputError unless a table can have this name."""
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(f"{path}: expected a table file ending in {' or '.join(SUFFIXES)}")


def _shown(models: Sequence[Mapping[str, Any]]) -> list[str]:
    return [name for name in FIGURES if any(name in each for each in models)]


def _rows(models: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return the cells of the table, names of the models first, with standard errors where they are known."""
    differences = _differences(models)
    return [
        ["", *(each["model"] for each in models), *("{model} - {minus}".format(**each) for each in differences)],
        ["positions", *(str(each["positions"]) for each in models), *("" for _ in differences)],
        *(
            [
                FIGURES[name][0],
                *(cell(each, name) for each in models),
                *(cell(each, name, "+") for each in differences),
            ]
            for name in _shown(models)
        ),
    ]


def _differences(models: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the differences between models, as far as they are known."""
    return [
        {"model": each["model"], "minus": models[0]["model"], **each["difference"]}
        for each in models
        if each.get("difference")
    ]


def cell(figures: Mapping[str, Any], name: str, sign: str = "") -> str:
    """Return a figure with its standard errors, over games and trainings; "+" as `sign` stands before positive ones."""
    if name not in figures:
        return ""
    written = FIGURES[name][1]
    value = format(figures[name], sign + written)
    errors = [figures.get(name + kind) for kind in (_ERROR, _TRAINING_ERROR)]
    return value + "".join(f" ±{format(each, written).removesuffix('%')}" for each in errors if each is not None)


def _csv(models: Sequence[Mapping[str, Any]]) -> str:
    kinds = ("", _ERROR, _TRAINING_ERROR)
    shown = [name + kind for name in _shown(models) for kind in kinds if any(name + kind in row for row in models)]
    text = io.StringIO()
    table = csv.DictWriter(text, ["model", "minus", "positions", *shown], extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows([*models, *_differences(models)])
    return text.getvalue()


def _latex(models: Sequence[Mapping[str, Any]]) -> str:
    headings, *rows = ([_MINUS.sub("$-$", text.translate(_LATEX)) for text in row] for row in _rows(models))
    lines = [" & ".join(row) + r" \\" for row in rows]
    columns = "l" + "r" * (len(headings) - 1)
    body = [" & ".join(headings) + r" \\ \hline", *lines]
    return "\n".join([f"\\begin{{tabular}}{{{columns}}}", *body, "\\end{tabular}", ""])
