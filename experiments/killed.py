"""python -m experiments.killed OUTPUT [--kills 15] [--commands teach selfplay ...] [--seed 1]

Kill resumable commands without warning, again and again, and compare what they leave in the end with a run that nothing
stopped. This is behind docs/lab/engines.md, "Commands that are killed".

A command runs whole first, which gives its time. Then it is started and killed after a random part of that time, with
all processes that it started, and started again in the same folder. Where it ends before it is killed, its files are
compared, and it begins again in a new folder, until it was killed so often. OUTPUT is a new folder.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path

from benchmarks.command import exit_with

RECORDS = ["examples/finished-9x9.sgf", "examples/finished-19x19.sgf", "examples/middlegame-19x19.sgf"]
WEAK = ["selfplay", "--style", "weak", "--model", "fast", "--sides", "9"]
COMMANDS = {
    "teach": ["teach", "{weak}", "--teacher", "fast", "--symmetries", "1", "--every", "5"],
    "selfplay": [*WEAK, "--games", "600", "--seed", "2"],
    "analyze": ["analyze", *RECORDS, "--model", "fast", "--visits", "8", "--csv", "--json"],
    "report": ["report", *RECORDS, "--model", "fast", "--symmetries", "1"],
    "match": ["match", "policy:temperature=1", "random", "--model", "fast", "--referee", "fast", "--games", "40"],
}
VARYING = ("timing-*", "*.lock", ".*")  # files that no two runs have alike
TIMES = re.compile(rb'"(seconds|longest)": \[[^\]]*\]')  # in the results of a match


def main() -> int:
    """Print for each command how often it was killed, how often it ended, and whether the files were the same."""
    parser = argparse.ArgumentParser(prog="python -m experiments.killed", description=main.__doc__)
    parser.add_argument("output", type=Path, help="a new folder")
    parser.add_argument("--kills", type=int, default=15, help="of each command (%(default)s)")
    parser.add_argument("--commands", nargs="+", choices=COMMANDS, default=[*COMMANDS], help="to kill (all)")
    parser.add_argument("--seed", type=int, default=1, help="of the times of the kills (%(default)s)")
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True)
    weak = arguments.output / "weak"
    if "teach" in arguments.commands:
        finish([*WEAK, "--games", "300"], weak)
    print("| command | seconds | killed | ended | the same files |\n|---|---|---|---|---|")
    different = 0
    for name in arguments.commands:
        words = [word.format(weak=weak) for word in COMMANDS[name]]
        seconds, killed, same = kill(words, arguments.output / name, arguments.kills, random.Random(arguments.seed))
        print(f"| `{name}` | {seconds:.0f} | {killed} | {len(same)} | {sum(same)} |", flush=True)
        different += len(same) - sum(same)
    return 1 if different else 0


def kill(words: list[str], folder: Path, kills: int, chance: random.Random) -> tuple[float, int, list[bool]]:
    """Return the seconds of a whole run, how often the command was killed, and whether files were alike at each end."""
    started = time.monotonic()
    finish(words, folder / "whole")
    seconds, expected = time.monotonic() - started, contents(folder / "whole")
    killed, same = 0, list[bool]()
    while killed < kills or not same:
        if killed < kills and run(words, folder / "killed", chance.uniform(0.2, 1) * seconds):
            killed += 1
            continue
        finish(words, folder / "killed")
        same.append(contents(folder / "killed") == expected)
        shutil.rmtree(folder / "killed")
    return seconds, killed, same


def run(words: list[str], folder: Path, seconds: float) -> bool:
    """Return whether a command had to be killed after so many seconds; raise CalledProcessError where it fails."""
    process = start(words, folder)
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return True
    if status:
        raise subprocess.CalledProcessError(status, words)
    return False


def finish(words: list[str], folder: Path) -> None:
    """Run a command to its end; raise CalledProcessError where it fails."""
    if status := start(words, folder).wait():
        raise subprocess.CalledProcessError(status, words)


def start(words: list[str], folder: Path) -> "subprocess.Popen[bytes]":
    """Start a command with an output folder in a process group of its own."""
    command = [sys.executable, "-m", "ownership", *words, "-o", str(folder)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True)


def contents(folder: Path) -> dict[str, str]:
    """Return digests of the files of a folder by name, without those that vary."""
    files = (path for path in folder.rglob("*") if path.is_file() and not any(map(path.match, VARYING)))
    return {str(path.relative_to(folder)): sha256(TIMES.sub(b"", path.read_bytes())).hexdigest() for path in files}


if __name__ == "__main__":
    exit_with(main)
