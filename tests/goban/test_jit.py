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
CALLER = "from goban.jit import kernel\nfrom callee import number\n\n@kernel\ndef doubled():\n    return 2 * number()\n"


def doubled(folder: Path, cache: dict[str, str]) -> int:
    paths = os.pathsep.join([str(folder), str(ROOT)])
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-c", "import caller; print(caller.doubled())"]
    finished = subprocess.run(
        command, env={**environment, "PYTHONPATH": paths, **cache}, capture_output=True, text=True, check=True
    )
    return int(finished.stdout)


@pytest.mark.parametrize("place", ["beside the source", "NUMBA_CACHE_DIR", "of the user"])
def test_a_kernel_is_compiled_again_when_what_it_holds_has_changed(place: str, tmp_path: Path) -> None:
    """Numba keeps kernels in the cache of the user where it cannot write beside the source."""
    sources, elsewhere = tmp_path / "sources", tmp_path / "elsewhere"
    sources.mkdir()
    if place == "of the user":
        (sources / "__pycache__").write_text("no folder")
    names = {"beside the source": {}, "NUMBA_CACHE_DIR": {"NUMBA_CACHE_DIR": str(elsewhere)}}
    cache = names.get(place, {"XDG_CACHE_HOME": str(elsewhere)})

    def compiled() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb[ic]")}

    (sources / "caller.py").write_text(CALLER)
    (sources / "callee.py").write_text(CALLEE.format(21))
    (sources / "constants.py").write_text("ONE = 1\n")
    assert doubled(sources, cache) == 42
    before = compiled()
    assert before and elsewhere.exists() == (place != "beside the source")
    (sources / "caller.py").write_text(f"# A comment, on a line above.\n{CALLER}")
    assert doubled(sources, cache) == 42
    assert compiled() == before
    (sources / "callee.py").write_text(CALLEE.format(123456))
    assert doubled(sources, cache) == 246912
    (sources / "constants.py").write_text("ONE = 10\n")
    assert doubled(sources, cache) == 2469120
    assert compiled().keys() == before.keys()


def test_an_error_in_a_kernel_that_another_holds_keeps_its_message(tmp_path: Path) -> None:
    """Compiled first, then from the cache."""
    (tmp_path / "callee.py").write_text(FAILING)
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "constants.py").write_text("ONE = 1\n")
    for _ in range(2):
        with pytest.raises(subprocess.CalledProcessError) as error:
            doubled(tmp_path, {})
        assert "ValueError: no number" in error.value.stderr
