"""The commands of the README and of the guide, run from top to bottom of each page.

Budgets of time and games are smaller, as are networks; left out are commands that need a network to download, a cluster
or a GPU, and those for developers, which `.ci/run` runs. A command of `ownership` by itself runs in the process of the
test, where most packages are loaded already; scripts, pipes and other programs run in a shell.
"""

import os
import random
import re
import shutil
import socket
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, groupby, islice
from pathlib import Path

import pytest

from game_datasets.rows import split_of
from game_records.sgf import parse_game
from ownership.cli import main
from preprocessing.gnugo import find_gnugo
from tests.support.pages import code
from tests.support.paths import EXAMPLES, ROOT

COMMAND = re.compile(r"(?:cat \S+ \| )?ownership(?:-gtp|-analysis)?(?: |$)|jq |curl |echo ")
ALONE = re.compile(r"ownership [^|&$<>;]*")
COMMENT = re.compile(r"\s+# .*")
LEFT_OUT = re.compile(r"kata1-|katrain|models/b|use b18|match A B|evaluate gnugo")  # to download, choose or install
SMALLER = {
    r"--minutes \d+": "--samples 64",
    r"--samples \d+": "--samples 64",
    r"filters=16,32 chain_pooling=off,max --seeds \d": "filters=8,12 --seeds 1",
    r"--benchmark": "--benchmark --games 2",
    r"--games \d\d+": "--games 2",
    r"(runs/gnugo) (--size 9)": r"\1 --games 2 \2",
    r"(ownership match .*)--size 9": r"\1--size 5",
    r"--visits \d+": "--visits 2",
    r"(ownership explain \S+ [A-T]\d+)": r"\1 --visits 2",
    r"(ownership analyze) (?!.*--visits)": r"\1 --visits 2 ",
    r"visits: \d+": "visits: 2",
    r'"maxVisits": \d+': '"maxVisits": 8',
    r"--level 10": "--level 1",
    r"ownership teach": "ownership teach --symmetries 1",
    r"(ownership (?:analyze|report) .*)\bgame.sgf": r"\1examples/finished-9x9.sgf",
    r"(ownership train) (?!.*--(?:recipe|initial-weights))": r"\1 --filters 8 --blocks 1 ",
    r"mcts:time=1": "mcts:visits=2",
    r"--time \d+": "--time 0.1",
    r"(game.sgf) (-o game.gif)": r"\1 --every 40 \2",
    r"--every 2 ": "--every 20 ",
    r"FOLDER": "games",
    r"curl": "curl --silent --show-error --fail",
    r"ownership serve": "ownership serve --port $PORT --no-browser & trap 'kill $!' EXIT; "
    "until curl --silent 127.0.0.1:$PORT > page.html; do kill -0 $!; sleep 0.2; done",
    r":8000": ":$PORT",
}
EARLIER = {
    "models": ["ownership prepare games/ -o data/games", "ownership train data/games --samples 64 --output runs/mine"],
    "training": [
        "ownership prepare games/ -o data/games",
        f"cp {ROOT}/ownership/models/fast/best.keras net.keras",
    ],
}
OUTPUT = re.compile(r" (?:-o|--output|--picture|--table) (\S+)")
SHUFFLED = 52  # moves without a capture, more than the stones of an opening


def commands(page: Path) -> list[str]:
    """Return the commands of a page with small budgets, continued lines joined, without comments."""
    found: list[str] = []
    for line in (COMMENT.sub("", each) for each in code(page.read_text())):
        if found and (found[-1].count("'") % 2 or found[-1].endswith("|")):
            found[-1] += f"\n{line}"
        elif COMMAND.match(line) and not LEFT_OUT.search(line):
            found.append(line)
    return [smaller(command) for command in found]


def smaller(command: str) -> str:
    for pattern, replacement in SMALLER.items():
        command = re.sub(pattern, replacement, command)
    return command


GUIDE = {page.stem: commands(page) for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))}
del GUIDE["measured"]  # takes hours, and records that are no part of the project


def records() -> Iterator[str]:
    """Yield records of all splits: the 19x19 example with its first moves in other orders, with other stones first."""
    head, *moves = re.split(r"(?=;[BW]\[)", (EXAMPLES / "finished-19x19.sgf").read_text())
    wanted = {"train": 4, "validation": 2, "test": 2}
    for seed in count():
        if not any(wanted.values()):
            return
        black, white = moves[:SHUFFLED:2], moves[1:SHUFFLED:2]
        random.Random(seed).shuffle(black)
        random.Random(seed).shuffle(white)
        record = head + "".join(chain(*zip(black, white, strict=True), moves[SHUFFLED:]))
        split = split_of(parse_game(record.encode()).opening)
        if wanted[split]:
            wanted[split] -= 1
            yield record


def fill(folder: Path, own: Iterable[str]) -> None:
    """Write the examples of a clone and the user's own records, under the names that the pages use."""
    for name in ("games", "folder", "docs/pictures"):
        (folder / name).mkdir(parents=True)
    (folder / "examples").symlink_to(EXAMPLES)
    with zipfile.ZipFile(folder / "games" / "games.zip", "w") as archive:
        for number, record in enumerate(own):
            archive.writestr(f"{number}.sgf", record)
    for name in ("games", "more", "archive"):
        shutil.make_archive(str(folder / name), "zip", EXAMPLES)
    for copy in ("game.sgf", "one.sgf", "folder/game.sgf"):
        shutil.copy(EXAMPLES / "finished-19x19.sgf", folder / copy)


def run_here(lines: Sequence[str]) -> None:
    """Run commands of `ownership` in this process, with the words that a shell makes of them."""
    for line in lines:
        words = subprocess.run(["bash", "-c", f"printf '%s\\0' {line}"], stdout=subprocess.PIPE, text=True, check=True)
        assert main(words.stdout.split("\0")[1:-1]) == 0, line


def run_script(lines: Sequence[str]) -> None:
    """Run lines as one script."""
    answer = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", "\n".join(lines)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert answer.returncode == 0, answer.stdout[-3000:]


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


PAGES = [page for page, found in GUIDE.items() if found]
LONG = dict.fromkeys(("datasets", "models", "review", "training"), pytest.mark.long)  # trainings and many games


@pytest.mark.slow
@pytest.mark.parametrize("page", [pytest.param(page, marks=LONG.get(page, ())) for page in PAGES])
def test_the_commands_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [*EARLIER.get(page, []), *GUIDE[page]]
    fill(tmp_path, islice(records(), None if any("prepare" in line for line in lines) else 1))
    for word, module in (("train", "tensorflow"), ("serve", "starlette")):
        if any(f"ownership {word}" in line for line in lines):
            pytest.importorskip(module, reason=f"ownership {word} needs an extra")
    for program in ("jq", "curl"):
        if any(line.startswith(program) for line in lines) and not shutil.which(program):
            pytest.skip(f"the page uses {program}")
    programs = [str(Path(sys.executable).parent), os.environ["PATH"], str(Path(find_gnugo()).parent)]
    for name, value in (("PATH", os.pathsep.join(programs)), ("PORT", str(free_port())), ("OWNERSHIP_MODEL", "fast")):
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    for alone, group in groupby(lines, key=lambda line: ALONE.fullmatch(line) is not None):
        run = run_here if alone else run_script
        run(list(group))
    for path in OUTPUT.findall("\n".join(lines)):
        assert (tmp_path / path).exists(), path


def test_the_pages_with_commands_are_these() -> None:
    pages = {"README", "benchmark", "datasets", "explaining", "gogui", "models", "pictures", "play", "protocols"}
    assert pages | {"review", "scoring", "serve", "training"} == set(PAGES)
