"""Files of matches: a line for each, `NAME: ARGUMENTS`, the arguments being those of `ownership match`."""

import argparse
import os
import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

from goban.checks import naming
from goban.errors import InputError, shown

_LINE = re.compile(r"([\w.-]+):\s+(\S.*)")
_VARIABLE = re.compile(r"\$\{?(\w+)\}?")


class _LineParser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise InputError(message)


def read_matches(
    path: Path, shared: argparse.Namespace, add_arguments: Callable[[argparse.ArgumentParser], None]
) -> list[tuple[str, argparse.Namespace]]:
    """Return the name and the arguments of each match of a file.

    Empty lines and those that begin with # count for nothing. `$NAME` is the environment variable NAME.

    Args:
        path: the file.
        shared: arguments of the command line, which hold wherever a line has no others; its output is the folder of
            the matches' own folders.
        add_arguments: declares the arguments of a line.

    Raises:
        InputError: a line that is no match, two of the same name, or an unknown variable.
        OSError: the file cannot be read.
    """
    matches: dict[str, argparse.Namespace] = {}
    for number, line in _lines(path):
        with naming(f"{path}, line {number}"):
            found = _LINE.fullmatch(line)
            if found is None or found[1] in matches:
                raise InputError(f"expected NAME: PLAYER PLAYER [OPTION ...], each name once. Received: {shown(line)}")
            matches[found[1]] = _arguments(found[2], found[1], shared, add_arguments)
    if not matches:
        raise InputError(f"{path}: expected at least one line NAME: PLAYER PLAYER [OPTION ...]. Received: none")
    return list(matches.items())


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: expected UTF-8 text. Received: byte {error.object[error.start]:#04x}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()


def _arguments(
    line: str, name: str, shared: argparse.Namespace, add_arguments: Callable[[argparse.ArgumentParser], None]
) -> argparse.Namespace:
    parser = _LineParser(add_help=False)
    add_arguments(parser)
    output = shared.output / name
    parser.set_defaults(**{**vars(shared), "file": None})
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise InputError(f"{str(error).lower()} in {shown(line)}") from None
    found = parser.parse_args([_VARIABLE.sub(_value, word) for word in words] + ["--output", str(output)])
    if found.file or found.output != output:
        raise InputError(f"expected neither --file nor --output. Received: {shown(line)}")
    return found


def _value(variable: re.Match[str]) -> str:
    value = os.environ.get(variable[1])
    if not value:
        raise InputError(f"the environment variable {variable[1]} is not set")
    return value
