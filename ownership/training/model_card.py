"""The model card: README.md of a model directory, made from its model.json."""

import json
from pathlib import Path
from typing import Any

from goban.errors import plural
from ownership.inference.model_files import DESCRIPTION
from ownership.training.repeat_command import spelled, training_command, used_fields
from runtime.safe_writing import replacing

CARD = "README.md"
_TEMPLATE = """# {name}

{purpose}

| | |
|---|---|
| network | {network}; {parameters:,} parameters |
| data | {datasets}: {games} of the split `train`, {counts[validation]:,} of `validation` |
| trained | {trained[date]} by version {trained[version]}, {trained[samples]:,} samples in batches of \
{trained[options][batch_size]} at the best validation, {minutes:.1f} minutes in all |
{figures}| exported | {exported} |

Made by

    {command}
{notes}"""
_ANSWERS = {
    "ownership": "the probability that the side to move owns each point at the end",
    "policy": "the next move of the players in its training data",
    "score": "how far the score may be off",
    "resign": "whether the side to move resigns",
    "margin": "by how many points the side to move wins, and how surely",
}
_FIGURES = {
    "validation_accuracy": "| accuracy over decided points | {:.2%} on the `validation` split |",
    "validation_brier": "| Brier score over decided points | {:.4f} on the `validation` split |",
    "validation_teacher_brier": "| mean squared difference from the teacher | {:.4f} on held-out positions |",
    "validation_policy_accuracy": "| next move | {:.2%} of the moves that were played on the `validation` split |",
    "validation_resign_brier": "| Brier score of resignations | {:.4f} on the `validation` split |",
}
_EXPORTS = ("export", "bulk_export")
_EXPORTED = "{weights}, {mean:.5f} from Keras on average, {rare:.4f} at one in 1000"
_NEUTRAL = """
Points that are neutral at the end (dame, seki) count in neither of these figures. The targets are what `ownership
prepare` made of the records: see the column `scorer` of the dataset for what decided them.
"""


def write_model_card(directory: Path) -> None:
    """Write README.md from model.json. It measures nothing.

    Args:
        directory: a model directory with the model.json that `ownership.training.trainer` leaves.
    """
    values = json.loads((directory / DESCRIPTION).read_text(encoding="utf-8"))
    used = used_fields(values["network"])
    shown = {name: value for name, value in used.items() if name != "stack"} | _used_layers(used)
    answers = ";\n".join(_ANSWERS[head] for head in used["heads"])
    figures = [text.format(values["metrics"][name]) for name, text in _FIGURES.items() if name in values["metrics"]]
    text = _TEMPLATE.format(
        **values | {"network": ", ".join(f"{name} {spelled(value)}" for name, value in shown.items())},
        purpose=f"For a position on a Go board, {answers}.",
        datasets=", ".join(values["trained"]["datasets"]),
        games=plural(values["trained"]["counts"]["train"], "game"),
        counts=values["trained"]["counts"],
        figures="".join(f"{line}\n" for line in figures),
        minutes=values["trained"]["seconds"] / 60,
        exported="; in bulk ".join(_EXPORTED.format(**values[each]) for each in _EXPORTS if each in values),
        command=training_command(values["network"], values["trained"]),
        notes=_NEUTRAL if "ownership" in used["heads"] else "",
    )
    with replacing(directory / CARD) as partial:
        partial.write_text(text, encoding="utf-8")


def _used_layers(used: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a stack that its layers use."""
    stack = {name: value for name, value in used.get("stack", {}).items() if value}
    if "layers" in stack:
        stack["layers"] = " ".join(f"{filters}x{side}x{side}" for filters, side in stack["layers"])
    return stack
