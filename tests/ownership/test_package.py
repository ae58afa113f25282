"""What `import ownership` offers."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import ownership
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", ownership.__all__)
def test_every_name_that_it_offers_is_there(name: str) -> None:
    assert getattr(ownership, name).__name__ == name


def test_it_has_its_version() -> None:
    assert ownership.__version__ == version("go-ownership")


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scorer'"):
        _ = ownership.scorer


def test_nothing_is_imported_before_it_is_used() -> None:
    script = "import sys, ownership; print('numpy' in sys.modules, ownership.Position.empty(9).side)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout.split() == ["False", "9"]
