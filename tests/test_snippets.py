"""The Python examples of the documents run as they stand, from top to bottom of each page, and pass mypy."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGES = [path for path in sorted((ROOT / "docs").rglob("*.md")) if "```python" in path.read_text()]
INPUTS = ("examples", "tests/data/everyday")


def examples(page: Path) -> list[str]:
    """Return the Python examples of a page."""
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that examples run in, with the files that they read."""
    for name in INPUTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(ROOT / name)
    shutil.make_archive(str(tmp_path / "games"), "zip", ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder", "bundled")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path) -> None:
    names: dict[str, object] = {}
    for example in examples(page):
        exec(example, names)


@pytest.mark.long
def test_the_examples_pass_mypy(tmp_path: Path) -> None:
    for page in PAGES:
        (tmp_path / f"{page.stem}.py").write_text("\n".join(examples(page)))
    paths = sorted(map(str, tmp_path.glob("*.py")))
    command = [sys.executable, "-m", "mypy", "--config-file", "setup.cfg"]  # with what `make lint` knows already
    answer = subprocess.run([*command, *paths], cwd=ROOT, capture_output=True, text=True)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_the_pages_about_python_datasets_and_pictures_have_examples() -> None:
    assert {"python", "datasets", "pictures"} <= {page.stem for page in PAGES}
