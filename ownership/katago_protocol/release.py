"""The version that the programs of KataGo's protocols answer with."""

import re
from importlib.metadata import version


def engine_version() -> str:
    """Return the version of the installed package as three numbers, such as "0.2.0" for 0.2.0.dev1, as clients read
    it."""
    return three_numbers(version("go-ownership"))


def three_numbers(text: str) -> str:
    """Return the first three numbers of a version; those that it lacks are 0."""
    release = re.split(r"[^0-9.]", text)[0]
    numbers = [number for number in release.split(".") if number]
    return ".".join([*numbers, "0", "0", "0"][:3])
