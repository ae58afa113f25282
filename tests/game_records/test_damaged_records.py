"""Records with faults of all kinds: read or refused in a line, and always the same."""

import hashlib
import os
import subprocess
import sys

import pytest

from tests.support.mutations import mutated, readings
from tests.support.paths import ROOT

_SOME = 300
_MANY = 5_000
_SEEDS = ("0", "1", "5")
_PROGRAM = f"import sys; from {__name__} import digest; print(digest(int(sys.argv[1])))"


def digest(count: int) -> str:
    """Return a digest of the games that are read from a number of records."""
    found = hashlib.blake2b(digest_size=16)
    for data in mutated(count):
        found.update("\n".join(readings(data)).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def _check(count: int) -> None:
    read = 0
    for data in mutated(count):
        said = readings(data)
        assert readings(data) == said
        assert all("\n" not in each for each in said if each.startswith("mutated: "))
        read += any(not each.startswith("mutated: ") for each in said)
    assert read > count // 2, "most faults leave a game"


def _elsewhere(count: int, seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", _PROGRAM, str(count)]
    return subprocess.run(command, env=environment, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def test_records_with_faults_are_read_or_refused_in_a_line_and_always_the_same() -> None:
    _check(_SOME)


@pytest.mark.long
def test_thousands_of_records_with_faults() -> None:
    _check(_MANY)


@pytest.mark.slow
def test_no_reading_depends_on_the_seed_of_hashes() -> None:
    assert {_elsewhere(_SOME, seed) for seed in _SEEDS} == {digest(_SOME)}
