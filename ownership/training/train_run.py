"""The run of `ownership train`: from datasets to a model directory."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import keras

from game_datasets.game_filter import EVERY_GAME, GameFilter
from game_datasets.shards import Datasets, listed
from goban.errors import InputError, plural
from ownership.evaluation.evaluation_tables import note_on_few
from ownership.export.model_export import Difference
from ownership.inference.learned_games import LEARNED
from ownership.inference.model_catalogue import place_of
from ownership.inference.model_files import BULK, DESCRIPTION, WEIGHTS, ModelFiles
from ownership.inference.network_config import NetworkConfig
from ownership.training.checkpoints import LAST
from ownership.training.data_fingerprints import fingerprints_of
from ownership.training.model_card import CARD
from ownership.training.trainer import HISTORY, Trainer
from ownership.training.training_games import TRAINED, TrainingGames, training_games
from ownership.training.training_options import TrainingOptions
from runtime.safe_writing import one_writer, replacing, usable_folder

_RECIPE = "recipe.toml"


def train(
    datasets: Datasets,
    config: NetworkConfig,
    options: TrainingOptions,
    output: Path,
    chosen: GameFilter = EVERY_GAME,
    initial_weights: ModelFiles | None = None,
    soft: Sequence[Path | str] = (),
    recipe: str | None = None,
    callbacks: Sequence[keras.callbacks.Callback] = (),
) -> Difference | None:
    """Train a network and leave a model directory. It does not touch the `test` split.

    Args:
        datasets: a dataset or several, folders or URLs, with games in their `train` and `validation` splits. Games
            without a target are used for their moves where the network has a policy.
        config: the network.
        options: how to train it.
        output: folder for model.tflite, bulk.tflite, model.json, README.md, games.bin, best.keras, last.npz,
            history.json, logs/ and recipe.toml, in which no other training may run; a training of the same
            configuration that was interrupted there is continued.
        chosen: which games of these splits to use.
        initial_weights: a trained model to begin with, see `take_weights`; None begins with fresh weights.
        soft: soft datasets to learn from besides the games.
        recipe: where network and options came from, a name or a .toml file, for the description.
        callbacks: of Keras. A step is a batch, and an epoch ends with each validation, whose figures are its logs.
            The learning rate is that of `options`; `model.stop_training` ends the training.

    Returns:
        how far the exported model's probabilities are from Keras's; None on another backend than TensorFlow,
        which alone can export: the same call with TensorFlow then only exports.

    Raises:
        DatasetError: a dataset is missing, damaged or empty.
        CheckpointError: `output` holds another training.
        ModelError: `initial_weights` do not fit this network.
        InputError: the number of weights is not that of the datasets.
        ExportError: the exported model's answers differ.
        InputError: `output` holds another README.md than a model card.
        OSError: `output` cannot be written; found before anything is read.
    """
    places = [str(dataset) for dataset in listed(datasets)]
    _check_weights(options, places)
    _check_output(output)
    with ExitStack() as held:
        with usable_folder(output, (WEIGHTS, BULK, DESCRIPTION, CARD, LEARNED, TRAINED, LAST, HISTORY)):
            held.enter_context(one_writer(output))
            games = training_games(config, options, datasets, chosen, soft)
            trainer = Trainer(config, options, games, output, initial_weights)
        _keep_recipe(recipe, output)
        _print_beginning(trainer, games, config, options)
        trainer.fit(callbacks)
        if note := trainer.note_on_guessing():
            print(f"{output}: warning: {note}", file=sys.stderr, flush=True)
        if not can_export():
            return None
        origin = {
            "output": str(output),
            "datasets": places,
            "games": chosen.describe(),
            "counts": games.counts,
            "fingerprints": fingerprints_of(games, initial_weights),
            "initial_weights": place_of(initial_weights) if initial_weights else None,
            "recipe": recipe,
            "soft": list(map(str, soft)),
        }
        return trainer.export(origin)


def _print_beginning(trainer: Trainer, games: TrainingGames, config: NetworkConfig, options: TrainingOptions) -> None:
    """Print on stderr what the network learns from, its size, and where the training goes on."""
    if note := note_on_few(len(games.held_out), "validation"):
        print(f"ownership: warning: {note}", file=sys.stderr)
    samples = trainer.progress.step * options.batch_size
    resumes = f"; resumes after {samples:,} samples" if samples else ""
    size = f"{trainer.model.count_params():,} parameters"
    print(f"{games.summary(config)}; {size}{resumes}", file=sys.stderr, flush=True)
    if games.soft and options.teacher_weight:
        print(
            "While training, accuracy, Brier score and moves compare with the teacher's labels too; "
            "validation compares with games alone",
            file=sys.stderr,
            flush=True,
        )


def can_export() -> bool:
    """Return whether a trained network can be exported here: Keras runs on TensorFlow."""
    return bool(keras.backend.backend() == "tensorflow")


def _check_output(output: Path) -> None:
    """Raise InputError for a folder with a README.md that is no model card: no training or model is beside it."""
    if (output / CARD).exists() and not any((output / name).exists() for name in (LAST, TRAINED, DESCRIPTION)):
        raise InputError(f"{output}: expected a new folder, or that of a training. Received: one with another {CARD}")


def _keep_recipe(recipe: str | None, output: Path) -> None:
    """Keep the file of a recipe beside the training."""
    if recipe and recipe.endswith(".toml"):
        content = Path(recipe).read_bytes()
        with replacing(output / _RECIPE) as partial:
            partial.write_bytes(content)


def _check_weights(options: TrainingOptions, datasets: Sequence[str]) -> None:
    """Raise InputError unless there is a weight for each dataset, or none at all."""
    weights = options.dataset_weights
    if weights is not None and len(weights) != len(datasets):
        raise InputError(
            f"--dataset-weights needs one weight for each of {plural(len(datasets), 'dataset')}. "
            f"Received: {len(weights)}"
        )
