"""python -m experiments.mutations [NUMBER ...]

Whether tests notice that a line is wrong: each of CHANGES is made in a copy of the repository, and the tests beside it
run until one fails. Prints a row of the table in docs/lab/tests.md for each; by default for all.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
SECONDS: Final = "300"  # after which a test hangs


class Change(NamedTuple):
    """A line that is made wrong, by a part of it that occurs once in a file, and the tests that are to notice."""

    path: str
    before: str
    after: str
    tests: str


CHANGES: Final = [
    Change(
        "goban/kernels.py",
        "captured == 1 and board.size[head] == 1 and",
        "captured == 1 and",
        "tests/goban/test_moves.py tests/goban/test_oracles.py",
    ),
    Change(
        "goban/kernels.py",
        "board.pseudo[board.head[beside]] += 1",
        "board.pseudo[board.head[beside]] += 2",
        "tests/goban/test_moves.py tests/goban/test_oracles.py",
    ),
    Change(
        "goban/reading/search_stack.py",
        "board.pseudo[one] -= board.pseudo[other]",
        "board.pseudo[one] += board.pseudo[other]",
        "tests/goban/test_undo.py",
    ),
    Change("goban/regions.py", "if vital < 2:", "if vital < 1:", "tests/goban/test_regions.py"),
    Change("goban/tactics.py", "return holes < 2", "return holes < 3", "tests/ownership/players/test_players.py"),
    Change(
        "goban/tactics.py",
        "chains.size[chain] if _is_first(chains, point, k) else 0",
        "chains.size[chain]",
        "tests/preprocessing/features/test_planes.py",
    ),
    Change(
        "goban/reading/ladders.py",
        "if left == 1 and not _is_among(",
        "if left == 2 and not _is_among(",
        "tests/goban/reading/test_ladders.py tests/preprocessing/features/test_planes.py",
    ),
    Change(
        "goban/reading/ladders.py",
        "if attacking or left > 2 else",
        "if attacking or left > 3 else",
        "tests/goban/reading/test_ladders.py",
    ),
    Change(
        "goban/reading/reader.py", "captured >= _ROOM and not attacking", "captured >= _ROOM", "tests/goban/reading"
    ),
    Change(
        "goban/reading/territory.py",
        "(eyes <= 1) & (eye_points <= _LARGEST_SINGLE_EYE)",
        "eyes <= 1",
        "tests/goban/counting tests/ownership/scoring/test_finished_positions.py",
    ),
    Change("goban/regions.py", "ROOMY = 7", "ROOMY = 6", "tests/goban/test_regions.py"),
    Change(
        "goban/game.py",
        "if self._checks(superko) and after.hash",
        "if after.hash",
        "tests/goban/test_moves.py tests/goban/test_position.py",
    ),
    Change("goban/rulesets.py", "side > 7 else 4", "side > 5 else 4", "tests/ownership/players/test_players.py"),
    Change("goban/counting/score.py", "owner[in_seki & (left == EMPTY)] = EMPTY", "pass", "tests/goban/counting"),
    Change(
        "goban/counting/score.py",
        "if position.to_move == BLACK else (0.0, 0.5)",
        "if position.to_move != BLACK else (0.0, 0.5)",
        "tests/goban/counting",
    ),
    Change(
        "goban/counting/score.py",
        "dead & (claimed >= 0)",
        "dead & (claimed > 0)",
        "tests/goban/counting/test_dead_stones.py",
    ),
    Change(
        "goban/counting/score.py",
        "double_ko_race(reader.position) & (claimed is None or claimed == 0)",
        "double_ko_race(reader.position)",
        "tests/goban/counting/test_dead_stones.py",
    ),
    Change("goban/counting/score.py", " and not closing & theirs", "", "tests/goban/counting"),
    Change(
        "ownership/search/mcts/kernels.py",
        "_total(rule, each) - _VIRTUAL_LOSS * each.virtual_losses)",
        "_total(rule, each))",
        "tests/ownership/search/test_tree_search.py",
    ),
    Change(
        "ownership/search/mcts/kernels.py",
        "_add_virtual_loss(tree, node, -waited)",
        "_add_virtual_loss(tree, node, -1)",
        "tests/ownership/search/test_tree_search.py",
    ),
    Change(
        "ownership/search/mcts/kernels.py",
        "forbidden[move] <= here.ply",
        "forbidden[move] < here.ply",
        "tests/ownership/search/test_tree_search.py tests/gogui_plugin/test_live.py",
    ),
    Change(
        "ownership/search/table.py",
        " and entry.taken | node.taken != BOTH_COLOURS",
        "",
        "tests/ownership/search/test_search.py",
    ),
    Change(
        "ownership/search/alphabeta.py",
        "UPPER if found.value <= alpha",
        "UPPER if found.value < alpha",
        "tests/ownership/search/test_search.py",
    ),
    Change(
        "ownership/search/alphabeta.py",
        "passes = node.passes + 1 if",
        "passes = 1 if",
        "tests/ownership/search/test_search.py",
    ),
    Change(
        "preprocessing/dataset/sampler.py",
        "self._ended[rows] & (",
        "(",
        "tests/preprocessing/dataset/test_sampler.py",
    ),
    Change(
        "preprocessing/dataset/table.py",
        "[black_pass + 1 - last, black_pass + last]",
        "[black_pass + last, black_pass + 1 - last]",
        "tests/preprocessing/dataset/test_rows.py",
    ),
    Change(
        "preprocessing/dataset/table.py",
        "if name not in kept or (labelled[row] and not labelled[kept[name]]):",
        "if name not in kept:",
        "tests/preprocessing/dataset/test_rows.py",
    ),
    Change(
        "preprocessing/dataset/rows.py",
        "percent < _TEST_PERCENT + _VALIDATION_PERCENT",
        "percent < _VALIDATION_PERCENT",
        "tests/preprocessing/dataset/test_rows.py tests/preprocessing/dataset/test_pipeline.py",
    ),
    Change(
        "ownership/server/app.py", "getlist(name)) > 1:", "getlist(name)) > 2:", "tests/ownership/server/test_bodies.py"
    ),
    Change(
        "ownership/server/requests.py",
        "not in (1, SYMMETRIES)",
        "not in range(1, SYMMETRIES + 1)",
        "tests/ownership/server/test_bodies.py",
    ),
]


def main() -> int:
    """Print a row for each change; return 0."""
    numbers = [int(number) for number in sys.argv[1:]] or range(1, len(CHANGES) + 1)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "clone", "--quiet", ROOT, copy], check=True)
        copy_kernels(copy)
        for number in numbers:
            change = CHANGES[number - 1]
            row = (str(number), change.path, f"`{change.before}`", f"`{change.after}`", noticed_by(copy, change))
            print(f"| {' | '.join(row)} |", flush=True)
    return 0


def copy_kernels(copy: Path) -> None:
    """Give the copy the kernels that are compiled already; those that a change concerns are compiled again."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for folder in {Path(path).parent / "__pycache__" for path in listed.splitlines()}:
        for kernel in (ROOT / folder).glob("*.nb[ci]"):
            (copy / folder).mkdir(exist_ok=True)
            shutil.copy2(kernel, copy / folder)


def noticed_by(copy: Path, change: Change) -> str:
    """Return the first test that fails in the copy while it has a change, or "none"."""
    path = copy / change.path
    right = path.read_text()
    if right.count(change.before) != 1:
        raise ValueError(f"{change.path}: expected once: {change.before}")
    path.write_text(right.replace(change.before, change.after))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-p",
        "no:cacheprovider",
        "--timeout",
        SECONDS,
        *change.tests.split(),
    ]
    ended = subprocess.run(
        command, cwd=copy, env=os.environ | {"PYTHONPATH": str(copy)}, capture_output=True, text=True
    )
    path.write_text(right)
    failed = re.findall(r"^(?:FAILED|ERROR) \S+?::(\w+)", ended.stdout, re.MULTILINE)
    if ended.returncode not in (0, 1):
        raise RuntimeError(ended.stdout[-1000:] + ended.stderr[-1000:])
    return failed[0] if failed else "none"


if __name__ == "__main__":
    sys.exit(main())
