"""`ownership train`: datasets become a model directory."""

import argparse
import os
import sys
from pathlib import Path

from ownership.commands.filters import add_filter_arguments, game_filter
from ownership.inference.config import ARCHITECTURES, CHAIN_POOLING, HEADS, NetworkConfig
from ownership.inference.files import find_model
from ownership.inference.silence import silenced_stderr
from ownership.training.options import DAME, LOSSES, PRECISIONS, TrainingOptions, fastest_precision


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `ownership train` to its parser."""
    network, training = NetworkConfig(), TrainingOptions(samples=1)
    parser.add_argument(
        "datasets", metavar="dataset", nargs="+", help="folder or URL made by `ownership prepare`; several count as one"
    )
    parser.add_argument("--output", type=Path, required=True, help="model directory; an interrupted training goes on")
    parser.add_argument("--start", metavar="MODEL", help="begin with its weights: a bundled name or a model directory")
    parser.add_argument("--architecture", choices=ARCHITECTURES, default=network.architecture)
    parser.add_argument(
        "--features",
        metavar="NAME",
        help="classic8 (default for classic5), standard, tactical (else), or one with planes more or less: tactical-ko",
    )
    parser.add_argument(
        "--heads",
        type=_heads,
        metavar="LIST",
        help=f"what it answers: {','.join(HEADS)} (default) or only the first (default for classic5)",
    )
    parser.add_argument(
        "--chain-pooling",
        choices=CHAIN_POOLING,
        default=network.chain_pooling,
        help="pool features over chains (%(default)s)",
    )
    parser.add_argument(
        "--no-board-pooling", dest="board_pooling", action="store_false", help="residual blocks see no whole board"
    )
    parser.add_argument("--filters", type=int, default=network.filters, help="width of the network (%(default)s)")
    parser.add_argument("--blocks", type=int, default=network.blocks, help="residual blocks (%(default)s)")
    budget = parser.add_mutually_exclusive_group(required=True)
    budget.add_argument("--samples", type=int, help="positions to train on")
    budget.add_argument("--minutes", type=float, help="time to train for, resumed runs included")
    parser.add_argument("--batch-size", type=int, default=training.batch_size, help="positions a step (%(default)s)")
    parser.add_argument("--seed", type=int, default=training.seed, help="of first weights and batches (%(default)s)")
    parser.add_argument("--learning-rate", type=float, help="peak; default: the architecture's")
    parser.add_argument("--loss", choices=LOSSES, help="default: squared for classic5, else cross_entropy")
    parser.add_argument(
        "--policy-weight",
        type=float,
        default=training.policy_weight,
        help="of the moves' loss, the ownership's weighing 1 (%(default)s)",
    )
    parser.add_argument(
        "--average",
        type=float,
        default=training.average,
        metavar="DECAY",
        help="of the moving average of the weights, a step; 0 for none (%(default)s)",
    )
    parser.add_argument(
        "--forget",
        type=float,
        default=training.forget,
        metavar="SHARE",
        help="of the positions that are learned without the moves before them, as if set up (%(default)s)",
    )
    parser.add_argument("--precision", choices=PRECISIONS, help="default: whichever this processor does faster")
    add_filter_arguments(parser)
    parser.add_argument("--dame", choices=DAME, default=training.dame, help="target of neutral points (%(default)s)")


def _heads(text: str) -> tuple[str, ...]:
    return tuple(text.split(","))


def run(args: argparse.Namespace) -> int:
    """Trains, and says where the model is and how good; returns the exit status."""
    architecture = ARCHITECTURES[args.architecture]
    config = NetworkConfig(
        architecture=args.architecture,
        feature_set=args.features or architecture.feature_set,
        heads=args.heads or architecture.heads,
        chain_pooling=args.chain_pooling,
        board_pooling=args.board_pooling,
        filters=args.filters,
        blocks=args.blocks,
    )
    options = TrainingOptions(
        samples=args.samples,
        minutes=args.minutes,
        batch_size=args.batch_size,
        seed=args.seed,
        learning_rate=args.learning_rate,
        loss=args.loss,
        precision=args.precision or fastest_precision(),
        dame=args.dame,
        policy_weight=args.policy_weight,
        average=args.average,
        forget=args.forget,
    )
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    with silenced_stderr():
        from ownership.training.trainer import train

    start = find_model(args.start) if args.start else None
    difference = train(args.datasets, config, options, args.output, game_filter(args), start)
    said = "trained; give the same command where Keras runs on TensorFlow to export it"
    if difference:
        close = f"within {difference.mean:.4f} of Keras on average on {difference.positions} positions"
        said = f"trained and exported; LiteRT is {close}"
    print(f"{args.output}: {said}", file=sys.stderr)
    return 0
