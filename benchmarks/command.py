"""The arguments of all benchmarks."""

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from goban.errors import InputError


def parser_of(module: str, doc: str | None) -> argparse.ArgumentParser:
    """Return a parser for a module, whose description is the module's docstring without the first line, its usage."""
    parser = argparse.ArgumentParser(prog=f"python -m {module}", formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.description = (doc or "").partition("\n\n")[2].strip()
    return parser


def exit_with(main: Callable[[], int]) -> NoReturn:
    """End the process with the status that `main` returns, or 2 and one line on stderr for wrong input."""
    try:
        sys.exit(main())
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
