"""Models that differ only in their seed, measured as one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ownership.evaluation.evaluation_tables import difference, over_trainings
from ownership.evaluation.measure import Measurements
from ownership.inference.model_files import ModelFiles, training_of


class Trainings(NamedTuple):
    """The models of one recipe, or a model whose recipe is not known.

    Attributes:
        name: of the model, or one for all.
        known: whether it is known what they were trained from.
        models: what was measured of each.
        rows: the places of the models among all that are compared.
    """

    name: str
    known: bool
    models: list[Measurements]
    rows: list[int]


def by_training(files: Sequence[ModelFiles], measured: Sequence[Measurements], names: Sequence[str]) -> list[Trainings]:
    """Return models in groups that differ only in their seed, in the order of the first of each."""
    groups: dict[str, list[int]] = {}
    known = set[tuple[str, int]]()
    for row, each in enumerate(files):
        training = training_of(each)
        groups.setdefault(f"model {row}" if training in known else training[0] or f"model {row}", []).append(row)
        known.add(training)
    return [
        Trainings(
            _common_name([files[row] for row in rows], names[rows[0]]),
            bool(training_of(files[rows[0]])[0]),
            [measured[row] for row in rows],
            rows,
        )
        for rows in groups.values()
    ]


def _common_name(files: Sequence[ModelFiles], first: str) -> str:
    if len(files) == 1:
        return first
    folders = {each.weights.parent.parent.resolve() for each in files}
    name = next(iter(folders)).name if len(folders) == 1 else first
    return f"{name}, {len(files)} seeds"


def with_groups(trainings: Sequence[Trainings], figures: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return figures of all models, and after them of groups; each group or single model but the first has its
    `difference` from the first."""
    compared, first = list(figures), trainings[0]
    for each in trainings:
        shown = figures[each.rows[0]]
        if len(each.models) > 1:
            models = [figures[row]["model"] for row in each.rows]
            shown = {"model": each.name, "models": models, **over_trainings(each.models)}
            compared.append(shown)
        if each is not first and (found := difference(each.models, first.models)):
            shown["difference"] = {"minus": first.name, **found}
    return compared


def note_on_one_seed(trainings: Sequence[Trainings]) -> str:
    """Return a line for users where models are compared of which some are a single training, else ""."""
    single = [Path(each.name).name for each in trainings if each.known and len(each.models) == 1]
    if len(trainings) < 2 or not single:
        return ""
    return (
        f"single trainings: {', '.join(single)}; no error tells how far trainings with another seed are apart, which "
        "`ownership train --seeds 3` measures"
    )
