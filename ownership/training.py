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

from ownership.checkpoints import Progress, load_checkpoint, replace_file, save_checkpoint, write_json
from ownership.export import Difference, export
from ownership.model_card import write_model_card
from ownership.network_config import NetworkConfig
from ownership.networks import build_network
from ownership.training_log import Log
from ownership.training_options import TrainingOptions, scheduled
from preprocessing.curation import EVERY_GAME, GameFilter
from preprocessing.dataset import GameTable, load_games
from preprocessing.features import parse_feature_set
from preprocessing.sampler import Batch, Sampler, evaluation_positions, table_planes

_LOSSES = {"squared": "mean_squared_error", "cross_entropy": "binary_crossentropy"}
_CHECKPOINT_SECONDS = 60
_EXPORT_POSITIONS = 200
_EVERY = 10

Inputs = dict[str, NDArray[Any]]


def train(
    dataset: Path | str,
    config: NetworkConfig,
    options: TrainingOptions,
    output: Path,
    chosen: GameFilter = EVERY_GAME,
) -> Difference:
    """Trains a network and leaves a model directory.

    Args:
        dataset: a dataset, folder or URL, with games in its `train` and `validation` splits.
        config: the network.
        options: how to train it.
        chosen: which games of these splits to use.
        output: folder for model.tflite, model.json, README.md, best.keras, last.npz, history.json and logs/;
            a training of the same configuration that was interrupted there is continued.

    Returns:
        how far the exported model's probabilities are from those of Keras.

    Raises:
        DatasetError: the dataset is missing, damaged or empty.
        CheckpointError: `output` holds another training.
        ExportError: the exported model says something else.

    It does not touch the `test` split.
    """
    games, held_out = load_games(dataset, "train", chosen), load_games(dataset, "validation", chosen)
    output.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(config, options, games, held_out, output)
    trainer.run()
    return trainer.finish({"dataset": Path(dataset).resolve().name, "games": chosen.describe()})


class Trainer:
    """One training: the model, its optimizer, and how far they have come.

    Args:
        config: the network.
        options: how to train it.
        games: to train on.
        held_out: to validate on.
        output: an existing folder; the training there is continued.

    Raises:
        CheckpointError: `output` holds another training.
    """

    def __init__(
        self,
        config: NetworkConfig,
        options: TrainingOptions,
        games: GameTable,
        held_out: GameTable,
        output: Path,
    ) -> None:
        self._config, self._options, self._output = config, options, output
        feature_set, chains = parse_feature_set(config.feature_set), config.chain_pooling
        self._sampler = Sampler(games, feature_set, options.batch_size, options.seed, chains=chains)
        self._held_out = held_out
        self._identity = {**config.to_dict(), **asdict(options), "games": _fingerprint(games, held_out)}
        keras.utils.set_random_seed(options.seed)
        self.model = build_network(config, options.precision)
        _compile(self.model, options.loss_for(config))
        self.progress = Progress()
        if self._last.exists():
            self.progress, arrays = load_checkpoint(self._last, self._identity)
            for variable, array in zip(self._state(), arrays, strict=True):
                variable.assign(array)

    def run(self) -> None:
        """Trains until the budget is used up, validating and saving on the way."""
        validation = list(self._validation_batches(self._options.validation_positions))
        batches = self._sampler.iterate(self.progress.step)
        with Log(self._output / "logs", self._options, self.progress) as log:
            started = time.monotonic() - self.progress.seconds
            saved = time.monotonic()
            while (before := self._used()) < 1:
                values = self._step(next(batches), before)
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
            origin: where the games came from, for the description: the name of the `dataset`, and how its `games`
                were chosen.

        Returns:
            how far the exported model is from Keras.

        Raises:
            ExportError: the exported model says something else.
        """
        best = keras.saving.load_model(self._output / "best.keras")
        check = [inputs for inputs, _ in self._validation_batches(_EXPORT_POSITIONS)]
        record = self._best_record()
        description = {
            "name": self._output.resolve().name,
            "metrics": {name: value for name, value in record.items() if name.startswith("validation_")},
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

    @property
    def _last(self) -> Path:
        return self._output / "last.npz"

    def _settled_options(self) -> TrainingOptions:
        loss, rate = self._options.loss_for(self._config), self._options.peak_for(self._config)
        return replace(self._options, loss=loss, learning_rate=rate)

    def _state(self) -> list[Any]:
        return [*self.model.weights, *self.model.optimizer.variables]

    def _used(self) -> float:
        return self._options.progress(self.progress.step, self.progress.seconds)

    def _step(self, batch: Batch, used: float) -> dict[str, float]:
        rate = scheduled(self._options.peak_for(self._config), used)
        self.model.optimizer.learning_rate = rate
        target = wanted(batch, self._options, self.progress.step)
        self.model.reset_metrics()
        values = self.model.train_on_batch(_inputs(batch), {"ownership": target}, return_dict=True)
        means = self.progress.add({_short(name): float(value) for name, value in values.items()})
        return {"learning_rate": rate, **means}

    def _validation_due(self, before: float) -> bool:
        count = self._options.validations
        return int(min(self._used(), 1.0) * count) > int(before * count)

    def _validate(self, batches: list[tuple[Inputs, NDArray[np.int8]]], values: dict[str, float]) -> None:
        """Adds a record to the history, and keeps the weights if they are the best so far."""
        samples = self.progress.step * self._options.batch_size
        self.progress.validated({"samples": samples, **values, **_measure(self.model, batches)})
        if self._best_record() is self.progress.history[-1]:
            self._save_best()

    def _best_record(self) -> dict[str, float]:
        return min(self.progress.history, key=lambda record: record["validation_brier"])

    def _save_best(self) -> None:
        plain = build_network(self._config)
        plain.set_weights(self.model.get_weights())
        replace_file(self._output / "best.keras", plain.save)

    def _save(self) -> None:
        arrays = [np.asarray(ops.convert_to_numpy(variable)) for variable in self._state()]
        save_checkpoint(self._last, self._identity, self.progress, arrays)
        write_json(self._output / "history.json", self.progress.history)

    def _validation_batches(self, positions: int) -> Iterator[tuple[Inputs, NDArray[np.int8]]]:
        games, plies = evaluation_positions(self._held_out, _EVERY)
        chosen = np.unique(np.linspace(0, len(games) - 1, positions).astype(int))
        feature_set = parse_feature_set(self._config.feature_set)
        for batch in table_planes(
            self._held_out, games[chosen], plies[chosen], feature_set, chains=self._config.chain_pooling, batch_size=64
        ):
            yield _inputs(batch), batch.target


def decided_accuracy(wanted: Any, predicted: Any) -> Any:
    """The part of the decided points (wanted 0 or 1) whose more probable owner is right."""
    right = ops.cast(ops.equal(predicted > 0.5, wanted > 0.5), "float32")
    return _decided_mean(wanted, right)


def decided_brier(wanted: Any, predicted: Any) -> Any:
    """The mean squared error of the probability over the decided points."""
    return _decided_mean(wanted, ops.square(ops.cast(predicted, "float32") - wanted))


def _decided_mean(wanted: Any, values: Any) -> Any:
    decided = ops.cast(ops.not_equal(wanted, 0.5), "float32")
    return ops.sum(values * decided) / ops.maximum(ops.sum(decided), 1.0)


def _compile(model: keras.Model, loss: str) -> None:
    model.compile(
        optimizer=keras.optimizers.Adam(),
        loss={"ownership": _LOSSES[loss]},
        metrics={"ownership": [decided_accuracy, decided_brier]},
        # XLA's convolutions on a CPU are slower than TensorFlow's own; JAX has no other way
        jit_compile=keras.backend.backend() == "jax",
    )
    model.optimizer.build(model.trainable_variables)


def _inputs(batch: Batch) -> Inputs:
    return {"planes": batch.planes} if batch.chains is None else {"planes": batch.planes, "chains": batch.chains}


def wanted(batch: Batch, options: TrainingOptions, step: int) -> NDArray[np.float32]:
    target = batch.target.astype(np.float32)
    if options.dame == "random":
        coins = np.random.default_rng([options.seed, step]).choice(np.array([-1, 1], np.float32), target.shape)
        np.copyto(target, coins, where=target == 0)
    target += 1
    target /= 2
    return target


def _measure(model: keras.Model, batches: list[tuple[Inputs, NDArray[np.int8]]]) -> dict[str, float]:
    """Accuracy and Brier score over decided points, averaged over positions."""
    accuracy, brier = [], []
    for inputs, target in batches:
        predicted = ops.convert_to_numpy(model.predict_on_batch(inputs)["ownership"])
        decided = target != 0
        points = np.maximum(decided.sum((1, 2)), 1)
        accuracy.append((((predicted > 0.5) == (target > 0)) & decided).sum((1, 2)) / points)
        brier.append((np.square(predicted - (target > 0)) * decided).sum((1, 2)) / points)
    return {
        "validation_accuracy": float(np.concatenate(accuracy).mean()),
        "validation_brier": float(np.concatenate(brier).mean()),
    }


def _short(name: str) -> str:
    return name.removeprefix("ownership_").removeprefix("decided_")


def _fingerprint(*tables: GameTable) -> str:
    names = "\n\n".join("\n".join(table.ids) for table in tables)
    return hashlib.blake2b(names.encode(), digest_size=8).hexdigest()
