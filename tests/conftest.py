"""Models for tests: small untrained ones made on the spot, and the one that comes with the package."""

import gc
import os
import signal
import tempfile
from collections.abc import Generator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import NetworkConfig
from tests.support.browser import CHROMIUM, DRIVER, Browser
from tests.support.models import write_model, write_trainings
from tests.support.shared import made_once
from tests.support.waiting import PATIENCE

os.environ["XDG_DATA_HOME"] = tempfile.mkdtemp(prefix="ownership-tests-")  # no models of the user's, also in programs
os.environ.pop("OWNERSHIP_MODEL", None)
settings.register_profile(
    "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
settings.load_profile("untimed")
signal.signal(signal.SIGINT, signal.default_int_handler)  # which shells ignore in what they run in the background
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # under nohup: the programs of tests are not to ignore it too
    signal.signal(signal.SIGHUP, lambda *_: None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slow tests: one that began last would keep one process at work while the others wait."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Take what importing leaves out of the garbage collections; it and every export of a network begin many."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture
def user_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the data of this test's user."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained residual network."""
    config = NetworkConfig("residual", "standard", filters=8, blocks=1)
    return made_once(tmp_path_factory, "small", partial(write_model, config=config))


@pytest.fixture(scope="session")
def owner_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained residual network that answers the ownership alone."""
    config = NetworkConfig("residual", "standard", filters=8, blocks=1, heads=("ownership",))
    return made_once(tmp_path_factory, "owner", partial(write_model, config=config))


@pytest.fixture(scope="session")
def small_chain_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an untrained residual network with chain pooling."""
    config = NetworkConfig("residual", "classic8", chain_pooling="max", filters=8, blocks=1)
    return made_once(tmp_path_factory, "small-chains", partial(write_model, config=config))


@pytest.fixture(scope="session")
def trainings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the dataset `games`, and in `model` two trainings on it, see `write_trainings`."""
    return made_once(tmp_path_factory, "trainings", write_trainings)


@pytest.fixture(scope="session")
def bundled() -> Evaluator:
    """The default model that comes with the package."""
    return Evaluator.load()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A Dask cluster: a scheduler and two workers on this machine, which tests may kill."""
    distributed = pytest.importorskip("distributed", reason="a cluster needs the extra of that name")
    import dask

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    patient = {
        "distributed.deploy.lost-worker-timeout": f"{PATIENCE} s"
    }  # or none comes in place of one that was killed
    with dask.config.set(patient), distributed.LocalCluster(**options, silence_logs=50) as started:
        yield started


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser; the test is skipped where there is none."""
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("needs Debian's chromium and chromium-driver")
    found = Browser(tmp_path_factory.mktemp("pages"))
    yield found
    found.driver.quit()
