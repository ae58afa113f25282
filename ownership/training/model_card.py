"""The model card: README.md of a model directory, made from its model.json."""

import json
from pathlib import Path
from typing import Any

from ownership.training.checkpoints import replace_file

_RECORDED = (
    "batch_size",
    "seed",
    "learning_rate",
    "loss",
    "precision",
    "dame",
    "policy_weight",
    "average",
    "forget",
)
_TEMPLATE = """# {name}

Who will own each point of a Go board: for a position, the probability that the side to move owns it at the end; with
the heads `policy` and `score` also the move that a strong player would make, and how far the score may be off.

| | |
|---|---|
| network | {network} |
| data | {datasets}, positions drawn from the split `train` |
| trained | {trained[date]}, {trained[samples]:,} samples at the best validation, {minutes:.1f} minutes in all |
| accuracy over decided points | {metrics[validation_accuracy]:.2%} on the `validation` split |
| Brier score over decided points | {metrics[validation_brier]:.4f} on the `validation` split |
{policy}| exported | int8 weights; {export[mean]:.5f} from float32 on average, {export[rare]:.4f} at one point in 1000 |

Made by

    {command}

Points that nobody owns at the end (dame, seki) count in neither of these figures. The targets are what `ownership
prepare` made of the records: see the column `scorer` of the dataset for what decided them.
"""
_POLICY = "| next move | {metrics[validation_policy_accuracy]:.2%} of the moves played on the `validation` split |\n"


def write_model_card(directory: Path) -> None:
    """Writes README.md from model.json.

    Args:
        directory: a model directory with the model.json that `ownership.training.trainer` leaves.

    It measures nothing.
    """
    values = json.loads((directory / "model.json").read_text(encoding="utf-8"))
    text = _TEMPLATE.format(
        **values | {"network": ", ".join(f"{name} {_spelled(value)}" for name, value in values["network"].items())},
        datasets=", ".join(values["trained"]["datasets"]),
        policy=_POLICY.format(**values) if "validation_policy_accuracy" in values["metrics"] else "",
        minutes=values["trained"]["seconds"] / 60,
        command=_command(values["network"], values["trained"]),
    )
    replace_file(directory / "README.md", lambda partial: _write_text(partial, text))


def _command(network: dict[str, Any], trained: dict[str, Any]) -> str:
    options = trained["options"]
    budget = "samples" if options["minutes"] is None else "minutes"
    chosen = {
        "architecture": network["architecture"],
        "features": network["feature_set"],
        "filters": network["filters"],
        "blocks": network["blocks"],
        "heads": network["heads"],
        "chain_pooling": network["chain_pooling"],
        **{name: options[name] for name in (budget, *_RECORDED)},
    }
    words = [f"--{name.replace('_', '-')} {_spelled(value)}" for name, value in (chosen | trained["games"]).items()]
    pooling = [] if network["board_pooling"] else ["--no-board-pooling"]
    start = [f"--start {trained['start']}"] if trained["start"] else []
    return " ".join(["ownership train", *trained["datasets"], *start, *words, *pooling, "--output DIR"])


def _spelled(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
