"""The training of a network: resumable at any moment, the same again from the same seed."""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import is_zipfile

import keras
import numpy as np
from keras import ops

from game_datasets.batches import Batch
from game_datasets.sampler import Sampler
from ownership.evaluation.calibration_fit import calibrate
from ownership.export.model_export import Difference, export
from ownership.inference.learned_games import learned_openings, write_learned
from ownership.inference.model_files import ModelFiles, read_model_files
from ownership.inference.network_config import NetworkConfig
from ownership.networks.build_network import build_network, without_auxiliary
from ownership.training.callbacks import Callbacks
from ownership.training.checkpoints import LAST, CheckpointError, Checkpoints, Progress, SavedArrays
from ownership.training.data_fingerprints import fingerprint
from ownership.training.devices import Devices
from ownership.training.head_training import compile_network, network_targets, short_names
from ownership.training.model_card import write_model_card
from ownership.training.progress_log import Log
from ownership.training.saved_networks import load_trained, take_weights
from ownership.training.schedule import Schedule
from ownership.training.training_description import describe_training
from ownership.training.training_games import TRAINED, TrainingGames, sampler_for
from ownership.training.training_options import TrainingOptions
from ownership.training.training_targets import network_inputs
from ownership.training.validation import HeldOut, constant_figures, note_on_guessing, validate
from ownership.training.weight_ema import WeightEMA
from runtime.safe_writing import replacing
from runtime.signals import interrupts_wait

HISTORY = "history.json"
EXPORT_POSITIONS = 200  # on which the exported model is compared with that of Keras


class Trainer:
    """One training: the network, its optimizer, and how far they have come.

    Args:
        config: the network.
        options: how to train it.
        games: to train and validate on.
        output: an existing folder; the training there is continued.
        initial_weights: a trained model to begin with.

    Attributes:
        model: the network that is trained.
        progress: how far it has come.

    Raises:
        CheckpointError: `output` holds another training, or a damaged one.
        ModelError: `initial_weights` do not fit this network.
        InputError: several devices cannot share a batch equally.
    """

    def __init__(
        self,
        config: NetworkConfig,
        options: TrainingOptions,
        games: TrainingGames,
        output: Path,
        initial_weights: ModelFiles | None = None,
    ) -> None:
        self._config, self._options, self._output = config, options, output
        self._sampler = sampler_for(config, options, games.train)
        self._taught = sampler_for(config, options, games.train, games.soft) if games.soft else self._sampler
        began_with = [learned_openings(initial_weights)] if initial_weights else []
        self._learned = [games.train.opening, *began_with]
        self._held_out = HeldOut(games.held_out, config, games.soft if options.teacher_weight else None)
        self._schedule = Schedule(options, options.peak_for(config))
        keras.utils.set_random_seed(options.seed)
        self._devices = Devices(options.batch_size)
        with self._devices.used():
            self.model = build_network(config, options.precision, options.initializer, options.auxiliary_heads)
            if initial_weights:
                take_weights(self.model, config, initial_weights)
            compile_network(self.model, config, options)
        self._averaged = build_network(config, auxiliary=options.auxiliary_heads)
        self._ema = WeightEMA(self.model.get_weights(), options.ema)
        self.progress = Progress()
        identity = {
            **config.to_dict(),
            **asdict(options.settled_for(config)),
            "games": [games.train.fingerprint, games.held_out.fingerprint],
            "initial_weights": fingerprint(initial_weights) if initial_weights else None,
            "soft": games.soft.fingerprint if games.soft else None,
        }
        self._checkpoints = Checkpoints(output / LAST, identity)
        self._resume()

    def fit(self, callbacks: Sequence[keras.callbacks.Callback] = ()) -> None:
        """Train until the budget is used up, validating and saving on the way, and at an interrupt.

        `callbacks` as for `train`.
        """
        positions = self._options.validation_positions
        validation = [*self._held_out.batches(positions), *self._held_out.taught_batches(positions)]
        feed = _Feed()
        stopwatch = _Stopwatch(self.progress.seconds)
        self.model.stop_training = False
        with (
            Log(self._output / "logs", self._options, self.progress) as log,
            Callbacks(callbacks, self.model, self.progress) as informed,
        ):
            while (used := self._schedule.used(self.progress)) < 1 and not self._has_stopped():
                with interrupts_wait() as interrupted:
                    informed.begin()
                    batch = feed.next(self._sampler_at(used), self.progress.step)
                    values = self._step(batch, used)
                    informed.end(values)
                    self.progress.seconds = stopwatch.read()
                    log.step(self.progress, values)
                    due = self._schedule.validation_due(used, self._schedule.used(self.progress))
                    if due:
                        self._validate(validation, values)
                        log.validation(self.progress)
                        informed.validated()
                        self.progress.seconds = stopwatch.read()
                    if due or interrupted or self._checkpoints.due():
                        self._save()

    def note_on_guessing(self) -> str:
        """Return a line if the best network so far is no better than a constant answer, else ""."""
        batches = self._held_out.batches(self._options.validation_positions)
        return note_on_guessing(self.progress.best, constant_figures(batches))

    def _has_stopped(self) -> bool:
        patience = self._options.patience
        return self.model.stop_training or (patience is not None and self.progress.stale >= patience)

    def export(self, origin: dict[str, Any]) -> Difference:
        """Export the best network so far into the output folder, and describe it.

        Args:
            origin: of the training, for the description: its `output`, `datasets`, `soft` datasets and
                `initial_weights` as they were given, how `games` were chosen, the `counts` and `fingerprints` of
                these, and the `recipe`.

        Returns:
            how far the exported model is from Keras.

        Raises:
            ExportError: the exported model's answers differ.
        """
        best = load_trained(self._output / TRAINED, self._config)
        name = self._output.resolve().name
        description = {"name": name} | describe_training(best, self._config, self._options, self.progress, origin)
        check = [network_inputs(batch) for batch in self._held_out.batches(EXPORT_POSITIONS)]
        difference = export(best, self._config, self._output, check, description)
        if "score" in self._config.heads:
            calibrate(read_model_files(self._output), self._held_out.table, self._options.validation_positions)
        write_learned(self._output, self._learned)
        write_model_card(self._output)
        return difference

    def _sampler_at(self, used: float) -> Sampler:
        """Return the sampler of a step, given the part of the budget that is used up before it."""
        return self._taught if self._schedule.teaches(used) else self._sampler

    def _step(self, batch: Batch, used: float) -> dict[str, float]:
        rate = self._schedule.learning_rate(used, self.progress.step)
        self.model.optimizer.learning_rate = rate
        targets, weights = network_targets(batch, self._config, self._options, self.progress.step)
        parts = map(self._devices.of_this_host, (network_inputs(batch), targets, weights))
        self.model.reset_metrics()
        with self._devices.used():
            values = self.model.train_on_batch(*parts, return_dict=True)
        means = self.progress.add(short_names(values))
        if self._ema.due(self.progress.step):
            self._ema.update(self.progress.step, self.model.get_weights())
        return {"learning_rate": rate, **means}

    def _validate(self, batches: list[Batch], values: dict[str, float]) -> None:
        """Add a record about the averaged weights to the history, and keep them if they are the best so far."""
        samples = self.progress.step * self._options.batch_size
        if not self._ema.due(self.progress.step):
            self._ema.update(self.progress.step, self.model.get_weights())
        self._averaged.set_weights(self._ema.weights)
        self.progress.add_validation({"samples": samples, **values, **validate(self._averaged, batches)})
        if self.progress.best is self.progress.history[-1]:
            with replacing(self._output / TRAINED) as partial:
                without_auxiliary(self._averaged, self._config).save(partial)

    def _save(self) -> None:
        self._checkpoints.save(self.progress, self._state())
        with replacing(self._output / HISTORY) as partial:
            partial.write_text(json.dumps(self.progress.history, indent=2) + "\n", encoding="utf-8")

    def _resume(self) -> None:
        """Go on from the checkpoint in the output folder, if there is one."""
        found = self._checkpoints.load([array.shape for array in self._state()])
        if found is None:
            return
        self.progress, arrays = found
        if self.progress.history and not is_zipfile(self._output / TRAINED):
            raise CheckpointError(
                f"{self._output / TRAINED}: expected the best network so far, found no .keras file. "
                f"Delete {LAST} to start again"
            )
        variables = self._variables()
        for variable, array in zip(variables, arrays[: len(variables)], strict=True):
            variable.assign(array)
        self._ema = WeightEMA(arrays[len(variables) :], self._options.ema)

    def _variables(self) -> list[Any]:
        weights = {id(each) for each in self.model.weights}
        coins = [each for each in self.model.non_trainable_variables if id(each) not in weights]  # of dropout
        return [*self.model.weights, *coins, *self.model.optimizer.variables]

    def _state(self) -> SavedArrays:
        """Return the state that changes with each step: weights, optimizer state and averaged weights."""
        variables = [np.asarray(ops.convert_to_numpy(variable)) for variable in self._variables()]
        return [*variables, *self._ema.weights]


class _Feed:
    """The batches of a training in order, made ahead by one sampler after the other."""

    def __init__(self) -> None:
        self._sampler: Sampler | None = None
        self._batches: Iterator[Batch] = iter(())

    def next(self, sampler: Sampler, step: int) -> Batch:
        """Return the batch of a step, which follows that of the last call."""
        if sampler is not self._sampler:
            self._sampler, self._batches = sampler, sampler.iterate(step)
        return next(self._batches)


class _Stopwatch:
    """Seconds of a training over all its runs; each run counts from the end of its first step, which compiles.

    Args:
        spent: seconds of earlier runs.
    """

    def __init__(self, spent: float) -> None:
        self._spent = spent
        self._started: float | None = None

    def read(self) -> float:
        """Return the seconds so far; the first call, after the first step, starts the watch."""
        if self._started is None:
            self._started = time.monotonic() - self._spent
        return time.monotonic() - self._started
