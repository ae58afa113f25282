"""Checks of arguments that several commands share."""

import math
import re
from pathlib import Path

from goban.checks import check_number, check_whole, naming
from goban.errors import InputError


def check_option(name: str, value: float | None, least: float, most: float = math.inf) -> None:
    """Raise InputError for the number of an option, named without dashes, outside a range; None for one left out."""
    if value is not None:
        with naming(f"--{name}"):
            (check_whole if isinstance(value, int) else check_number)(value, least, most)


def check_new_folder(output: Path, ending: str) -> None:
    """Check a folder to be made, which is not to be a file with another ending than the one that commands write.

    Args:
        output: the folder, which may exist.
        ending: such as ".html".

    Raises:
        InputError: no folder, and a name that looks like that of a file.
    """
    if not output.is_dir() and re.fullmatch(r"\.[A-Za-z]{2,5}", output.suffix):
        raise InputError(
            f"{output}: expected a file ending in {ending}, or a folder. Received: a file ending in {output.suffix}"
        )
