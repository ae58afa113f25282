"""Batches of games as Keras takes them, for `fit` and `evaluate` outside of `ownership train`."""

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

import keras

from game_datasets.game_filter import EVERY_GAME, GameFilter
from game_datasets.load_table import load_soft
from game_datasets.shards import Datasets
from goban.errors import InputError
from ownership.inference.litert_network import NamedArrays
from ownership.inference.model_catalogue import find_model
from ownership.inference.network_config import NetworkConfig
from ownership.training.head_training import network_targets
from ownership.training.saved_networks import trained_config
from ownership.training.training_games import games_for, sampler_for
from ownership.training.training_options import TrainingOptions
from ownership.training.training_targets import network_inputs


class KerasDataset(keras.utils.PyDataset):  # type: ignore[misc]
    """Random positions of datasets: inputs, targets and weights of a network, each by name.

    Epochs of the split `train` continue each other; epochs of another split have the same positions.

    Args:
        datasets: a dataset or several, as for `ownership train`.
        model: the model whose network reads the batches, by name or directory, or a network's configuration.
        steps: batches an epoch.
        split: `train`, `validation`, `test` or, for all games, None.
        options: how to draw positions, and what their targets are; its budget does not matter.
        chosen: which games to use.
        soft: soft datasets, which give `options.teacher_weight` of the positions.
        loading: options of `keras.utils.PyDataset`, such as `workers`.

    Each batch holds one board side. Keras takes from the first two batches of an epoch which lengths vary, so where
    there are several sides these two have different ones: the second changes places with a later batch. Weights are 0
    where a target is not known; `network_targets` describes both.

    Raises:
        DatasetError: a dataset is missing, damaged or has no such game.
        InputError: one batch an epoch, from games of several board sides that go on.
    """

    def __init__(
        self,
        datasets: Datasets,
        model: str | Path | NetworkConfig,
        steps: int,
        split: str | None = "train",
        options: TrainingOptions | None = None,
        chosen: GameFilter = EVERY_GAME,
        soft: Sequence[Path | str] = (),
        **loading: Any,
    ) -> None:
        super().__init__(**loading)
        self._config = model if isinstance(model, NetworkConfig) else trained_config(find_model(model))
        self._options = options or TrainingOptions(samples=1)
        games = games_for(self._config, datasets, split, chosen, self._options.games)
        taught = load_soft(soft, self._config.side) if soft else None
        self._sampler = sampler_for(self._config, self._options, games, taught)
        self._steps, self._first, self._goes_on = steps, 0, split == "train"
        if self._goes_on and steps == 1 and len(self._sampler.sides) > 1:
            sides = ", ".join(map(str, self._sampler.sides))
            raise InputError(f"steps must be 2 or more for games of several board sides. Received: 1, for {sides}")

    def __len__(self) -> int:
        return self._steps

    def __getitem__(self, step: int) -> tuple[NamedArrays, NamedArrays, NamedArrays]:
        number = self._first + self._placed(step)
        batch = self._sampler.batch(number)
        return network_inputs(batch), *network_targets(batch, self._config, self._options, number)

    def _placed(self, step: int) -> int:
        """Return which batch of the epoch comes at a step, so that the first two have different board sides."""
        if len(self._sampler.sides) == 1 or self._steps == 1:
            return step
        side = self._sampler.side(self._first)
        other = next(later for later in count(1) if self._sampler.side(self._first + later) != side)
        return {1: other, other: 1}.get(step, step)

    def on_epoch_end(self) -> None:
        """Begin the next epoch."""
        self._first += self._steps * self._goes_on
