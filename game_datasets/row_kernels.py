"""The rules of Go for columns: rows with impossible set-up stones or illegal moves."""

import numpy as np

from goban.array_types import Bool, Int16, Int64
from goban.jit import kernel
from goban.move_kernels import check_game, setup_facts


@kernel
def crowded_rows(side: Int64, setup: Int16, offset: Int64) -> Bool:
    """Return which rows have two set-up stones on a point, or a chain of them without liberties, bool (R,).

    Args:
        side: int64 (R,).
        setup: int16, codes on the board, those of row r at offset[r]:offset[r + 1].
        offset: int64 (R + 1,).
    """
    crowded = np.zeros(len(side), np.bool_)
    for row in range(len(side)):
        if offset[row] == offset[row + 1]:
            continue
        stones = np.zeros(side[row] * side[row], np.int8)
        for code in setup[offset[row] : offset[row + 1]]:
            crowded[row] |= stones[code >> 1] != 0
            stones[code >> 1] = 1 - 2 * (code & 1)
        crowded[row] |= setup_facts(side[row], stones)[1] >= 0
    return crowded


@kernel
def misplayed_rows(side: Int64, setup: Int16, setup_offset: Int64, moves: Int16, move_offset: Int64) -> Bool:
    """Return which rows have an illegal move, bool (R,): simple ko, suicide allowed.

    Args:
        side: int64 (R,).
        setup: int16, codes of stones that make positions, of row r at setup_offset[r]:setup_offset[r + 1].
        setup_offset: int64 (R + 1,).
        moves: int16, codes on the board or of passes, of row r at move_offset[r]:move_offset[r + 1].
        move_offset: int64 (R + 1,).
    """
    misplayed = np.zeros(len(side), np.bool_)
    for row in range(len(side)):
        stones = np.zeros(side[row] * side[row], np.int8)
        for code in setup[setup_offset[row] : setup_offset[row + 1]]:
            stones[code >> 1] = 1 - 2 * (code & 1)
        codes = moves[move_offset[row] : move_offset[row + 1]]
        points, colours = (codes >> 1).astype(np.int16), (1 - 2 * (codes & 1)).astype(np.int8)
        misplayed[row] = check_game(side[row], stones, points, colours, True) >= 0
    return misplayed
