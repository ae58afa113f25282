"""`ownership train`: train a network on datasets and write a model directory."""

import argparse
import os
import sys
from pathlib import Path

from ownership.commands.checks import naming
from ownership.commands.filters import add_filter_arguments, game_filter
from ownership.inference.config import ARCHITECTURES, CHAIN_POOLING, HEADS, NetworkConfig
from ownership.inference.files import find_model
from ownership.inference.silence import silenced_stderr
from ownership.training.options import DAME, LOSSES, PRECISIONS, TrainingOptions, fastest_precision

_LATER = "give the same command where Keras runs on TensorFlow to export the model"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership train`."""
    parser.add_argument(
        "datasets", metavar="DATASET", nargs="+", help="folder or URL made by `ownership prepare`; several count as one"
    )
    parser.add_argument(
        "--output", type=Path, required=True, metavar="DIR", help="model directory; an interrupted training goes on"
    )
    parser.add_argument(
        "--initial-weights", metavar="MODEL", help="model to begin with: a bundled name or a model directory"
    )
    parser.add_argument(
        "--soft",
        action="append",
        default=[],
        metavar="SOFT",
        help="a teacher's opinions to learn from as well, a folder or URL made by `ownership teach`, or one of its "
        "files; may be given several times",
    )
    _add_network_arguments(parser.add_argument_group("network"))
    _add_training_arguments(parser.add_argument_group("training"))
    add_filter_arguments(parser)


def _add_network_arguments(group: argparse._ArgumentGroup) -> None:
    default = NetworkConfig()
    group.add_argument(
        "--architecture",
        choices=ARCHITECTURES,
        default=default.architecture,
        help="layout of the network (default: %(default)s)",
    )
    group.add_argument(
        "--features",
        metavar="NAME",
        help="input planes: classic8 (default for classic5), standard, tactical (default for other networks), or one "
        "of these with planes more or less, such as tactical-ko",
    )
    group.add_argument(
        "--heads",
        type=_heads,
        metavar="LIST",
        help=f"outputs: {','.join(HEADS)} (default) or only the first (default for classic5)",
    )
    group.add_argument(
        "--chain-pooling",
        choices=CHAIN_POOLING,
        default=default.chain_pooling,
        help="pooling of features over chains (default: %(default)s)",
    )
    group.add_argument(
        "--no-board-pooling",
        dest="board_pooling",
        action="store_false",
        help="leave out the pooling of features over the board",
    )
    group.add_argument(
        "--filters",
        type=int,
        default=default.filters,
        metavar="N",
        help="width of the network in filters, a multiple of 4 (default: %(default)s)",
    )
    group.add_argument(
        "--blocks", type=int, default=default.blocks, metavar="N", help="residual blocks (default: %(default)s)"
    )


def _add_training_arguments(group: argparse._ArgumentGroup) -> None:
    default = TrainingOptions(samples=1)
    budget = group.add_mutually_exclusive_group(required=True)
    budget.add_argument("--samples", type=int, metavar="N", help="budget: positions to train on")
    budget.add_argument(
        "--minutes", type=float, metavar="MINUTES", help="budget: wall time to train for, resumed runs included"
    )
    group.add_argument(
        "--batch-size",
        type=int,
        default=default.batch_size,
        metavar="N",
        help="positions a step (default: %(default)s)",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=default.seed,
        metavar="N",
        help="seed of the first weights and of the batches, at least 0 (default: %(default)s)",
    )
    group.add_argument(
        "--learning-rate",
        type=float,
        metavar="RATE",
        help="peak of Adam's learning rate (default: 1e-4 for classic5, else 2e-3)",
    )
    group.add_argument(
        "--loss", choices=LOSSES, help="loss of the ownership (default: squared for classic5, else cross_entropy)"
    )
    group.add_argument(
        "--policy-weight",
        type=float,
        default=default.policy_weight,
        metavar="WEIGHT",
        help="weight of the policy's loss, that of the ownership being 1 (default: %(default)s)",
    )
    group.add_argument(
        "--ema",
        type=float,
        default=default.ema,
        metavar="DECAY",
        help="decay a step of the exponential moving average of the weights, 0 for none (default: %(default)s)",
    )
    group.add_argument(
        "--history-dropout",
        type=float,
        default=default.history_dropout,
        metavar="SHARE",
        help="share of the positions, 0 to 1, that are learned without the moves before them (default: %(default)s)",
    )
    group.add_argument(
        "--precision", choices=PRECISIONS, help="arithmetic (default: whichever this processor does faster)"
    )
    group.add_argument(
        "--dame", choices=DAME, default=default.dame, help="target of neutral points (default: %(default)s)"
    )

    group.add_argument(
        "--teacher-weight",
        type=float,
        default=default.teacher_weight,
        metavar="SHARE",
        help="share of the positions, 0 to 1, that come from --soft until --teacher-until (default: %(default)s)",
    )
    group.add_argument(
        "--teacher-until",
        type=float,
        default=default.teacher_until,
        metavar="PART",
        help="part of the training, 0 to 1, after which all positions come from records (default: %(default)s)",
    )


def _heads(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run(arguments: argparse.Namespace) -> int:
    """Train, print where the model is and how close its export; return the exit status."""
    config, options = _network(arguments), _options(arguments)
    chosen = game_filter(arguments)
    with naming("--initial-weights"):
        initial_weights = find_model(arguments.initial_weights) if arguments.initial_weights else None
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    with silenced_stderr():
        from ownership.training.trainer import can_export, train

    if not can_export():
        print(f"{arguments.output}: this training will not be exported; then {_LATER}", file=sys.stderr)
    difference = train(arguments.datasets, config, options, arguments.output, chosen, initial_weights, arguments.soft)
    if difference is None:
        print(f"{arguments.output}: trained; {_LATER}", file=sys.stderr)
        return 0
    close = f"within {difference.mean:.4f} of Keras on average on {difference.positions} positions"
    print(f"{arguments.output}: trained and exported; LiteRT is {close}", file=sys.stderr)
    return 0


def _network(arguments: argparse.Namespace) -> NetworkConfig:
    architecture = ARCHITECTURES[arguments.architecture]
    return NetworkConfig(
        architecture=arguments.architecture,
        feature_set=arguments.features or architecture.feature_set,
        heads=arguments.heads or architecture.heads,
        chain_pooling=arguments.chain_pooling,
        board_pooling=arguments.board_pooling,
        filters=arguments.filters,
        blocks=arguments.blocks,
    )


def _options(arguments: argparse.Namespace) -> TrainingOptions:
    return TrainingOptions(
        samples=arguments.samples,
        minutes=arguments.minutes,
        batch_size=arguments.batch_size,
        seed=arguments.seed,
        learning_rate=arguments.learning_rate,
        loss=arguments.loss,
        precision=arguments.precision or fastest_precision(),
        dame=arguments.dame,
        policy_weight=arguments.policy_weight,
        ema=arguments.ema,
        history_dropout=arguments.history_dropout,
        teacher_weight=arguments.teacher_weight,
        teacher_until=arguments.teacher_until,
    )
