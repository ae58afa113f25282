"""Train the network of `ownership.inference.settling_network` from labels, with Keras.

    python -m ownership.training.settled_training DATASET... --labels FILE... -o weights.npz [--steps 6000]

It learns from some positions of each labelled game, spread over the game and turned at random.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any, Final

import keras
import numpy as np
from keras import layers, ops
from numpy.typing import NDArray

from game_datasets.load_table import load_games
from goban.coords import destinations
from ownership.inference.evaluator import Evaluator
from ownership.inference.settling_network import BLOCKS, FILTERS, POOLED, RANGES
from ownership.training.settled_cases import SettlingCases, settling_cases
from ownership.training.settled_labels import read_labels
from runtime.command_line import exit_with
from runtime.safe_writing import replacing

_BATCH: Final = 32
_RATE: Final = 2e-3
_WARM_UP: Final = 100  # steps


def settling_model(channels: int) -> keras.Model:
    """Return the network with fresh weights, for any board side; its answers are logits of the ranges."""
    planes = keras.Input((None, None, channels))
    x = layers.Conv2D(FILTERS, 3, padding="same", activation="relu", name="stem")(planes)
    for number in range(1, BLOCKS + 1):
        branch = layers.Conv2D(FILTERS, 3, padding="same", name=f"block{number}")(x)
        if number == POOLED:
            board = layers.Concatenate()([layers.GlobalAveragePooling2D()(x), layers.GlobalMaxPooling2D()(x)])
            board = layers.Dense(FILTERS, name="board")(board)
            branch = layers.Add()([branch, layers.Reshape((1, 1, FILTERS))(board)])
        x = layers.ReLU()(layers.Add()([x, branch]))
    answer = layers.Conv2D(len(RANGES) + 1, 1, name="answer")(layers.Concatenate()([x, planes]))
    return keras.Model(planes, answer)


def weights_of(model: keras.Model) -> dict[str, NDArray[np.float16]]:
    """Return the weights by the names that `settling_network` gives them."""
    named = {weight.path: ops.convert_to_numpy(weight) for weight in model.weights}
    return {path.replace("/", "_"): value.astype(np.float16) for path, value in named.items()}


def train_settled(model: keras.Model, cases: dict[int, SettlingCases], steps: int, seed: int = 0) -> None:
    """Train a network; sides are drawn by the square root of their positions, and the rate falls along a cosine."""
    model.compile(optimizer=keras.optimizers.Adam(_RATE), loss=_loss)
    random, sides = np.random.default_rng(seed), list(cases)
    roots = np.sqrt([len(each.game) for each in cases.values()])
    losses = []
    for step in range(1, steps + 1):
        side = sides[random.choice(len(sides), p=roots / roots.sum())]
        model.optimizer.learning_rate = _RATE * min(1, step / _WARM_UP) * (1 + np.cos(np.pi * step / steps)) / 2
        losses.append(float(model.train_on_batch(*_batch(cases[side], side, random))))
        if step % 500 == 0:
            print(f"step {step} of {steps}: loss {np.mean(losses[-500:]):.4f}", file=sys.stderr, flush=True)


def _batch(cases: SettlingCases, side: int, random: np.random.Generator) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """Return planes and ranges of random positions, turned by one random symmetry."""
    rows = random.integers(0, len(cases.game), _BATCH)
    turned = destinations(side)[random.integers(8), : side * side]
    planes, ranges = np.empty_like(cases.planes[rows], np.float32), np.empty_like(cases.ranges[rows])
    planes[:, turned], ranges[:, turned] = cases.planes[rows], cases.ranges[rows]
    return planes.reshape(_BATCH, side, side, -1), ranges.reshape(_BATCH, side, side)


def _loss(ranges: Any, logits: Any) -> Any:
    """Return the mean cross-entropy of the known points."""
    known = ops.cast(ranges >= 0, "float32")
    losses = ops.sparse_categorical_crossentropy(ops.maximum(ranges, 0), logits, from_logits=True)
    return ops.sum(losses * known) / ops.maximum(ops.sum(known), 1)


def main(argv: Sequence[str] | None = None) -> int:
    """Train on the games of the split `train` that have labels, and write the weights; return 0."""
    parser = argparse.ArgumentParser(prog="python -m ownership.training.settled_training")
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--labels", nargs="+", required=True, metavar="FILE")
    parser.add_argument("-o", "--output", required=True, metavar="FILE")
    parser.add_argument("--steps", type=int, default=6000, metavar="N", help="of 32 positions")
    parser.add_argument("--positions", type=int, default=8, metavar="N", help="of each game")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args(argv)
    evaluator = Evaluator.load(arguments.model, cached=0)
    table, labels = load_games(arguments.datasets, "train"), read_labels(arguments.labels)
    cases = dict(settling_cases(evaluator, table, labels, arguments.positions))
    keras.utils.set_random_seed(0)
    model = settling_model(next(iter(cases.values())).planes.shape[-1])
    train_settled(model, cases, arguments.steps)
    with replacing(arguments.output) as partial, partial.open("wb") as file:
        np.savez(file, **weights_of(model))  # type: ignore[arg-type]
    return 0


if __name__ == "__main__":
    exit_with(main)
