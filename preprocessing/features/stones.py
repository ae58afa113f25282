"""The planes of the stones on the board, as kernels: colours, and the liberties of chains."""

from goban.jit import inner
from goban.kernels import Int8, Int16, Int32, liberties
from preprocessing.features.marks import Float32, has_channel, mark, mark_count, mark_point
from preprocessing.features.names import PLACES, STEPS

_OWN = PLACES["own_1_liberty"]
_OTHER = PLACES["other_1_liberty"]
_LIBERTIES = PLACES["liberties_1"]
_SIGNED = PLACES["signed_stones"]
_BLACK = PLACES["black"]
_WHITE = PLACES["white"]
_OWN_STONE = PLACES["own"]
_OTHER_STONE = PLACES["other"]
_EMPTY = PLACES["empty"]


@inner
def write_stones(side: int, stones: Int8, to_move: int, channels: Int16, planes: Float32, chains: Int32) -> None:
    """Mark each point in the planes of its contents, and each stone in those of its chain's liberties.

    Args as for `kernels.describe`, whose state is `stones` and `to_move`.
    """
    mark(stones, 1, channels[_BLACK], planes)
    mark(stones, -1, channels[_WHITE], planes)
    mark(stones, to_move, channels[_OWN_STONE], planes)
    mark(stones, -to_move, channels[_OTHER_STONE], planes)
    mark(stones, 0, channels[_EMPTY], planes)
    if channels[_SIGNED] >= 0:
        for point in range(side * side):
            planes[point, channels[_SIGNED]] = stones[point] * to_move
    either = channels[_LIBERTIES : _LIBERTIES + STEPS]
    if not has_channel(channels, _OWN, _OTHER + 5) and not has_channel(either, 0, STEPS):
        return
    counts = liberties(side, stones, chains)
    for point in range(side * side):
        if stones[point] != 0:
            _write_liberties(planes, point, channels, _OWN if stones[point] == to_move else _OTHER, counts[point])
            mark_count(planes, point, either, counts[point])


@inner
def _write_liberties(planes: Float32, point: int, channels: Int16, first: int, count: int) -> None:
    """Mark a stone in the five planes of its player, which begin with plane `first`."""
    if count <= 3:
        mark_point(planes, point, channels[first + count - 1])
    if count >= 3:
        mark_point(planes, point, channels[first + 3])
    if count >= 4:
        mark_point(planes, point, channels[first + 4])
