"""KataGo itself gives the same answers, where `KATAGO` names its program and `KATAGO_NETWORK` a network."""

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

PROGRAM, NETWORK = os.environ.get("KATAGO"), os.environ.get("KATAGO_NETWORK")


@pytest.mark.skipif(not (PROGRAM and NETWORK), reason="KATAGO and KATAGO_NETWORK are not set")
def test_the_network_gives_katagos_answers() -> None:
    assert PROGRAM and NETWORK
    command = [sys.executable, "-m", "experiments.katago_parity", PROGRAM, NETWORK, "--games", "12"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout
