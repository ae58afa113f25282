"""Train a network on datasets and write a model directory.

Examples:
    ownership train data/games --minutes 30 --output runs/mine
    ownership train data/games --recipe gocnn --samples 1000000 --output runs/gocnn

See docs/training.md.
"""

import argparse
import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from game_datasets.load_table import check_soft
from goban.errors import InputError, cut, naming, plural
from ownership.commands.shared.filter_arguments import add_filter_arguments, game_filter
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import ModelFiles
from ownership.inference.network_config import (
    ACTIVATIONS,
    ARCHITECTURES,
    CHAIN_POOLING,
    HEADS,
    INITIALIZERS,
    Architecture,
    NetworkConfig,
)
from ownership.training.checkpoints import LAST
from ownership.training.recipes import Recipe, find_recipe
from ownership.training.training_games import check_games_for
from ownership.training.training_options import (
    DAME_TARGETS,
    LOSSES,
    OPTIMIZERS,
    PRECISIONS,
    SCHEDULES,
    WITH_MOMENTUM,
    TrainingOptions,
    fastest_precision,
)
from planes.feature_sets import FEATURE_SETS
from runtime.this_process import quiet_tensorflow, silenced_stderr

_LATER = "give the same command where Keras runs on TensorFlow to export the model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership train`."""
    parser.set_defaults(kept="the last checkpoint", checkpoint=LAST)
    parser.add_argument(
        "datasets", metavar="DATASET", nargs="+", help="folder or URL made by `ownership prepare`; several count as one"
    )
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="model directory; resumed if there")
    parser.add_argument(
        "--initial-weights",
        metavar="MODEL",
        help="model to begin with, whose network is the default one: a name or a model directory",
    )
    parser.add_argument(
        "--soft",
        action="append",
        default=[],
        metavar="SOFT",
        help="a soft dataset to learn from as well: a folder or URL made by `ownership teach`, or one of its "
        "files; may be given several times",
    )
    _add_network_arguments(parser.add_argument_group("network"))
    _add_training_arguments(parser.add_argument_group("training"))
    parser.add_argument(
        "--seeds",
        type=int,
        metavar="N",
        help="train so many networks, with --seed and the seeds after it, each for the whole budget, into the folders "
        "seed-0, seed-1 ... of DIR; ownership evaluate shows their mean and how far they are apart",
    )
    add_filter_arguments(parser)


def _add_network_arguments(group: argparse._ArgumentGroup) -> None:
    default = NetworkConfig()
    group.add_argument(
        "--recipe",
        metavar="NAME|FILE",
        help="network and training of that name, see `ownership recipes`, or of a .toml file; other options change it",
    )
    group.add_argument(
        "--architecture",
        choices=list(_architectures()),
        help=f"layout of the network (default: {default.architecture})",
    )
    group.add_argument(
        "--features",
        metavar="NAME",
        help=f"input planes: {', '.join(FEATURE_SETS)}, or one of these with planes more or less, such as tactical-ko "
        f"(default: {_by_architecture('feature_set')})",
    )
    group.add_argument(
        "--heads",
        type=_heads,
        metavar="LIST",
        help=f"outputs, some of {','.join(HEADS)} (default: {_by_architecture('heads')})",
    )
    group.add_argument(
        "--chain-pooling",
        choices=CHAIN_POOLING,
        help=f"pooling of features over chains (default: {default.chain_pooling})",
    )
    group.add_argument(
        "--no-board-pooling",
        dest="board_pooling",
        action="store_const",
        const=False,
        help="leave out the pooling of features over the board",
    )
    group.add_argument(
        "--filters",
        type=int,
        metavar="N",
        help=f"width of the network in filters, a multiple of 4 (default: {default.filters})",
    )
    group.add_argument("--blocks", type=int, metavar="N", help=f"residual blocks (default: {default.blocks})")
    group.add_argument(
        "--dropout", type=float, metavar="SHARE", help="share that dense layers of a recipe leave out in training"
    )
    group.add_argument("--activation", choices=ACTIVATIONS, help="of the hidden layers of a recipe")


def _add_training_arguments(group: argparse._ArgumentGroup) -> None:
    budget = group.add_mutually_exclusive_group()
    budget.add_argument("--samples", type=int, metavar="N", help="budget: positions to train on")
    budget.add_argument(
        "--minutes", type=float, metavar="MINUTES", help="budget: wall time to train for, resumed runs included"
    )
    for name, kind, metavar, text in _TRAINING:
        group.add_argument(
            f"--{name.replace('_', '-')}",
            type=kind,
            metavar=metavar,
            help=text.replace("%", "%%") + (f" (default: {value})" if (value := _default(name)) else ""),
        )
    for name, choices, text in _CHOICES:
        shown = f" (default: {value})" if (value := _default(name)) and name != "precision" else ""
        group.add_argument(f"--{name}", choices=choices, help=text + shown)
    group.add_argument(
        "--symmetries",
        action=argparse.BooleanOptionalAction,
        help="turn and mirror boards at random, or train on them as played (default: the recipe's, else turn)",
    )


def _default(name: str) -> object:
    """Return the default of a training option, None where the help of the option names it."""
    if name in {each.name for each in fields(Architecture)}:
        return _by_architecture(name)
    return getattr(TrainingOptions(samples=1), name)


def _by_architecture(name: str) -> str:
    """Return the defaults that architectures have for an option, such as "squared for classic5, else cross_entropy"."""
    defaults = {each: _text(getattr(kind, name)) for each, kind in _architectures().items()}
    usual = defaults[NetworkConfig().architecture]
    others = [f"{default} for {each}" for each, default in defaults.items() if default != usual]
    return ", ".join([*others, f"else {usual}" if others else usual])


def _text(default: object) -> str:
    return ",".join(default) if isinstance(default, tuple) else str(default)


def _architectures() -> dict[str, Architecture]:
    """Return the architectures that a name alone chooses; the layers of a stack come with a recipe."""
    return {name: kind for name, kind in ARCHITECTURES.items() if name != "stack"}


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers such as 1,10. Received: {cut(text)}") from None


_TRAINING: tuple[tuple[str, Callable[[str], Any], str, str], ...] = (
    ("batch_size", int, "N", "positions a step"),
    ("seed", int, "N", "seed of the first weights and of the batches, at least 0 (default: 0)"),
    ("learning_rate", float, "RATE", "peak of the learning rate"),
    ("momentum", float, "SHARE", f"of the optimizers {' and '.join(WITH_MOMENTUM)}"),
    ("weight_decay", float, "SHARE", "share of the weights, times the rate, that a step takes away (default: 0)"),
    ("policy_weight", float, "WEIGHT", "weight of the policy's loss, that of the ownership being 1"),
    (
        "soft_policy_weight",
        float,
        "WEIGHT",
        "weight of a second policy, in training alone, that learns the teacher's at a temperature of 4 (default: 0)",
    ),
    ("ema", float, "DECAY", "decay a step of the exponential moving average of the weights, 0 for none"),
    (
        "history_dropout",
        float,
        "SHARE",
        "share of the positions, 0 to 1, learned without the moves before (default: 0)",
    ),
    ("endings", float, "SHARE", "share of the positions, 0 to 1, that are ends of counted games, beside other ones"),
    (
        "teacher_weight",
        float,
        "SHARE",
        "share of the positions, 0 to 1, that come from --soft until --teacher-until",
    ),
    ("teacher_until", float, "PART", "part of the training, 0 to 1, after which all positions come from records"),
    ("games", int, "N", "the most games to train on, always the same ones of a dataset (default: all)"),
    (
        "dataset_weights",
        _weights,
        "W,...",
        "how often games of each dataset are drawn: 1,10 draws a game of the second ten times as often as one of the "
        "first (default: all alike)",
    ),
    ("patience", int, "N", "end after so many validations in a row without a better one (default: never)"),
)
_CHOICES: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("optimizer", OPTIMIZERS, "how steps follow from gradients"),
    ("schedule", SCHEDULES, "course of the learning rate"),
    ("initializer", INITIALIZERS, "how first weights are drawn (default: as suits each layer)"),
    ("loss", LOSSES, "loss of the ownership"),
    ("precision", PRECISIONS, "arithmetic (default: the one that this processor does faster)"),
    ("dame", DAME_TARGETS, "target of neutral points"),
)


def _heads(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run(arguments: argparse.Namespace) -> int:
    """Train, print where the model is and how close its export; return the exit status."""
    recipe = find_recipe(arguments.recipe) if arguments.recipe else None
    with naming("--initial-weights"):
        initial_weights = find_model(arguments.initial_weights) if arguments.initial_weights else None
    config, options = _network(arguments, recipe, initial_weights), _options(arguments, recipe)
    chosen = game_filter(arguments)
    if arguments.soft:
        check_soft(arguments.soft, config.side)
    check_games_for(config, arguments.datasets, chosen)
    quiet_tensorflow()
    with silenced_stderr():
        from ownership.training.train_run import can_export, train

    if not can_export():
        print(f"{arguments.output}: this training will not be exported; then {_LATER}", file=sys.stderr)
    trainings = _trainings(arguments.output, options, arguments.seeds)
    for output, seeded in trainings:
        arguments.output = output  # what an interrupt names
        difference = train(
            arguments.datasets, config, seeded, output, chosen, initial_weights, arguments.soft, arguments.recipe
        )
        if difference is None:
            print(f"{output}: trained; {_LATER}", file=sys.stderr)
            continue
        close = f"within {difference.mean:.4f} of Keras on average on {plural(difference.positions, 'position')}"
        print(f"{output}: trained and exported with {difference.weights} weights, {close}", file=sys.stderr)
    if can_export():
        outputs = [str(output) for output, _ in trainings]
        measured = [*outputs, *arguments.datasets, *([] if "ownership" in config.heads else ["--moves"])]
        print(f"Next: ownership evaluate {' '.join(measured)}", file=sys.stderr)
    return 0


def _trainings(output: Path, options: TrainingOptions, seeds: int | None) -> list[tuple[Path, TrainingOptions]]:
    """Return the folder and the options of each training."""
    if seeds is None:
        return [(output, options)]
    if seeds < 1:
        raise InputError(f"--seeds must be at least 1. Received: {seeds}")
    numbers = range(options.seed, options.seed + seeds)
    return [(output / f"seed-{number}", replace(options, seed=number)) for number in numbers]


def _network(arguments: argparse.Namespace, recipe: Recipe | None, start: ModelFiles | None) -> NetworkConfig:
    """Return the network of a recipe, of the model to begin with, or of an architecture, with what arguments change."""
    changes = _given(arguments, ("architecture", "heads", "chain_pooling", "board_pooling", "filters", "blocks"))
    if arguments.features:
        changes["feature_set"] = arguments.features
    layers = _given(arguments, ("dropout", "activation"))
    if recipe is not None:
        network = replace(recipe.network, **changes)
    elif start is not None and isinstance(start.network, NetworkConfig) and not arguments.architecture:
        network = replace(start.network, **changes)
    else:
        name = changes.get("architecture", NetworkConfig().architecture)
        kind = ARCHITECTURES[name]
        usual = NetworkConfig(name, kind.feature_set, heads=kind.heads, blocks=kind.blocks or NetworkConfig.blocks)
        network = replace(usual, **changes)
    if not layers:
        return network
    if network.stack is None:
        raise InputError(f"--{next(iter(layers))} needs a recipe with a stack of layers. Received: another network")
    return replace(network, stack=replace(network.stack, **layers))


def _options(arguments: argparse.Namespace, recipe: Recipe | None) -> TrainingOptions:
    names = [field.name for field in fields(TrainingOptions) if hasattr(arguments, field.name)]
    changes = {"precision": fastest_precision()} | _given(arguments, names)
    return recipe.options(**changes) if recipe else TrainingOptions(**changes)


def _given(arguments: argparse.Namespace, names: Iterable[str]) -> dict[str, Any]:
    """Return the arguments of these names that the user gave."""
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}
