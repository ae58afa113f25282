"""The layers of the house: which folder may import which, and which may import heavy packages."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.sources import FOLDERS, modules, name_of

# A folder may import what stands here and itself; nothing imports upwards.
_RULES = {"goban", "goban.reading", "goban.counting"}
_RECORDS = {*_RULES, "runtime", "game_records"}
_DATASETS = {*_RECORDS, "planes", "game_datasets"}
_LABELS = {*_DATASETS, "preprocessing"}
_INFERENCE = {*_RULES, "runtime", "planes", "ownership.inference"}
_SEARCH = {*_RULES, "ownership.inference", "ownership.search", "ownership.search.alphabeta", "ownership.search.mcts"}
_PLAYERS = {*_RECORDS, *_SEARCH, "ownership.players"}
_EXPLAINING = {*_SEARCH, "ownership.explaining"}
_SCORING = {*_RECORDS, "preprocessing", *_INFERENCE, *_EXPLAINING, "ownership.scoring"}
_ANALYSIS = {*_SEARCH, "runtime", "ownership.katago_protocol"}
_EVALUATION = {*_DATASETS, "ownership.inference", "ownership.evaluation"}
_SELFPLAY = {*_LABELS, *_SCORING, "ownership.selfplay"}
_TEACHING = {*_DATASETS, "ownership.inference", "ownership.teaching"}
_MATCH = {*_SCORING, *_PLAYERS, "ownership.match"}
_NETWORKS = {"goban", "planes", "ownership.inference", "ownership.networks"}
_EXPORT = {*_NETWORKS, "runtime", "ownership.export"}
_TRAINING = {*_EVALUATION, *_EXPORT, "ownership.explaining", "ownership.training"}
_KATAGO = {*_EXPORT, *_TEACHING, "ownership.katago_networks"}
_REVIEW = {*_SCORING, *_ANALYSIS, "ownership.review"}
_REPORT = {*_REVIEW, *_EVALUATION, "ownership.explaining", "ownership.report", "viz"}
_SERVER = {*_REPORT, *_ANALYSIS, "ownership.server"}
_ASSISTANTS = {*_REVIEW, *_EXPLAINING, "ownership.assistants"}
_PRODUCT = {
    *_SELFPLAY,
    *_TEACHING,
    *_MATCH,
    *_TRAINING,
    *_KATAGO,
    *_REPORT,
    *_SERVER,
    "ownership.explaining",
    "ownership.assistants",
    "ownership",
    "ownership.commands",
}
_COMMANDS = {*_PRODUCT, "ownership.commands.shared"}
ALLOWED = {
    "goban": set[str](),
    "goban.reading": {"goban"},
    "goban.counting": _RULES,
    "viz": _RULES,
    "runtime": {"goban"},
    "game_records": _RECORDS,
    "planes": {*_RULES, "runtime"},
    "game_datasets": _DATASETS,
    "preprocessing": _LABELS,
    "ownership.inference": _INFERENCE,
    "ownership.evaluation": _EVALUATION,
    "ownership.networks": _NETWORKS,
    "ownership.export": _EXPORT,
    "ownership.training": _TRAINING,
    "ownership.katago_networks": _KATAGO,
    "ownership.scoring": _SCORING,
    "ownership.search": {*_RULES, "ownership.inference"},
    "ownership.search.alphabeta": {*_RULES, "ownership.inference", "ownership.search"},
    "ownership.search.mcts": {*_RULES, "ownership.inference", "ownership.search"},
    "ownership.explaining": _EXPLAINING,
    "ownership.assistants": _ASSISTANTS,
    "ownership.players": _PLAYERS,
    "ownership.match": _MATCH,
    "ownership.katago_protocol": _ANALYSIS,
    "ownership.selfplay": _SELFPLAY,
    "ownership.teaching": _TEACHING,
    "ownership.review": _REVIEW,
    "ownership.report": _REPORT,
    "ownership.server": _SERVER,
    "ownership.commands": _COMMANDS,
    "ownership.commands.shared": _COMMANDS,
    "ownership": _PRODUCT,
    "gogui_plugin": {*_PLAYERS, *_SCORING, *_ANALYSIS, "planes", "ownership.evaluation", "ownership.explaining"},
    "benchmarks": {*_COMMANDS, "gogui_plugin", "tests.support"},
    "experiments": {*_COMMANDS, "gogui_plugin", "benchmarks", "tests.support"},
}
HEAVY = {"tensorflow", "keras", "pandas", "pyarrow", "matplotlib", "fsspec", "distributed"}
# Only the command that is named is imported, so that a command may import what it always needs.
MAY_BE_HEAVY = (
    "ownership.commands",
    "ownership.export",
    "ownership.katago_networks",
    "ownership.networks",
    "ownership.training",
    "viz",
    "benchmarks",
    "experiments",
)
OURS = {folder.partition(".")[0] for folder in ALLOWED} | {"tests"}


def imported(path: Path) -> Iterator[str]:
    """Yield the full names of the modules that a module imports, anywhere in its text."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def folder_of(name: str) -> str:
    """Return the folder of a module, or of a name in one."""
    parts = name.split(".")
    folders = (".".join(parts[:end]) for end in range(len(parts), 0, -1))
    return next((folder for folder in folders if (ROOT / folder.replace(".", "/")).is_dir()), parts[0])


def test_every_folder_of_the_product_has_its_place() -> None:
    assert set(FOLDERS) == set(ALLOWED)
    for folder in FOLDERS:
        assert ROOT / folder.replace(".", "/") / "__init__.py" in modules(folder), "setuptools packs no such folder"


@pytest.mark.parametrize("folder", ALLOWED)
def test_imports_point_down_only(folder: str) -> None:
    for path in modules(folder):
        ours = {folder_of(name) for name in imported(path) if name.split(".")[0] in OURS}
        assert ours <= ALLOWED[folder] | {folder}, path


def test_tests_import_no_benchmarks_and_no_experiments() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        assert not {name.split(".")[0] for name in imported(path)} & {"benchmarks", "experiments"}, path


def test_tests_share_what_lies_in_support_alone() -> None:
    for path in (ROOT / "tests").rglob("*.py"):
        shared = {name for name in imported(path) if name.startswith("tests.")}
        assert all(name.startswith("tests.support.") for name in shared), path
        assert not re.search(r"^from tests\.(?!support\b)", path.read_text(), re.MULTILINE), path  # in scripts, too


def test_the_rules_need_nothing_but_numpy_and_numba() -> None:
    standard = set(sys.stdlib_module_names)
    for path in (path for folder in _RULES for path in modules(folder)):
        assert {name.split(".")[0] for name in imported(path)} - standard <= {"goban", "numpy", "numba"}, path


def test_no_loose_modules_in_ownership() -> None:
    assert {path.stem for path in modules("ownership")} <= {"__init__", "__main__", "cli"}


def test_only_commands_training_and_pictures_bring_in_heavy_packages() -> None:
    light = [name_of(path) for folder in ALLOWED if not folder.startswith(MAY_BE_HEAVY) for path in modules(folder)]
    light.remove("ownership.__main__")
    script = f"import importlib, sys\nfor name in {light}:\n    importlib.import_module(name)\n"
    script += f"print(*sorted(set(sys.modules) & {HEAVY}))"
    answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert answer.stdout.split() == []
