"""Make games of all kinds of players and label their positions, for `ownership train --soft`.

Examples:
    ownership mixture everyday data/games --teacher models/b6 -o data/everyday
    ownership mixture everyday data/games --scale 0.01 --dry-run -o data/everyday

See docs/training.md.
"""

import argparse
import shlex
import sys

from goban.errors import InputError
from ownership.teaching.dataset_mixtures import MIXTURES, Part, steps
from runtime.child_programs import find_program
from runtime.command_line import Argument, declare


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership mixture`."""
    parser.set_defaults(kept="the finished parts")
    datasets = "folder or URL made by `ownership prepare`, whose games some parts begin with"
    output = "folder of the games and of the labels, DIR/labels/PART; continues the run that it holds"
    declare(
        parser,
        Argument("mixture", tuple(MIXTURES), "name of the mixture"),
        Argument("datasets DATASET", str, datasets, count="+"),
        Argument("-o --output DIR", str, output, required=True),
        Argument("--teacher MODEL|FILE|COMMAND", str, "as for `ownership teach`", "default"),
        Argument("--scale X", float, "factor of the usual number of games", 1.0, 1e-4, 1000),
        Argument("--dry-run", bool, "print the commands and run none"),
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the commands of the mixture, each named on stderr; return 0, or the status of the first that fails."""
    parts = MIXTURES[arguments.mixture]
    missing = {part.program for part in parts if part.program and not _is_there(part.program)}
    for program in sorted(missing):
        names = ", ".join(part.name for part in parts if part.program == program)
        print(f"ownership: warning: {program}: not installed; left out: {names}", file=sys.stderr)
    made = tuple(part for part in parts if part.program not in missing)
    for _, words in steps(made, arguments.output, tuple(arguments.datasets), _teacher(arguments), arguments.scale):
        command = shlex.join(("ownership", *words))
        if arguments.dry_run:
            print(command)
        elif status := _run(command, words):
            return status
    if not arguments.dry_run:
        print(f"Next: ownership train {shlex.join(arguments.datasets)} {_soft(made, arguments.output)} --output MODEL")
    return 0


def _is_there(program: str) -> bool:
    return find_program(program) is not None


def _teacher(arguments: argparse.Namespace) -> tuple[str, ...]:
    return ("--teacher", arguments.teacher, "--symmetries", "1")


def _soft(parts: tuple[Part, ...], output: str) -> str:
    return " ".join(f"--soft {shlex.quote(f'{output}/labels/{part.name}')}" for part in parts)


def _run(command: str, words: tuple[str, ...]) -> int:
    """Run one command of the mixture and return its status."""
    from ownership.cli import main

    print(command, file=sys.stderr, flush=True)
    try:
        return main(words)
    except SystemExit as error:
        raise InputError(f"{command}: it does not accept its arguments") from error
