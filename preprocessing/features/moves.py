"""The planes of what each move of the side to move would do, as kernels."""

from goban.jit import inner
from goban.kernels import Int8, Int16, Int32, neighbour_table
from goban.move_flags import is_eye
from goban.tactics import move_results
from preprocessing.features.marks import Float32, has_channel, mark_count, mark_point
from preprocessing.features.names import EXACT, LEAST, PLACES, STEPS

_LEGAL = PLACES["legal"]
_ILLEGAL = PLACES["illegal"]
_SENSIBLE = PLACES["sensible"]
_CAPTURES = PLACES["captures_1"]
_AFTER = PLACES["after_1_liberty"]
_SELF_ATARI = PLACES["self_atari_1"]
_END = _SELF_ATARI + STEPS
_SIX_OR_MORE = EXACT + LEAST.index(6)
_FEW = 4
_MANY = 8


@inner
def write_moves(
    side: int, stones: Int8, to_move: int, ko: int, channels: Int16, planes: Float32, chains: Int32
) -> None:
    """Mark each empty point in the planes of what a move there does.

    Args as for `kernels.describe`, whose state is `stones`, `to_move` and `ko`.
    """
    if not has_channel(channels, _LEGAL, _END):
        return
    after = channels[_AFTER : _AFTER + STEPS]
    many = has_channel(after, _FEW - 1, EXACT) or has_channel(after, _SIX_OR_MORE, STEPS)
    neighbours = neighbour_table(side)
    captured, left, size = move_results(side, stones, chains, to_move, ko, _MANY if many else _FEW)
    for point in range(side * side):
        if stones[point] != 0:
            continue
        if left[point] == 0:
            mark_point(planes, point, channels[_ILLEGAL])
            continue
        mark_point(planes, point, channels[_LEGAL])
        mark_count(planes, point, after, left[point])
        if captured[point] > 0:
            mark_count(planes, point, channels[_CAPTURES : _CAPTURES + STEPS], captured[point])
        if left[point] == 1:
            mark_count(planes, point, channels[_SELF_ATARI : _SELF_ATARI + STEPS], size[point])
        if channels[_SENSIBLE] >= 0 and not is_eye(side, stones, neighbours, to_move, point):
            planes[point, channels[_SENSIBLE]] = 1
