"""Checks of arguments that several commands share."""

import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from goban.errors import InputError


@contextmanager
def naming(option: str) -> Iterator[None]:
    """Let the message of an InputError in the block begin with the option, or other argument, at fault."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def check_number(name: str, value: float | None, least: float, most: float = math.inf, unit: str = "") -> None:
    """Check the number that an option has.

    Args:
        name: of the option, without the dashes.
        value: None for an option that was left out.
        least, most: the smallest and the largest number that is allowed.
        unit: what the number counts, such as "seconds".

    Raises:
        InputError: the number is outside, or NaN.
    """
    if value is None or least <= value <= most:
        return
    expected = f"at least {least}" if most == math.inf else f"{least}..{most}"
    received = f"{value:g}" if isinstance(value, float) else str(value)
    raise InputError(f"--{name} must be {' '.join(filter(None, (expected, unit)))}. Received: {received}")


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
