"""Models for tests: a small one made on the spot, and the one that comes with the package."""

import json
from pathlib import Path

import pytest

from ownership.evaluator import Evaluator
from ownership.network_config import NetworkConfig


def write_model(directory: Path, config: NetworkConfig, seed: int = 7) -> Path:
    """Export an untrained network of `config`; needs TensorFlow, else the test is skipped."""
    pytest.importorskip("tensorflow", reason="making a model needs the train extra")
    import keras

    from ownership.export import convert
    from ownership.networks import build_network

    keras.utils.set_random_seed(seed)
    directory.mkdir(parents=True)
    (directory / "model.tflite").write_bytes(convert(build_network(config)))
    description = {"name": directory.name, "network": config.to_dict(), "metrics": {}}
    (directory / "model.json").write_text(json.dumps(description))
    return directory


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained residual network."""
    config = NetworkConfig("residual", "standard", filters=8, blocks=1)
    return write_model(tmp_path_factory.mktemp("models") / "small", config)


@pytest.fixture(scope="session")
def owner_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained residual network that answers the ownership alone."""
    config = NetworkConfig("residual", "standard", filters=8, blocks=1, heads=("ownership",))
    return write_model(tmp_path_factory.mktemp("models") / "owner", config)


@pytest.fixture(scope="session")
def small_chain_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained residual network with chain pooling."""
    config = NetworkConfig("residual", "classic8", chain_pooling="max", filters=8, blocks=1)
    return write_model(tmp_path_factory.mktemp("models") / "small-chains", config)


@pytest.fixture(scope="session")
def bundled() -> Evaluator:
    """The default model that comes with the package."""
    return Evaluator.load()
