"""Train a network on datasets and write a model directory.

Examples:
    ownership train data/games --minutes 30 --output runs/mine
    ownership train data/games --recipe gocnn --samples 1000000 --output runs/gocnn
    ownership train data/games --grid filters=16,32 chain_pooling=off,max --seeds 3 --samples 200000 --output runs/study

See docs/training.md.
"""

import argparse
import sys
from collections.abc import Iterable
from dataclasses import asdict, fields, replace
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from game_datasets.game_filter import GameFilter
from game_datasets.load_table import check_soft
from goban.errors import InputError, cut, naming, plural
from ownership.commands.shared.filter_arguments import add_filter_arguments, game_filter
from ownership.commands.shared.training_study import check_study, is_finished, parse_grid, report_study, settings
from ownership.evaluation.study_contrasts import Factor, Setting
from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import DESCRIPTION, ModelFiles
from ownership.inference.network_config import (
    ARCHITECTURES,
    CHAIN_POOLING,
    HEADS,
    INITIALIZERS,
    NETWORK_RANGES,
    Architecture,
    NetworkConfig,
)
from ownership.inference.stack_config import ACTIVATIONS, STACK_RANGES
from ownership.training.checkpoints import LAST
from ownership.training.data_fingerprints import fingerprints_of
from ownership.training.recipes import Recipe, find_recipe
from ownership.training.training_games import check_games_for, training_games
from ownership.training.training_options import (
    DAME_TARGETS,
    LOSSES,
    OPTIMIZERS,
    PRECISIONS,
    SCHEDULES,
    TRAINING_RANGES,
    WITH_MOMENTUM,
    TrainingOptions,
    fastest_precision,
)
from planes.feature_sets import FEATURE_SETS
from runtime.command_line import Argument, declare
from runtime.standard_streams import silenced_stderr
from runtime.this_process import quiet_tensorflow

_LATER = "give the same command where Keras runs on TensorFlow to export the model"
_SOFT_HELP = (
    "a soft dataset to learn from as well: a folder or URL made by `ownership teach`, or one of its files; may be "
    "given several times"
)
_SEEDS_HELP = (
    "train this many networks, with --seed and the seeds after it, each for the whole budget, into the folders seed-0, "
    "seed-1 ... of DIR; ownership evaluate shows their mean and how far they are apart"
)
_GRID_HELP = (
    "train a network for each combination of values of these options, each with all --seeds, in folders of DIR such as "
    "filters=16; then measure them on the test games, and print what each option changes"
)
_TARGETS_HELP = "targets of installed packages that heads of the training learn too; the network is saved without these"
_RECIPE_HELP = "network and training of that name, see `ownership recipes`, or of a .toml file; other options change it"
_SOFT_POLICY_HELP = "weight of a second policy head, only in training, that learns the teacher's at a temperature of 4"
_DATASET_WEIGHTS_HELP = (
    "how often games of each dataset are drawn: 1,10 draws a game of the second ten times as often as one of the first"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership train`."""
    parser.set_defaults(kept="the last checkpoint", checkpoint=LAST)
    datasets = "folder or URL made by `ownership prepare`; several count as one"
    initial = "model to begin with, whose network is the default one: a name or a model directory"
    declare(
        parser,
        Argument("datasets DATASET", str, datasets, count="+"),
        Argument("--output DIR", Path, "model directory; resumed if there", required=True),
        Argument("--initial-weights MODEL", str, initial),
        Argument("--soft SOFT", str, _SOFT_HELP, repeated=True),
    )
    _add_network_arguments(parser.add_argument_group("network"))
    _add_training_arguments(parser.add_argument_group("training"))
    declare(
        parser,
        Argument("--seeds N", int, _SEEDS_HELP, least=1),
        Argument("--grid OPTION=VALUE,...", str, _GRID_HELP, count="+"),
        Argument("--picture FILE", Path, "with --grid: also draw its contrasts: .png, .svg or .pdf"),
    )
    add_filter_arguments(parser)


def _add_network_arguments(group: argparse._ArgumentGroup) -> None:
    usual = NetworkConfig()
    features = (
        f"input planes: {', '.join(FEATURE_SETS)}, or one with planes added or removed, also of packages: tactical-ko"
    )
    pooling = "pooling of features over chains"
    width = "width of the network in filters, a multiple of 4"
    dropout = "share that dense layers of a recipe leave out in training"
    declare(
        group,
        Argument("--recipe NAME|FILE", str, _RECIPE_HELP),
        Argument("--architecture", tuple(_architectures()), "layout of the network", otherwise=usual.architecture),
        Argument("--features NAME", str, features, otherwise=_by_architecture("feature_set")),
        Argument("--heads LIST", _heads, f"outputs, some of {','.join(HEADS)}", otherwise=_by_architecture("heads")),
        Argument("--chain-pooling", CHAIN_POOLING, pooling, otherwise=usual.chain_pooling),
        Argument("--filters N", int, width, None, *NETWORK_RANGES["filters"], str(usual.filters)),
        Argument("--blocks N", int, "residual blocks", None, *NETWORK_RANGES["blocks"], str(usual.blocks)),
        Argument("--dropout SHARE", float, dropout, None, *STACK_RANGES["dropout"]),
        Argument("--activation", ACTIVATIONS, "of the hidden layers of a recipe"),
    )
    group.add_argument(
        "--no-board-pooling",
        dest="board_pooling",
        action="store_const",
        const=False,
        help="leave out the pooling of features over the board",
    )


def _add_training_arguments(group: argparse._ArgumentGroup) -> None:
    declare(group.add_mutually_exclusive_group(), *map(_completed, _BUDGET))
    declare(group, *map(_completed, _TRAINING))
    group.add_argument(
        "--symmetries",
        action=argparse.BooleanOptionalAction,
        help="turn and mirror boards at random, or train on them as played (default: the recipe's, else turn)",
    )


def _completed(argument: Argument) -> Argument:
    """Return the argument of a field of TrainingOptions with the range of the field, and with its default."""
    name = argument.name.split()[0].removeprefix("--").replace("-", "_")
    least, most = TRAINING_RANGES.get(name, (-inf, inf))
    otherwise = _default(name) if argument.otherwise is None else argument.otherwise
    return replace(argument, least=least, most=most, otherwise=otherwise)


def _default(name: str) -> str:
    """Return the default of a training option."""
    if name in {each.name for each in fields(Architecture)}:
        return _by_architecture(name)
    value = getattr(TrainingOptions(samples=1), name)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _by_architecture(name: str) -> str:
    """Return the defaults that architectures have for an option, such as "squared for classic5, else cross_entropy"."""
    defaults = {each: _text(getattr(kind, name)) for each, kind in _architectures().items()}
    usual = defaults[NetworkConfig().architecture]
    others = [f"{default} for {each}" for each, default in defaults.items() if default != usual]
    return ", ".join([*others, f"else {usual}" if others else usual])


def _text(default: object) -> str:
    return ",".join(default) if isinstance(default, tuple) else str(default)


def _architectures() -> dict[str, Architecture]:
    """Return the architectures that a name chooses; the layers of a stack come with a recipe."""
    return {name: kind for name, kind in ARCHITECTURES.items() if name != "stack"}


def _heads(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def _weights(text: str) -> tuple[float, ...]:
    try:
        return tuple(map(float, text.split(",")))
    except ValueError:
        raise InputError(f"expected numbers such as 1,10. Received: {cut(text)}") from None


_BUDGET = (
    Argument("--samples N", int, "budget: positions to train on", otherwise=""),
    Argument("--minutes MINUTES", float, "budget: wall time to train for, resumed runs included", otherwise=""),
)
_TRAINING = (
    Argument("--batch-size N", int, "positions a step"),
    Argument("--seed N", int, "seed of the first weights and of the batches"),
    Argument("--learning-rate RATE", float, "peak of the learning rate"),
    Argument("--momentum SHARE", float, f"of the optimizers {' and '.join(WITH_MOMENTUM)}"),
    Argument("--weight-decay SHARE", float, "share of the weights, times the rate, that a step takes away"),
    Argument("--policy-weight WEIGHT", float, "weight of the policy's loss, that of the ownership being 1"),
    Argument("--soft-policy-weight WEIGHT", float, _SOFT_POLICY_HELP),
    Argument("--ema DECAY", float, "decay per step of the exponential moving average of the weights, 0 for none"),
    Argument("--history-dropout SHARE", float, "share of the positions learned without the moves before"),
    Argument("--endings SHARE", float, "share of the positions that are ends of counted games"),
    Argument("--teacher-weight SHARE", float, "share of the positions that come from --soft until --teacher-until"),
    Argument("--teacher-until PART", float, "part of the training after which all positions come from records"),
    Argument("--games N", int, "the most games to train on, always the same ones of a dataset", otherwise="all"),
    Argument("--dataset-weights W,...", _weights, _DATASET_WEIGHTS_HELP, otherwise="all alike"),
    Argument("--targets NAME,...", _heads, _TARGETS_HELP, otherwise="none"),
    Argument("--patience N", int, "end after this many validations in a row without a better one", otherwise="never"),
    Argument("--optimizer", OPTIMIZERS, "how steps follow from gradients"),
    Argument("--schedule", SCHEDULES, "course of the learning rate"),
    Argument("--initializer", INITIALIZERS, "how first weights are drawn", otherwise="as suits each layer"),
    Argument("--loss", LOSSES, "loss of the ownership"),
    Argument("--precision", PRECISIONS, "arithmetic", otherwise="the faster one on this processor"),
    Argument("--dame", DAME_TARGETS, "target of neutral points"),
)


class _Plan(NamedTuple):
    """One network to train, with one seed or several.

    Attributes:
        setting: of the study that it belongs to.
        network: what is trained.
        options: how.
        initial_weights: the model to begin with.
        arguments: of the command.
        outputs: the folder and the options of each training.
    """

    setting: Setting
    network: NetworkConfig
    options: TrainingOptions
    initial_weights: ModelFiles | None
    arguments: argparse.Namespace
    outputs: list[tuple[Path, TrainingOptions]]


def run(arguments: argparse.Namespace) -> int:
    """Train, print where the models are and how close their exports; return the exit status."""
    factors, chosen = _factors(arguments), game_filter(arguments)
    studied = settings(factors, arguments, add_arguments) if factors else [((), arguments)]
    plans = [_plan(setting, each) for setting, each in studied]
    configs = [plan.network for plan in plans]
    if arguments.soft:
        check_soft(arguments.soft, configs[0].side)
    for config in configs:
        check_games_for(config, arguments.datasets, chosen)
    if factors:
        check_study(arguments.datasets, configs, chosen)
    quiet_tensorflow()
    with silenced_stderr():
        from ownership.training.train_run import can_export

    if not can_export():
        print(f"{arguments.output}: this training will not be exported; then {_LATER}", file=sys.stderr)
    for plan in plans:
        for output, seeded in plan.outputs:
            arguments.output, folder = output, arguments.output  # what an interrupt names
            _train(plan, output, seeded, chosen, skips=bool(factors))
            arguments.output = folder
    if can_export():
        if factors:
            trained = [(plan.setting, output) for plan in plans for output, _ in plan.outputs]
            report_study(factors, trained, configs, chosen, arguments)
        else:
            _print_next(plans[0])
    return 0


def _factors(arguments: argparse.Namespace) -> tuple[Factor, ...]:
    """Return the factors of a study, none for trainings of one setting."""
    if arguments.picture:
        if not arguments.grid:
            raise InputError("--picture needs --grid, whose contrasts it shows. Received: no --grid")
        from viz.figure import check_picture

        check_picture(arguments.picture)
    return parse_grid(arguments.grid, arguments) if arguments.grid else ()


def _plan(setting: Setting, arguments: argparse.Namespace) -> _Plan:
    recipe = find_recipe(arguments.recipe) if arguments.recipe else None
    with naming("--initial-weights"):
        initial = find_model(arguments.initial_weights) if arguments.initial_weights else None
    network, options = _network(arguments, recipe, initial), _options(arguments, recipe)
    outputs = _trainings(arguments.output, options, arguments.seeds)
    return _Plan(setting, network, options, initial, arguments, outputs)


def _train(plan: _Plan, output: Path, options: TrainingOptions, chosen: GameFilter, skips: bool) -> None:
    """Train one network, unless it is finished and to be skipped, and print what came of it."""
    from ownership.training.train_run import train

    given = plan.arguments
    if skips and _is_finished(plan, output, options, chosen):
        print(f"{output}: trained before", file=sys.stderr)
        return
    difference = train(
        given.datasets, plan.network, options, output, chosen, plan.initial_weights, given.soft, given.recipe
    )
    if difference is None:
        print(f"{output}: trained; {_LATER}", file=sys.stderr)
        return
    close = f"within {difference.mean:.5f} of Keras on average on {plural(difference.positions, 'position')}"
    print(f"{output}: trained and exported with {difference.weights} weights, {close}", file=sys.stderr)


def _is_finished(plan: _Plan, output: Path, options: TrainingOptions, chosen: GameFilter) -> bool:
    """Return whether a folder has the model of a training, of the games that the datasets have now."""
    given, start = plan.arguments, plan.initial_weights
    if not (output / DESCRIPTION).is_file():
        return False
    games = training_games(plan.network, options, given.datasets, chosen, given.soft)
    trained = {
        "fingerprints": fingerprints_of(games, start),
        "options": asdict(options.settled_for(plan.network)),
    }
    return is_finished(output, {"network": plan.network.to_dict(), "trained": trained})


def _print_next(plan: _Plan) -> None:
    outputs = [str(output) for output, _ in plan.outputs]
    without = [] if "ownership" in plan.network.heads else ["--moves"]
    print(f"Next: ownership evaluate {' '.join([*outputs, *plan.arguments.datasets, *without])}", file=sys.stderr)


def _trainings(output: Path, options: TrainingOptions, seeds: int | None) -> list[tuple[Path, TrainingOptions]]:
    """Return the folder and the options of each training."""
    if seeds is None:
        return [(output, options)]
    numbers = range(options.seed, options.seed + seeds)
    return [(output / f"seed-{number}", replace(options, seed=number)) for number in numbers]


def _network(arguments: argparse.Namespace, recipe: Recipe | None, start: ModelFiles | None) -> NetworkConfig:
    """Return the network of a recipe, of the first model, or of an architecture, with the changes of arguments."""
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
