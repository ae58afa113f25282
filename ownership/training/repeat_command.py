"""The command that trains a model again, from its `model.json`; read without Keras."""

from collections.abc import Mapping
from shlex import quote
from typing import Any

from ownership.training.training_options import WITH_MOMENTUM

_IGNORED = {  # fields of a configuration that an architecture does not use
    "classic5": ("blocks", "board_pooling"),
    "stack": ("blocks", "board_pooling", "filters"),
}
_OPTIONS = (
    *("batch_size", "seed", "learning_rate", "schedule", "optimizer", "momentum", "weight_decay", "initializer"),
    *(
        "loss",
        "precision",
        "dame",
        "ema",
        "history_dropout",
        "endings",
        "games",
        "dataset_weights",
        "patience",
        "targets",
    ),
)


def used_fields(network: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a configuration that its network uses."""
    ignored = set(_IGNORED.get(network["architecture"], ()))
    if network["chain_pooling"] == "off":
        ignored.add("chain_pooling")
    return {name: value for name, value in network.items() if name not in ignored}


def training_command(network: Mapping[str, Any], trained: Mapping[str, Any]) -> str:
    """Return the command that trains a network again, with every choice, also of defaults.

    Args:
        network: of its `model.json`.
        trained: the same.
    """
    network, options = used_fields(network), trained["options"]
    budget = "samples" if options["minutes"] is None else "minutes"
    chosen = {name: value for name, value in network.items() if name not in ("feature_set", "board_pooling", "stack")}
    chosen |= {"features": network["feature_set"]}
    if "stack" in network:
        del chosen["architecture"]
        chosen |= {name: network["stack"][name] for name in ("dropout", "activation")}
    chosen |= {name: options[name] for name in (budget, *_OPTIONS) if options.get(name) is not None}
    if options["optimizer"] not in WITH_MOMENTUM:
        chosen.pop("momentum", None)
    if {"policy", "resign"} & {*network["heads"]}:
        chosen["policy_weight"] = options["policy_weight"]
    recipe = [f"--recipe {quote(trained['recipe'])}"] if trained.get("recipe") else []
    words = [
        f"--{name.replace('_', '-')} {quote(spelled(value))}" for name, value in (chosen | trained["games"]).items()
    ]
    without = ["--no-board-pooling"] if not network.get("board_pooling", True) else []
    turned = options.get("symmetries", True)
    without += ["--no-symmetries"] if not turned else ["--symmetries"] if recipe else []
    start = [f"--initial-weights {quote(trained['initial_weights'])}"] if trained["initial_weights"] else []
    soft = [f"--soft {quote(name)}" for name in trained.get("soft", ())]
    weights = [f"--{name.replace('_', '-')} {options[name]}" for name in ("teacher_weight", "teacher_until")]
    if options.get("soft_policy_weight"):
        weights.append(f"--soft-policy-weight {options['soft_policy_weight']}")
    taught = [*soft, *weights] if soft else []
    datasets = map(quote, trained["datasets"])
    output = f"--output {quote(trained['output'])}"
    return " ".join(["ownership train", *datasets, *recipe, *taught, *start, *words, *without, output])


def spelled(value: Any) -> str:
    """Return a value as an option takes it."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
