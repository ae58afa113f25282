"""The layers of the house: who may import whom, and who may import TensorFlow."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "goban": set[str](),
    "viz": {"goban"},
    "preprocessing": {"goban"},
    "ownership": {"goban", "preprocessing", "viz"},
    "gogui_plugin": {"goban", "preprocessing", "viz", "ownership"},
}
HEAVY = {"tensorflow", "keras", "pandas", "pyarrow", "matplotlib", "fsspec", "distributed"}
TRAINING = {
    "ownership.networks",
    "ownership.chain_pooling",
    "ownership.score_spread",
    "ownership.objectives",
    "ownership.training",
    "ownership.transfer",
    "ownership.export",
}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported(path: Path) -> Iterator[str]:
    """Yield the top-level names that a module imports, anywhere in its text."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield (node.module or "").split(".")[0]


@pytest.mark.parametrize("package", ALLOWED)
def test_imports_point_down_only(package: str) -> None:
    forbidden = set(ALLOWED) - ALLOWED[package] - {package}
    for path in modules(package):
        assert not forbidden & set(imported(path)), path


def test_the_rules_need_nothing_but_numpy_and_numba() -> None:
    standard = set(sys.stdlib_module_names)
    for path in modules("goban"):
        assert set(imported(path)) - standard <= {"goban", "numpy", "numba"}, path


def test_only_training_modules_bring_in_heavy_packages() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for package in ALLOWED
        for path in modules(package)
    ]
    light = [name for name in names if name not in TRAINING and not name.startswith("viz")]
    script = f"import importlib, sys\nfor name in {light}:\n    importlib.import_module(name)\n"
    script += f"print(*sorted(set(sys.modules) & {HEAVY}))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout.split() == []
