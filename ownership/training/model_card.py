"""The model card: README.md of a model directory, made from its model.json."""

import json
from pathlib import Path
from typing import Any

from ownership.inference.files import DESCRIPTION
from preprocessing.storage import replacing

CARD = "README.md"
_IGNORED = {"classic5": ("blocks", "board_pooling")}  # fields of a configuration that an architecture does not use
_OPTIONS = ("batch_size", "seed", "learning_rate", "loss", "precision", "dame", "ema", "history_dropout")
_TEMPLATE = """# {name}

Who will own each point of a Go board: for a position, the probability that the side to move owns it at the end{more}.

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

Points that are neutral at the end (dame, seki) count in neither of these figures. The targets are what `ownership
prepare` made of the records: see the column `scorer` of the dataset for what decided them.
"""
_MORE = {"policy": "the move that a strong player would make", "score": "how far the score may be off"}
_POLICY = "| next move | {metrics[validation_policy_accuracy]:.2%} of the moves played on the `validation` split |\n"


def write_model_card(directory: Path) -> None:
    """Write README.md from model.json. It measures nothing.

    Args:
        directory: a model directory with the model.json that `ownership.training.trainer` leaves.
    """
    values = json.loads((directory / DESCRIPTION).read_text(encoding="utf-8"))
    used = _used_fields(values["network"])
    more = "; ".join(_MORE[head] for head in used["heads"] if head in _MORE)
    text = _TEMPLATE.format(
        **values | {"network": ", ".join(f"{name} {_spelled(value)}" for name, value in used.items())},
        more=f";\n{more}" if more else "",
        datasets=", ".join(values["trained"]["datasets"]),
        policy=_POLICY.format(**values) if "validation_policy_accuracy" in values["metrics"] else "",
        minutes=values["trained"]["seconds"] / 60,
        command=_command(used, values["trained"]),
    )
    with replacing(directory / CARD) as partial:
        partial.write_text(text, encoding="utf-8")


def _used_fields(network: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a configuration that say something about its network."""
    ignored = set(_IGNORED.get(network["architecture"], ()))
    if network["chain_pooling"] == "off":
        ignored.add("chain_pooling")
    return {name: value for name, value in network.items() if name not in ignored}


def _command(network: dict[str, Any], trained: dict[str, Any]) -> str:
    """Return the command that trains this network again; network: the fields that it uses."""
    options = trained["options"]
    budget = "samples" if options["minutes"] is None else "minutes"
    chosen = {name: value for name, value in network.items() if name not in ("feature_set", "board_pooling")}
    chosen |= {"features": network["feature_set"], **{name: options[name] for name in (budget, *_OPTIONS)}}
    if "policy" in network["heads"]:
        chosen["policy_weight"] = options["policy_weight"]
    words = [f"--{name.replace('_', '-')} {_spelled(value)}" for name, value in (chosen | trained["games"]).items()]
    pooling = [] if network.get("board_pooling", True) else ["--no-board-pooling"]
    start = [f"--initial-weights {trained['initial_weights']}"] if trained["initial_weights"] else []
    return " ".join(["ownership train", *trained["datasets"], *start, *words, *pooling, "--output DIR"])


def _spelled(value: Any) -> str:
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
