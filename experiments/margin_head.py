"""python -m experiments.margin_head OUTPUT DATASET... --soft SOFT... [--model default] [--minutes 12]

Give a trained network a head of margins, with which it predicts leads and chances to win. The rest of the network
stays as it is. The head learns from results of games and from a teacher's leads and chances to win, and the new model
is left in OUTPUT. docs/lab/models.md, "Leads", has what it gave.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from benchmarks.command import exit_with, parser_of
from experiments.gpu_training import export_averaged
from goban.errors import InputError
from ownership.inference.files import find_model
from ownership.training.games import games_for, sampler_for
from ownership.training.options import TrainingOptions, fastest_precision
from preprocessing.dataset.table import load_soft

if TYPE_CHECKING:
    from ownership.training.schedule import Schedule

_HEAD: Final = "margin"
_SHOWN: Final = 500  # steps


def main() -> int:
    """Train the head and export the network."""
    parser = parser_of("experiments.margin_head", __doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--soft", nargs="+", required=True, metavar="SOFT", help="labels of a teacher")
    parser.add_argument("--model", default="default", help="what gets the head (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=12, metavar="M", help="of training (default: %(default)s)")
    parser.add_argument("--teacher-weight", type=float, default=0.4, metavar="S", help="share (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=5, metavar="N", help="default: %(default)s")
    _train(parser.parse_args())
    return 0


def _train(arguments: argparse.Namespace) -> None:
    import keras

    from ownership.training.ema import WeightEMA
    from ownership.training.losses import margin_loss, network_inputs, network_targets
    from ownership.training.networks import build_network
    from ownership.training.optimizers import make_optimizer
    from ownership.training.saved import take_weights, trained_config
    from ownership.training.schedule import Schedule

    first = find_model(arguments.model)
    without = trained_config(first)
    if _HEAD in without.heads:
        raise InputError(f"expected a model without a head of margins. Received: {arguments.model}")
    config = replace(without, heads=(*without.heads, _HEAD))
    options = TrainingOptions(
        minutes=arguments.minutes,
        batch_size=128,
        seed=arguments.seed,
        learning_rate=2e-3,
        weight_decay=1e-3,
        precision=fastest_precision(),
        teacher_weight=arguments.teacher_weight,
        history_dropout=0.1,
        ema=0.998,
    )
    games = games_for(config, arguments.datasets, "train")
    sampler = sampler_for(config, options, games, load_soft(arguments.soft))
    keras.utils.set_random_seed(options.seed)
    network = build_network(config, options.precision)
    take_weights(network, config, first)
    kept = {layer.name for layer in build_network(without).layers}
    for layer in network.layers:
        layer.trainable = layer.name not in kept
    head = keras.Model(network.input, network.output[_HEAD])
    head.compile(make_optimizer(options), margin_loss)
    average = WeightEMA([each.numpy() for each in head.trainable_variables], options.ema)
    samples, started = 0, time.monotonic()
    for number, rate in _paced(Schedule(options, options.peak_for(config)), arguments.minutes):
        batch = sampler.batch(number)
        targets, known = network_targets(batch, config, options, number)
        samples += len(batch.move)
        head.optimizer.learning_rate = rate
        head.reset_metrics()
        loss = head.train_on_batch(network_inputs(batch), targets[_HEAD], known[_HEAD])
        if average.due(number):
            average.update(number, [each.numpy() for each in head.trainable_variables])
        if number % _SHOWN == 0:
            print(f"{samples:,} samples, loss {float(loss):.3f}", flush=True)
    for variable, value in zip(head.trainable_variables, average.weights, strict=True):
        variable.assign(value)
    described = {"samples": samples, "seconds": time.monotonic() - started, "initial_weights": first.place}
    # Without shifts, which depend on positions, int8 weights of the rest are rounded as they were before.
    export_averaged(network.get_weights(), config, options, games, arguments, described, shifted=False)


def _paced(schedule: "Schedule", minutes: float) -> Iterator[tuple[int, float]]:
    """Yield the numbers of steps, from 1, with their learning rates, until the minutes after the first are over."""
    started = used = 0.0
    for number in count(1):
        yield number, schedule.learning_rate(used, number)
        started = started or time.monotonic()
        used = (time.monotonic() - started) / 60 / minutes
        if used >= 1:
            return


if __name__ == "__main__":
    exit_with(main)
