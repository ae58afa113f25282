"""Compiled kernels on disk never outlive the code that they hold."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

CALLEE = "from goban.jit import kernel\nfrom constants import ONE\n\n@kernel\ndef number():\n    return {} * ONE\n"
RAISING = "for k in range(ONE):\n        raise ValueError('no number')\n    return"
FAILING = CALLEE.replace("return", RAISING).format(1)
READING = "from goban.jit import kernel\nfrom shapes import Box\n\n@kernel\ndef width(box):\n    return box.width\n"
READER = "from shapes import Box\nfrom callee import width\n\ndef read():\n    return width(Box(3))\n"
BOX = "from typing import NamedTuple\n\nclass Box(NamedTuple):\n    width: int\n"
CALLER = "from goban.jit import kernel\nfrom callee import number\n\n@kernel\ndef doubled():\n    return 2 * number()\n"

THREADS = """
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

def sum_of_threads(count):
    together = Barrier(count)
    with ThreadPoolExecutor(count) as pool:
        return sum(pool.map(lambda _: together.wait() * 0 + doubled(), range(count)))
"""


def printed(folder: Path, cache: dict[str, str], call: str = "caller.doubled()") -> int:
    paths = os.pathsep.join([str(folder), str(ROOT)])
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-c", f"import caller; print({call})"]
    finished = subprocess.run(
        command, env={**environment, "PYTHONPATH": paths, **cache}, capture_output=True, text=True, check=True
    )
    return int(finished.stdout)


def write(folder: Path, **sources: str) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in sources.items():
        (folder / f"{name}.py").write_text(text)


def compiled(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.rglob("*.nb[ic]")}


def test_a_kernel_is_compiled_again_when_what_it_holds_has_changed(tmp_path: Path) -> None:
    write(tmp_path, caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
    assert printed(tmp_path, {}) == 42
    before = compiled(tmp_path)
    write(tmp_path, caller=f"# A comment, on a line above.\n{CALLER}")
    assert printed(tmp_path, {}) == 42
    assert compiled(tmp_path) == before != {}
    write(tmp_path, constants="ONE = 10\n")
    assert printed(tmp_path, {}) == 420
    assert compiled(tmp_path).keys() == before.keys()


@pytest.mark.long
def test_a_kernel_of_the_cache_is_linked_into_another(tmp_path: Path) -> None:
    write(tmp_path, caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
    assert printed(tmp_path, {}, "caller.number()") == 21
    assert printed(tmp_path, {}) == printed(tmp_path, {}) == 42
    assert printed(tmp_path, {}, "caller.doubled() + caller.number()") == 63


@pytest.mark.long
def test_a_type_of_a_kernel_in_the_cache_may_move_to_another_module(tmp_path: Path) -> None:
    write(tmp_path, caller=READER, callee=READING, shapes=BOX)
    assert printed(tmp_path, {}, "caller.read()") == 3
    moved = {"caller": READER, "callee": READING}
    write(tmp_path, boxes=BOX, shapes="", **{name: text.replace("shapes", "boxes") for name, text in moved.items()})
    assert printed(tmp_path, {}, "caller.read()") == 3


@pytest.mark.long
def test_a_kernel_that_threads_call_first_is_compiled_once(tmp_path: Path) -> None:
    write(tmp_path, caller=CALLER + THREADS, callee=CALLEE.format(21), constants="ONE = 1\n")
    assert printed(tmp_path, {}, "caller.sum_of_threads(8)") == 8 * 42
    before = compiled(tmp_path)
    assert printed(tmp_path, {}) == 42
    assert compiled(tmp_path) == before != {}


@pytest.mark.parametrize("variable", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_kernels_elsewhere_are_compiled_again_too(variable: str, tmp_path: Path) -> None:
    """Numba keeps kernels in the cache of the user where it cannot write beside the source."""
    sources, elsewhere = tmp_path / "sources", tmp_path / "elsewhere"
    write(sources, caller=CALLER, callee=CALLEE.format(21), constants="ONE = 1\n")
    if variable == "XDG_CACHE_HOME":
        (sources / "__pycache__").write_text("no folder")
    assert printed(sources, {variable: str(elsewhere)}) == 42
    assert compiled(elsewhere)
    write(sources, callee=CALLEE.format(123456))
    assert printed(sources, {variable: str(elsewhere)}) == 246912


@pytest.mark.long
def test_an_error_in_a_kernel_that_another_holds_keeps_its_message(tmp_path: Path) -> None:
    """Compiled first, then from the cache."""
    write(tmp_path, caller=CALLER, callee=FAILING, constants="ONE = 1\n")
    for _ in range(2):
        with pytest.raises(subprocess.CalledProcessError) as error:
            printed(tmp_path, {})
        assert "ValueError: no number" in error.value.stderr
