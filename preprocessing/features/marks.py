"""How kernels write planes; channels are -1 for planes that the set does not have."""

import numpy as np
import numpy.typing as npt

from goban.jit import in_place
from preprocessing.features.names import EXACT, LEAST

Int8 = npt.NDArray[np.int8]
Int16 = npt.NDArray[np.int16]
Float32 = npt.NDArray[np.float32]


@in_place
def has_channel(channels: Int16, first: int, end: int) -> bool:
    """Return whether one of the planes from `first` to before `end` has a channel."""
    found = False
    for plane in range(first, end):
        found = found or channels[plane] >= 0
    return found


@in_place
def mark(values: Int8, value: int, channel: int, planes: Float32) -> None:
    """Mark the points that have a value; does nothing without a channel."""
    if channel >= 0:
        for point in range(len(values)):
            if values[point] == value:
                planes[point, channel] = 1


@in_place
def mark_point(planes: Float32, point: int, channel: int) -> None:
    """Mark one point; does nothing without a channel."""
    if channel >= 0:
        planes[point, channel] = 1


@in_place
def mark_everywhere(planes: Float32, channel: int, value: float) -> None:
    """Give all points a value; does nothing without a channel."""
    if channel >= 0:
        planes[:, channel] = value


@in_place
def mark_count(planes: Float32, point: int, channels: Int16, count: int) -> None:
    """Mark one point in the planes of a count of at least 1; channels int16 (STEPS,), those of what is counted."""
    if count <= EXACT:
        mark_point(planes, point, int(channels[count - 1]))
    for k in range(len(LEAST)):
        if count >= LEAST[k]:
            mark_point(planes, point, int(channels[EXACT + k]))
