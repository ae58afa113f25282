"""python -m experiments.recipe_costs DATASET [--small DATASET] [--seconds 20] [--recipes NAME ...]

What the training of each recipe costs: samples in a second of processor time, and the hours that its whole length takes
on two cores, reckoned from that. This is behind docs/papers/README.md, "What a training costs".
"""

import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

import keras

from benchmarks.command import exit_with, parser_of
from ownership.training.recipes import RECIPES
from ownership.training.trainer import Trainer
from ownership.training.training_games import training_games

WARM_UP = 5  # batches that are not timed: the first ones compile the graph
SMALL = 9  # board side
CORES = 2


class Timer(keras.callbacks.Callback):  # type: ignore[misc]
    """Measures the processor time of batches, and then ends the training."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.limit, self.batches, self.began, self.seconds = seconds, -WARM_UP, 0.0, 0.0

    def on_train_batch_end(self, batch: int, logs: Mapping[str, float] | None = None) -> None:
        """Count the batch; end the training after the given processor time."""
        if self.batches == 0:
            self.began = time.process_time()
        self.batches += 1
        if self.batches > 1:
            self.seconds = time.process_time() - self.began
            self.model.stop_training = self.seconds >= self.limit


def main() -> int:
    """Print a row for each recipe."""
    parser = parser_of("experiments.recipe_costs", __doc__)
    parser.add_argument("dataset", help="prepared games on 19x19")
    parser.add_argument("--small", help="prepared games on 9x9, for the recipes of this side")
    parser.add_argument("--seconds", type=float, default=20, help="of processor time for each recipe (%(default)s)")
    parser.add_argument("--recipes", nargs="+", choices=RECIPES, default=[*RECIPES], metavar="NAME")
    arguments = parser.parse_args()
    print(f"| recipe | samples | samples in a second of processor time | hours on {CORES} cores |\n|---|---|---|---|")
    for name in arguments.recipes:
        recipe = RECIPES[name]
        dataset = arguments.small if recipe.network.side == SMALL else arguments.dataset
        if dataset is None:
            continue
        options, timer = recipe.options(), Timer(arguments.seconds)
        games = training_games(recipe.network, options, [dataset])
        with tempfile.TemporaryDirectory() as folder:
            Trainer(recipe.network, options, games, Path(folder)).fit([timer])
        keras.backend.clear_session()
        speed = timer.batches * options.batch_size / timer.seconds
        hours = (options.samples or 0) / speed / 3600 / CORES
        print(f"| `{name}` | {options.samples:,} | {speed:,.0f} | {hours:,.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    exit_with(main)
