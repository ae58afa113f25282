"""python -m experiments.gpu_training OUTPUT DATASET... --soft SOFT... [--model MODEL] [--seconds 300] [--blocks 10]

Train a network on a GPU with JAX: the losses and batches of `ownership train`, but with many steps under way. Threads
make batches and send them ahead, and figures are read every 250 steps.

With KERAS_BACKEND=jax it trains and leaves the averaged weights in OUTPUT/weights.npz, and on the way those of every
2,000 steps in files of their own. The same command with TensorFlow then makes a model of OUTPUT/weights.npz in OUTPUT.

The network has no normalization, and the answers of its last block can grow until each step ruins the ownership: their
mean square is shown as `trunk`, and `--trunk-weight` times it is added to the loss. docs/lab/models.md, "A larger
network", describes the network that this made, and what went wrong.
"""

import argparse
import json
import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from goban.errors import InputError
from ownership.inference.config import HEADS, NetworkConfig
from ownership.inference.files import find_model, learned_openings
from ownership.training.games import games_for, sampler_for
from ownership.training.options import TrainingOptions
from preprocessing.dataset.sampler import Sampler
from preprocessing.dataset.table import GameTable, load_soft

_WEIGHTS: Final = "weights.npz"
_FIGURES: Final = "figures.json"
_TRUNK: Final = "trunk"
_TRAINED_HEADS: Final = tuple(head for head in HEADS if head != "resign")
_SHOWN: Final = 250  # steps
_KEPT: Final = 2000  # steps
_WARM_UP: Final = 400
_LEAST_RATE: Final = 0.003  # of the peak
_AHEAD: Final = 32  # batches
_CHECKED: Final = 200
_VALIDATION: Final = 2048

Step = Callable[[Any, Any, Any, Any, Any, Any], tuple[Any, Any]]


def main() -> int:
    """Train, or export what was trained."""
    parser = parser_of("experiments.gpu_training", __doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--soft", nargs="+", default=[], metavar="SOFT", help="labels of a teacher")
    parser.add_argument("--model", help="to begin with; by default fresh weights")
    parser.add_argument("--seconds", type=float, default=300, metavar="S", help="of training (default: %(default)s)")
    parser.add_argument("--blocks", type=int, default=10, metavar="N", help="default: %(default)s")
    parser.add_argument("--filters", type=int, default=128, metavar="N", help="default: %(default)s")
    parser.add_argument("--batch-size", type=int, default=512, metavar="N", help="default: %(default)s")
    parser.add_argument("--learning-rate", type=float, default=5e-4, metavar="R", help="peak (default: %(default)s)")
    parser.add_argument("--teacher-weight", type=float, default=0.8, metavar="S", help="share (default: %(default)s)")
    parser.add_argument("--policy-weight", type=float, default=0.5, metavar="W", help="default: %(default)s")
    parser.add_argument("--margin-weight", type=float, default=0.5, metavar="W", help="default: %(default)s")
    parser.add_argument("--trunk-weight", type=float, default=1e-3, metavar="W", help="default: %(default)s")
    parser.add_argument("--seed", type=int, default=5, metavar="N", help="default: %(default)s")
    arguments = parser.parse_args()
    config = NetworkConfig(
        feature_set="tactical", filters=arguments.filters, blocks=arguments.blocks, heads=_TRAINED_HEADS
    )
    options = TrainingOptions(
        minutes=arguments.seconds / 60,
        batch_size=arguments.batch_size,
        seed=arguments.seed,
        learning_rate=arguments.learning_rate,
        optimizer="muon",
        weight_decay=0.02,
        precision="mixed_bfloat16",
        policy_weight=arguments.policy_weight,
        margin_weight=arguments.margin_weight,
        teacher_weight=arguments.teacher_weight,
        history_dropout=0.05,
    )
    import keras

    arguments.output.mkdir(parents=True, exist_ok=True)
    games = games_for(config, arguments.datasets, "train")
    if keras.backend.backend() == "jax":
        soft = load_soft(arguments.soft) if arguments.soft else None
        _train(config, options, sampler_for(config, options, games, soft), arguments)
    else:
        weights = list(np.load(arguments.output / _WEIGHTS).values())
        described = json.loads((arguments.output / _FIGURES).read_text())
        export_averaged(weights, config, options, games, arguments, described)
    return 0


def _train(config: NetworkConfig, options: TrainingOptions, sampler: Sampler, arguments: argparse.Namespace) -> None:
    """Train for the seconds given, after the first step of each board side, which compiles it; write the weights."""
    import jax
    import jax.numpy as jnp
    import keras

    from ownership.training.networks import build_network
    from ownership.training.optimizers import make_optimizer
    from ownership.training.saved import take_weights

    keras.utils.set_random_seed(options.seed)
    model = build_network(config, options.precision)
    if arguments.model:
        take_weights(model, config, find_model(arguments.model))
    optimizer = make_optimizer(options)
    optimizer.build(model.trainable_variables)
    step = jax.jit(_step_of(model, optimizer, options, arguments.trunk_weight), donate_argnums=0)
    weights = [jnp.asarray(each.value) for each in model.trainable_variables]
    state = (weights, [jnp.asarray(each.value) for each in optimizer.variables], [jnp.copy(each) for each in weights])
    figures: list[Any] = []
    number, batches = 0, _batches(sampler, config, options)
    for side in sampler.sides:
        batch = next(batch for batch in batches if batch[0]["planes"].shape[1] == side)
        state, _ = step(state, *batch, jnp.float32(0), jnp.float32(0))
    started = time.monotonic()
    while (used := (time.monotonic() - started) / arguments.seconds) < 1:
        number += 1
        rate = (
            options.peak_for(config)
            * min(1, number / _WARM_UP)
            * max(_LEAST_RATE, 0.5 + 0.5 * math.cos(math.pi * used))
        )
        decay = min(options.ema, (1 + number) / (10 + number))
        state, values = step(state, *next(batches), jnp.float32(rate), jnp.float32(decay))
        figures.append(values)
        if number % _SHOWN == 0:
            _show(number * options.batch_size, np.mean([np.asarray(each) for each in figures], axis=0))
            figures.clear()
        if number % _KEPT == 0:
            np.savez(arguments.output / f"weights-{number * options.batch_size}.npz", *map(np.asarray, state[-1]))
    np.savez(arguments.output / _WEIGHTS, *map(np.asarray, state[-1]))
    described = {
        "samples": number * options.batch_size,
        "seconds": time.monotonic() - started,
        "initial_weights": find_model(arguments.model).place if arguments.model else None,
    }
    (arguments.output / _FIGURES).write_text(json.dumps(described))


def _show(samples: int, values: NDArray[np.float64]) -> None:
    """Print the mean losses since the last line; raise InputError for a training that went wrong."""
    print(
        f"{samples:,} samples",
        *(f"{name} {value:.3f}" for name, value in zip((*_TRAINED_HEADS, _TRUNK), values, strict=True)),
        flush=True,
    )
    if not np.isfinite(values).all():
        raise InputError(
            f"the losses are no numbers any more after {samples:,} samples: choose a lower --learning-rate"
        )


def _step_of(model: Any, optimizer: Any, options: TrainingOptions, trunk_weight: float) -> Step:
    """Return a step as a function: of the weights, the optimizer's variables and the averaged weights, to the same."""
    import jax
    import jax.numpy as jnp
    import keras

    from ownership.training.losses import HEAD_TRAINING

    rate_at = next(at for at, each in enumerate(optimizer.variables) if each is optimizer.learning_rate)
    shares = jnp.array([*(HEAD_TRAINING[head].weight(options) for head in _TRAINED_HEADS), trunk_weight])
    observed = keras.Model(model.input, model.output | {_TRUNK: model.get_layer("owner").input})
    numbers = {id(each): at for at, each in enumerate(model.trainable_variables)}
    places = [numbers[id(each)] for each in observed.trainable_variables]

    def loss(weights: Any, inputs: Any, targets: Any, known: Any) -> tuple[Any, Any]:
        answers, _ = observed.stateless_call([weights[at] for at in places], [], inputs, training=True)
        losses = [jnp.mean(_loss(head)(targets[head], answers[head]) * known[head]) for head in _TRAINED_HEADS]
        figures = jnp.stack([*losses, jnp.mean(jnp.square(answers[_TRUNK].astype(jnp.float32)))])
        return jnp.sum(shares * figures), figures

    def step(state: Any, inputs: Any, targets: Any, known: Any, rate: Any, decay: Any) -> tuple[Any, Any]:
        weights, variables, averaged = state
        gradients, losses = jax.grad(loss, has_aux=True)(weights, inputs, targets, known)
        variables = [rate.astype(each.dtype) if at == rate_at else each for at, each in enumerate(variables)]
        weights, variables = optimizer.stateless_apply(variables, gradients, weights)
        averaged = [decay * old + (1 - decay) * new for old, new in zip(averaged, weights, strict=True)]
        return (weights, variables, averaged), losses

    return step


def _loss(head: str) -> Callable[[Any, Any], Any]:
    """Return the loss of a head for each position, (B,) or, of the ownership, (B, 1)."""
    import keras
    from keras import ops

    from ownership.training.losses import margin_loss, score_loss

    functions: dict[str, Callable[[Any, Any], Any]] = {
        "ownership": lambda wanted, found: ops.mean(
            keras.losses.binary_crossentropy(wanted[..., None], found[..., None]), axis=(1, 2)
        )[:, None],
        "policy": keras.losses.categorical_crossentropy,
        "score": score_loss,
        "margin": margin_loss,
    }
    return functions[head]


def _batches(sampler: Sampler, config: NetworkConfig, options: TrainingOptions) -> Iterator[tuple[Any, Any, Any]]:
    """Yield inputs, targets and weights of the targets on the device, made and sent ahead by threads."""
    import jax

    from ownership.training.losses import network_inputs, network_targets

    def sent(number: int) -> Any:
        batch = sampler.batch(number)
        return jax.device_put((network_inputs(batch), *network_targets(batch, config, options, number)))

    with ThreadPoolExecutor() as pool:
        ahead: deque[Any] = deque()
        for number in count():
            ahead.append(pool.submit(sent, number))
            if len(ahead) > _AHEAD:
                yield ahead.popleft().result()


def export_averaged(
    weights: Sequence[NDArray[np.float32]],
    config: NetworkConfig,
    options: TrainingOptions,
    games: GameTable,
    arguments: argparse.Namespace,
    described: dict[str, Any],
    *,
    shifted: bool = True,
) -> None:
    """Make a model directory of averaged weights.

    Args:
        weights: of the network of `config`.
        config, options, games: of the training.
        arguments: its `output`, `datasets` and `soft`, and the `model` that it began with, or None.
        described: what else is said of it.
        shifted: as for `export`.
    """
    from ownership.training.export import deviation_scales, export, write_learned
    from ownership.training.losses import network_inputs
    from ownership.training.networks import build_network
    from ownership.training.saved import TRAINED
    from ownership.training.validation import HeldOut, validate

    output: Path = arguments.output
    model = build_network(config)
    model.set_weights(weights)
    held_out = HeldOut(games_for(config, arguments.datasets, "validation"), config)
    metrics = validate(model, held_out.batches(_VALIDATION))
    trained = {
        "date": date.today().isoformat(),
        "output": str(output),
        "datasets": arguments.datasets,
        "soft": arguments.soft,
        "games": {},
        "counts": {"train": len(games)},
        **described,
        "options": asdict(options),
    }
    description = {
        "name": output.resolve().name,
        "metrics": metrics,
        "parameters": model.count_params(),
        "trained": trained,
    }
    description |= deviation_scales(model, held_out, _VALIDATION)
    check = [network_inputs(batch) for batch in held_out.batches(_CHECKED)]
    print(export(model, config, output, check, description, shifted=shifted))
    began_with = [learned_openings(find_model(arguments.model))] if arguments.model else []
    write_learned(output, [games.opening, *began_with])
    model.save(output / TRAINED)


if __name__ == "__main__":
    exit_with(main)
