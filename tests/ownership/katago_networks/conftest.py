"""Networks of KataGo, which the tests import."""

from pathlib import Path
from zipfile import ZipFile

import pytest

from ownership.cli import main
from tests.support.katago_files import network_bytes, write_network
from tests.support.shared import made_once


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the network `net.bin.gz`, the wheel `katrain.whl` that holds it, and its model directory `model`.

    The import compared the model with its network on positions of fewer and smaller games than for users.
    """
    pytest.importorskip("tensorflow", reason="making a model needs the train extra")

    def make(folder: Path) -> None:
        folder.mkdir()
        network = write_network(folder / "net.bin.gz", network_bytes(14))
        with ZipFile(folder / "katrain.whl", "w") as wheel:
            wheel.write(network, "katrain/models/net.bin.gz")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("ownership.export.check_positions.SIDES", (9, 13))
            patch.setattr("ownership.export.check_positions._GAMES", 2)
            assert main(["import", str(folder / "katrain.whl"), "-o", str(folder / "model")]) == 0

    return made_once(tmp_path_factory, "imported-network", make)
