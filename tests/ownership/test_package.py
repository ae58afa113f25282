"""What `import ownership` offers."""

import re
import subprocess
import sys
from importlib.metadata import version

import pytest

import ownership
from ownership.inference import own_config
from ownership.inference.own_config import OWN_VERSION
from ownership.server.openapi import JSON_VERSION, openapi
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", ownership.__all__)
def test_every_name_that_it_offers_is_there(name: str) -> None:
    assert getattr(ownership, name).__name__ == name


def test_its_names_are_those_of_the_reference() -> None:
    page = (ROOT / "docs" / "api.md").read_text()
    assert sorted(re.findall(r"^::: [\w.]+\.(\w+)$", page, re.MULTILINE)) == sorted(ownership.__all__)
    table = page.partition(":::")[0]
    assert {name for name in ownership.__all__ if f"`{name}`" in table} == set(ownership.__all__)


def test_it_shows_its_public_names_alone() -> None:
    script = "import ownership; print(*dir(ownership))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout.split() == sorted([*ownership.__all__, "__version__"])


def test_it_has_its_version() -> None:
    assert ownership.__version__ == version("go-ownership")


def test_the_changelog_has_the_versions_of_the_interfaces() -> None:
    stated = (ROOT / "CHANGELOG.md").read_text().partition("## Versions of interfaces")[2].partition("\n## ")[0]
    assert re.findall(r"\*\*(\d+)\*\* \(`([\w.]+)`", stated) == [
        (JSON_VERSION, "info.version"),
        (str(OWN_VERSION), f"{own_config.__name__}.OWN_VERSION"),
    ]
    assert openapi()["info"]["version"] == JSON_VERSION


def test_other_names_are_missing() -> None:
    with pytest.raises(AttributeError, match="no attribute 'scorer'"):
        _ = ownership.scorer


def test_nothing_is_imported_before_it_is_used() -> None:
    script = "import sys, ownership; print('numpy' in sys.modules, ownership.Position.empty(9).side)"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout.split() == ["False", "9"]
