"""Batches of the sampler, compared."""

import numpy as np

from game_datasets.batches import Batch
from planes.feature_sets import FEATURE_SETS

STANDARD, TACTICAL = FEATURE_SETS["standard"], FEATURE_SETS["tactical"]
OLDER = FEATURE_SETS["alphago48"].planes.index("older")
RECENT = [number for number, name in enumerate(FEATURE_SETS["alphago48"].planes) if name.startswith("recent_")]


def same(one: Batch, other: Batch) -> bool:
    """Return whether two batches have the same arrays, but for targets of packages."""
    pairs = [(getattr(one, name), getattr(other, name)) for name in vars(one) if name not in ("soft", "own")]
    pairs += list(zip(soft_arrays(one), soft_arrays(other), strict=True))
    return all(np.array_equal(first, second, equal_nan=first.dtype.kind == "f") for first, second in pairs)


def soft_arrays(batch: Batch) -> list[np.ndarray]:
    """Return the arrays of a teacher's labels; none for games."""
    return list(vars(batch.soft).values()) if batch.soft else []
