"""Types of arrays, named by their contents or else by their dtype."""

import numpy as np
from numpy.typing import NDArray

Bool = NDArray[np.bool_]
Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]
Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]
Uint64 = NDArray[np.uint64]
Float32 = NDArray[np.float32]

Mask = NDArray[np.bool_]
"""Chosen points of a board: bool (N, N), or flat (N*N,)."""
Stones = NDArray[np.int8]
"""Stones or owners of the points of a board: 1 Black, -1 White, 0 neither; int8 (N, N), or flat (N*N,)."""
