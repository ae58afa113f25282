"""Types of arrays, besides those in `goban.board_kernels`."""

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]
Float32 = NDArray[np.float32]
