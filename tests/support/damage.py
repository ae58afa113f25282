"""Files with a changed bit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from game_datasets.rows import DatasetError

_FLIPS = 200


def flip_bits(path: Path, read: Callable[[], Any]) -> None:
    """Assert that `read` returns the same table, or raises DatasetError, with any bit of a file changed.

    The bits are drawn at random, always the same ones.
    """
    whole, table = path.read_bytes(), read()
    refused = 0
    for bit in np.random.default_rng(1).integers(8 * len(whole), size=_FLIPS).tolist():
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            assert read().equals(table), f"bit {bit} reads as other rows"
        except DatasetError:
            refused += 1
    assert refused > _FLIPS // 4
