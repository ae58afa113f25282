"""List the models that have a name, choose the one that all commands use, and show what repeats one.

Examples:
    ownership models
    ownership models --how runs/mine
    ownership models use b18
    ownership models use default

See docs/models.md.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final

from goban.errors import InputError
from ownership.commands.shared.model_arguments import model_names
from ownership.inference.katago_config import KataGoConfig
from ownership.inference.keras_config import KerasConfig
from ownership.inference.litert_network import runtime_name
from ownership.inference.model_catalogue import (
    DEFAULT,
    VARIABLE,
    choose_default,
    default_model,
    find_model,
    named_models,
)
from ownership.inference.model_files import ModelFiles, metrics_of
from ownership.inference.own_config import OwnConfig
from ownership.inference.speed import known_speed, measured_speed
from ownership.training.repeat_text import how_made, how_made_text
from runtime.command_line import Argument, declare

_HEADINGS: Final = ("", "name", "MB", "positions/s", "accuracy", "Brier", "network")
_NUMBERS: Final = range(2, 6)  # columns
_MB: Final = 1e6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership models`."""
    how = "print what repeats this model instead: versions, data, their fingerprints and the command"
    declare(
        parser,
        Argument("--json", bool, "print everything about them as JSON"),
        Argument("--how MODEL", str, how, completer=model_names),
    )
    actions = parser.add_subparsers(metavar="use", dest="action", help="choose the default instead of listing")
    use = actions.add_parser("use", help="choose the model that all commands use where none is given")
    chosen = f"model by name or directory; {DEFAULT} goes back"
    declare(use, Argument("model NAME|DIR", str, chosen, completer=model_names))


def run(arguments: argparse.Namespace) -> int:
    """List models or choose one; return 0, or 2 if a model that has a name cannot be used."""
    if arguments.action == "use":
        return _use(arguments.model)
    if arguments.how:
        made = how_made(find_model(arguments.how))
        print(json.dumps(made, indent=1) if arguments.json else how_made_text(made))
        return 0
    runtime_name()  # or fail before the first model
    damaged: list[str] = []
    found = list(_described(damaged))
    print(json.dumps(found, indent=1) if arguments.json else _table(found))
    return 2 if damaged else 0


def _use(model: str) -> int:
    files = find_model(model)
    choose_default(model)
    back = "" if model == DEFAULT else f"; `ownership models use {DEFAULT}` goes back"
    named = model if model == files.name else f"{model} ({files.name})"
    print(f"All commands use {named}{back}")
    if given := os.environ.get(VARIABLE):
        print(f"ownership: warning: {VARIABLE} overrides it: {given}", file=sys.stderr)
    return 0


def _described(damaged: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the facts about each model; report unusable models on stderr, and add them to `damaged`."""
    chosen = default_model().model
    for name in dict.fromkeys([*named_models(), chosen]):
        try:
            yield _description(find_model(name), name, name == chosen)
        except (InputError, OSError) as error:
            damaged.append(name)
            print(f"ownership: error: {error}", file=sys.stderr)


def _description(files: ModelFiles, name: str, is_default: bool) -> dict[str, Any]:
    return {
        "name": name,
        "default": is_default,
        "directory": None if files.is_own else str(files.weights.parent),
        "bytes": None if files.is_own else files.weights.stat().st_size,
        "positions_per_second": measured_speed(files) if files.is_own else known_speed(files),
        "metrics": metrics_of(files),
        "network": _network(files),
    }


def _network(files: ModelFiles) -> str:
    """Return the kind and size of a network, the name of one of KataGo, or what a package's evaluator predicts."""
    network = files.network
    if isinstance(network, OwnConfig):
        return f"of a package: {', '.join(network.heads)}"
    if isinstance(network, KerasConfig):
        return f"of Keras: {', '.join(network.heads)}"
    kind = f"KataGo's {files.name}" if isinstance(network, KataGoConfig) else network.architecture
    return f"{kind}, {network.blocks} blocks of {network.filters}"


def _table(found: Sequence[dict[str, Any]]) -> str:
    rows = [_HEADINGS, *(_row(each) for each in found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = []
    for row in rows:
        cells = [
            text.rjust(width) if column in _NUMBERS else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([*lines, "", "* all commands use it; speed on 19x19 here; figures on validation games"])


def _row(found: dict[str, Any]) -> tuple[str, ...]:
    metrics = found["metrics"]
    accuracy, brier = metrics.get("validation_accuracy"), metrics.get("validation_brier")
    return (
        "*" if found["default"] else "",
        found["name"],
        "-" if found["bytes"] is None else f"{found['bytes'] / _MB:.1f}",
        f"{found['positions_per_second']:,}",
        "-" if accuracy is None else f"{accuracy:.1%}",
        "-" if brier is None else f"{brier:.4f}",
        found["network"],
    )
