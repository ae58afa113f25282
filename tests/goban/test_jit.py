"""Compiled kernels on disk never outlive the kernels that they call."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.paths import ROOT

CALLEE = "from goban.jit import kernel\nfrom constants import ONE\n\n@kernel\ndef number():\n    return {} * ONE\n"
CALLER = "from goban.jit import kernel\nfrom callee import number\n\n@kernel\ndef doubled():\n    return 2 * number()\n"


def doubled(folder: Path) -> int:
    paths = os.pathsep.join([str(folder), str(ROOT)])
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_CACHE_DIR"}
    command = [sys.executable, "-c", "import caller; print(caller.doubled())"]
    finished = subprocess.run(
        command, env={**environment, "PYTHONPATH": paths}, capture_output=True, text=True, check=True
    )
    return int(finished.stdout)


def test_a_kernel_is_compiled_again_when_one_that_it_calls_has_changed(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "callee.py").write_text(CALLEE.format(21))
    (tmp_path / "constants.py").write_text("ONE = 1\n")
    assert doubled(tmp_path) == 42
    compiled = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "__pycache__").glob("*.nb[ic]")}
    assert compiled
    (tmp_path / "unrelated.py").write_text("TWO = 2\n")
    assert doubled(tmp_path) == 42
    assert compiled == {path.name: path.stat().st_mtime_ns for path in (tmp_path / "__pycache__").glob("*.nb[ic]")}
    (tmp_path / "callee.py").write_text(CALLEE.format(123456))
    assert doubled(tmp_path) == 246912
    (tmp_path / "constants.py").write_text("ONE = 10\n")
    assert doubled(tmp_path) == 2469120
