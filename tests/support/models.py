"""Small models for tests: untrained ones, and one of two trainings."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ownership.inference.network_config import NetworkConfig
from ownership.training.training_options import TrainingOptions
from tests.support.positions import write_dataset

TRAINED = NetworkConfig("residual", "classic8", chain_pooling="max", filters=4, blocks=2)
STEPS = 100
OPTIONS = TrainingOptions(samples=8 * STEPS, batch_size=8, validations=5, validation_positions=20)


def write_model(directory: Path, config: NetworkConfig, seed: int = 7) -> Path:
    """Export an untrained network of `config`; needs TensorFlow, else the test is skipped."""
    pytest.importorskip("tensorflow", reason="making a model needs the train extra")
    import keras

    from ownership.export.litert_conversion import convert
    from ownership.networks.build_network import build_network

    keras.utils.set_random_seed(seed)
    directory.mkdir(parents=True)
    (directory / "model.tflite").write_bytes(convert(build_network(config), "float32"))
    description = {"name": directory.name, "network": config.to_dict()}
    (directory / "model.json").write_text(json.dumps(description))
    return directory


def write_trainings(directory: Path) -> Path:
    """Train `TRAINED` with `OPTIONS` and the seeds 0 and 1 on `games`, 12 on 7x7; without Keras the test is skipped."""
    pytest.importorskip("keras", reason="training needs the train extra")
    from ownership.training.train_run import train

    directory.mkdir(parents=True)
    games = write_dataset(directory / "games")
    for seed in (0, 1):
        train(games, TRAINED, replace(OPTIONS, seed=seed), directory / "model" / f"seed-{seed}")
    return directory
