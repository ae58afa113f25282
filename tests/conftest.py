"""Models for tests: small untrained ones made on the spot, and the one that comes with the package."""

from pathlib import Path

import pytest

from ownership.inference.config import NetworkConfig
from ownership.inference.evaluator import Evaluator
from tests.support.models import write_model


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
