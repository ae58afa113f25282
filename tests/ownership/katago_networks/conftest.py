"""Networks of KataGo, which the tests import."""

from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest

from ownership.cli import main
from tests.support.katago_files import network_bytes, write_network
from tests.support.shared import made_once


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a network, `net.bin.gz`, the wheel `katrain.whl` that holds it, and its model directory `model`."""
    return made_once(tmp_path_factory, "imported-network", partial(import_network, version=14))


@pytest.fixture(scope="session")
def imported_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same of a network of version 8."""
    return made_once(tmp_path_factory, "imported-network-8", partial(import_network, version=8))


def import_network(folder: Path, version: int) -> None:
    """Import a network, which is compared with its model on fewer and smaller games than for users."""
    pytest.importorskip("tensorflow", reason="making a model needs the train extra")
    folder.mkdir()
    network = write_network(folder / "net.bin.gz", network_bytes(version))
    with ZipFile(folder / "katrain.whl", "w") as wheel:
        wheel.write(network, "katrain/models/net.bin.gz")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ownership.export.check_positions.SIDES", (9, 13))
        patch.setattr("ownership.export.check_positions._GAMES", 2)
        assert main(["import", str(folder / "katrain.whl"), "-o", str(folder / "model")]) == 0
