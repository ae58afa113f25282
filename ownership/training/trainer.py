"""Trains a network on a dataset: resumable at any moment, the same again from the same seed."""

import hashlib
import time
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import date
from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from goban.counting.expected import INTERVAL
from ownership.inference.config import NetworkConfig
from ownership.inference.files import ModelFiles
from ownership.training.checkpoints import Progress, load_checkpoint, replace_file, save_checkpoint, write_json
from ownership.training.ema import WeightAverage
from ownership.training.export import Difference, export
from ownership.training.initial_weights import TRAINED, fingerprint, take_weights
from ownership.training.log import Log
from ownership.training.losses import compile_network, network_inputs, network_targets, shown, validate
from ownership.training.model_card import write_model_card
from ownership.training.networks import build_network
from ownership.training.options import TrainingOptions, scheduled
from preprocessing.dataset.filters import EVERY_GAME, GameFilter
from preprocessing.dataset.sampler import Batch, Sampler, evaluation_positions, table_planes
from preprocessing.dataset.shards import Datasets, listed
from preprocessing.dataset.table import GameTable, load_games
from preprocessing.features.planes import parse_feature_set

_CHECKPOINT_SECONDS = 60
_EXPORT_POSITIONS = 200
_EVERY = 10


def train(
    datasets: Datasets,
    config: NetworkConfig,
    options: TrainingOptions,
    output: Path,
    chosen: GameFilter = EVERY_GAME,
    start: ModelFiles | None = None,
) -> Difference | None:
    """Trains a network and leaves a model directory.

    Args:
        datasets: a dataset or several, folders or URLs, with games in their `train` and `validation` splits. Games
            without a target are used for their moves where the network has a policy.
        config: the network.
        options: how to train it.
        chosen: which games of these splits to use.
        start: a trained model to begin with, see `take_weights`; None begins with fresh weights.
        output: folder for model.tflite, model.json, README.md, best.keras, last.npz, history.json and logs/;
            a training of the same configuration that was interrupted there is continued.

    Returns:
        how far the exported model's probabilities are from those of Keras; None on another backend than TensorFlow,
        which alone can export: the same call with TensorFlow then only exports.

    Raises:
        DatasetError: a dataset is missing, damaged or empty.
        CheckpointError: `output` holds another training.
        ModelError: `start` is no beginning of this network.
        ExportError: the exported model says something else.

    It does not touch the `test` split.
    """
    games = load_games(datasets, "train", chosen, unlabelled="policy" in config.heads)
    held_out = load_games(datasets, "validation", chosen)
    output.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(config, options, games, held_out, output, start)
    trainer.run()
    if keras.backend.backend() != "tensorflow":
        return None
    names = [Path(dataset).resolve().name for dataset in listed(datasets)]
    return trainer.finish({"datasets": names, "games": chosen.describe(), "start": start.name if start else None})


class Trainer:
    """One training: the model, its optimizer, and how far they have come.

    Args:
        config: the network.
        options: how to train it.
        games: to train on.
        held_out: to validate on.
        output: an existing folder; the training there is continued.
        start: a trained model to begin with.

    Raises:
        CheckpointError: `output` holds another training.
        ModelError: `start` is no beginning of this network.
    """

    def __init__(
        self,
        config: NetworkConfig,
        options: TrainingOptions,
        games: GameTable,
        held_out: GameTable,
        output: Path,
        start: ModelFiles | None = None,
    ) -> None:
        self._config, self._options, self._output = config, options, output
        feature_set = parse_feature_set(config.feature_set)
        self._sampler = Sampler(
            games, feature_set, options.batch_size, options.seed, chains=config.reads_chains, forget=options.forget
        )
        self._held_out = held_out
        self._identity = {
            **config.to_dict(),
            **asdict(options),
            "games": _fingerprint(games, held_out),
            "start": fingerprint(start) if start else None,
        }
        keras.utils.set_random_seed(options.seed)
        self.model = build_network(config, options.precision)
        if start:
            take_weights(self.model, config, start)
        self._averaged = build_network(config)
        compile_network(self.model, config, options)
        self._average = WeightAverage(self.model.get_weights(), options.average)
        self.progress = Progress()
        if self._last.exists():
            self.progress, arrays = load_checkpoint(self._last, self._identity)
            variables = self._variables()
            for variable, array in zip(variables, arrays[: len(variables)], strict=True):
                variable.assign(array)
            self._average = WeightAverage(arrays[len(variables) :], options.average)

    def run(self) -> None:
        """Trains until the budget is used up, validating and saving on the way."""
        validation = list(self._held_out_batches(self._options.validation_positions))
        batches = self._sampler.iterate(self.progress.step)
        with Log(self._output / "logs", self._options, self.progress) as log:
            started = saved = 0.0
            while (before := self._used()) < 1:
                values = self._step(next(batches), before)
                if not started:  # before the first step the model is compiled, which would take up the warm-up
                    saved = time.monotonic()
                    started = saved - self.progress.seconds
                self.progress.seconds = time.monotonic() - started
                log.step(self.progress, values)
                if self._validation_due(before):
                    self._validate(validation, values)
                    log.validation(self.progress)
                    self.progress.seconds = time.monotonic() - started
                elif time.monotonic() - saved < _CHECKPOINT_SECONDS:
                    continue
                self._save()
                saved = time.monotonic()

    def finish(self, origin: dict[str, Any]) -> Difference:
        """Exports the best network so far into the output folder, and describes it.

        Args:
            origin: where the games came from, for the description: the names of the `datasets`, how their
                `games` were chosen, and the name of the model at the `start`.

        Returns:
            how far the exported model is from Keras.

        Raises:
            ExportError: the exported model says something else.
        """
        best = keras.saving.load_model(self._output / TRAINED)
        check = [network_inputs(batch) for batch in self._held_out_batches(_EXPORT_POSITIONS)]
        record = self._best_record()
        description = {
            "name": self._output.resolve().name,
            "metrics": {name: value for name, value in record.items() if name.startswith("validation_")},
            **self._deviation_scale(best),
            "trained": {
                "date": date.today().isoformat(),
                **origin,
                "samples": record["samples"],
                "seconds": self.progress.seconds,
                "options": asdict(self._settled_options()),
            },
        }
        difference = export(best, self._config, self._output, check, description)
        write_model_card(self._output)
        return difference

    def _deviation_scale(self, model: keras.Model) -> dict[str, float]:
        """Return the factor on standard deviations with which 90% of the validation scores lie in their interval."""
        if "score" not in self._config.heads:
            return {}
        held_out = self._held_out_batches(self._options.validation_positions)
        distances = np.concatenate(
            [_distances(model.predict_on_batch(network_inputs(b))["score"], b) for b in held_out]
        )
        return {"deviation_scale": float(np.quantile(distances, 0.9)) / INTERVAL}

    @property
    def _last(self) -> Path:
        return self._output / "last.npz"

    def _settled_options(self) -> TrainingOptions:
        loss, rate = self._options.loss_for(self._config), self._options.peak_for(self._config)
        return replace(self._options, loss=loss, learning_rate=rate)

    def _variables(self) -> list[Any]:
        return [*self.model.weights, *self.model.optimizer.variables]

    def _used(self) -> float:
        return self._options.progress(self.progress.step, self.progress.seconds)

    def _step(self, batch: Batch, used: float) -> dict[str, float]:
        rate = scheduled(self._options.peak_for(self._config), used, self.progress.step)
        self.model.optimizer.learning_rate = rate
        targets, weights = network_targets(batch, self._config, self._options, self.progress.step)
        self.model.reset_metrics()
        values = self.model.train_on_batch(network_inputs(batch), targets, weights, return_dict=True)
        means = self.progress.add(shown(values))
        if self._average.due(self.progress.step):
            self._average.update(self.progress.step, self.model.get_weights())
        return {"learning_rate": rate, **means}

    def _validation_due(self, before: float) -> bool:
        count = self._options.validation_count
        return int(min(self._used(), 1.0) * count) > int(before * count)

    def _validate(self, batches: list[Batch], values: dict[str, float]) -> None:
        """Adds a record about the averaged weights to the history, and keeps them if they are the best so far."""
        samples = self.progress.step * self._options.batch_size
        if not self._average.due(self.progress.step):
            self._average.update(self.progress.step, self.model.get_weights())
        self._averaged.set_weights(self._average.weights)
        self.progress.validated({"samples": samples, **values, **validate(self._averaged, batches)})
        if self._best_record() is self.progress.history[-1]:
            replace_file(self._output / TRAINED, self._averaged.save)

    def _best_record(self) -> dict[str, float]:
        return min(self.progress.history, key=lambda record: record["validation_brier"])

    def _save(self) -> None:
        arrays = [np.asarray(ops.convert_to_numpy(variable)) for variable in self._variables()]
        save_checkpoint(self._last, self._identity, self.progress, [*arrays, *self._average.weights])
        write_json(self._output / "history.json", self.progress.history)

    def _held_out_batches(self, positions: int) -> Iterator[Batch]:
        games, plies = evaluation_positions(self._held_out, _EVERY)
        chosen = np.unique(np.linspace(0, len(games) - 1, positions).astype(int))
        feature_set, chains = parse_feature_set(self._config.feature_set), self._config.reads_chains
        return table_planes(self._held_out, games[chosen], plies[chosen], feature_set, chains=chains, batch_size=64)


def _distances(score: Any, batch: Batch) -> NDArray[np.float64]:
    """How many standard deviations the final scores are from the expected ones, (B,); score: (B, 2), the head's."""
    expected, deviation = np.asarray(ops.convert_to_numpy(score), np.float64).T
    distances: NDArray[np.float64] = np.abs(batch.target.sum(axis=(1, 2)) - expected) / deviation
    return distances


def _fingerprint(*tables: GameTable) -> str:
    names = "\n\n".join("\n".join(table.ids) for table in tables)
    return hashlib.blake2b(names.encode(), digest_size=8).hexdigest()
