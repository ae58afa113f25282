import json

import pytest

from goban.errors import InputError
from ownership.cli import main
from ownership.inference.model_catalogue import bundled_models
from preprocessing.gnugo import find_gnugo


def test_it_finds_the_installed_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["runtime"] == "LiteRT"
    assert found["packages"]["base"]["numpy"]
    assert found["packages"]["dev"]["pytest"] == pytest.__version__
    assert found["gnugo"].endswith(str(find_gnugo()))
    assert list(found["positions_per_second"]) == bundled_models()
    assert min(found["positions_per_second"].values()) > 0


def absent() -> str:
    raise InputError("not installed")


def test_what_is_absent_comes_with_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ownership.commands.doctor.installed_version", lambda name: None if name == "pandas" else "1.0")
    monkeypatch.setattr("ownership.commands.doctor.runtime_name", absent)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("runtime.child_programs._DEBIAN_GAMES", "")
    assert main(["doctor"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith("; not installed: pandas (pip install -e '.[train]')") for line in lines)
    assert "runtime: not found; install ai-edge-litert or tensorflow" in lines
    assert lines[-1] == "positions/s on 19x19: not measured without a runtime"
    assert "GNU Go: not found; install it with apt-get install gnugo" in lines
