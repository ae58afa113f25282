"""The arguments of commands that compute for long: where, with which random numbers, for how long."""

from typing import Final

from runtime.command_line import Argument

LONGEST_TIME: Final = 1_000_000  # seconds


def seed_argument(of: str) -> Argument:
    """Return the argument --seed; `of` names the random part."""
    return Argument("--seed N", int, f"seed of {of}", 0, least=0)


def cluster_argument(verb: str, more: str = "") -> Argument:
    """Return the argument --cluster; `verb` is the work on the cluster, and `more` ends the help."""
    return Argument("--cluster ADDRESS", str, f"{verb} on a Dask cluster, such as tcp://host:8786{more}")
