"""Eyes of one point, which a player does not fill."""

from goban.array_types import Int8, Int16
from goban.jit import in_place


@in_place
def is_eye(side: int, stones: Int8, neighbours: Int16, colour: int, point: int) -> bool:
    """Return whether an empty point is an eye of `colour`: own stones, or the edge, on all sides and at most one of the
    other side's stones at its corners, none at the edge; `neighbours` of the board.
    """
    for k in range(4):
        beside = neighbours[point, k]
        if beside < 0:
            break
        if stones[beside] != colour:
            return False
    row, column = point // side, point % side
    holes = 1 if neighbours[point, 3] < 0 else 0
    for down in (-1, 1):
        for right in (-1, 1):
            if 0 <= row + down < side and 0 <= column + right < side:
                holes += stones[point + down * side + right] == -colour
    return holes < 2
