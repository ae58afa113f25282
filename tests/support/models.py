"""Small untrained models for tests."""

import json
from pathlib import Path

import pytest

from ownership.inference.network_config import NetworkConfig


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
