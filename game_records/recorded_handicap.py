"""The handicap of a record: its number, HA of SGF, and the stones that a record leaves out or does not number."""

import re
from typing import Final

import numpy as np

from game_records.game_record import HandicapSource
from game_records.record_errors import Fault
from goban.array_types import Int8, Int16
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.handicap_stones import fixed_handicap, handicap_moves
from goban.move_kernels import check_game

_MOST_STONES: Final = 9  # stones at the beginning of a record that are taken for a handicap


def named_handicap(text: str, side: int, setup: Int8, colours: Int8) -> int | None:
    """Return the handicap that an HA property names, 0 where it is missing; None for no possible number of stones.

    Above 9 the record must place as many stones, in its set-up or as Black's first moves; or it places none at all.

    Args:
        text: of the property.
        side: of the board, N.
        setup: int8 (N*N,), stones before the first move.
        colours: int8 (M,), of the moves.
    """
    first = np.flatnonzero(colours == WHITE)[:1].tolist() or [len(colours)]
    placed = int((setup == BLACK).sum()) + first[0]
    most = max(_MOST_STONES, placed) if placed or not len(colours) else side * side - 1
    number = int(text or "0") if re.fullmatch(r"[0-9]{0,3}", text) else most + 1
    return number if number <= most else None


def usual_stones_left_out(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> list[int]:
    """Return the usual points of handicap stones that a record names and does not place; none for other records.

    The fifth and sixth stone are in the middle of the left and right side or, if moves of the record are there, of the
    upper and lower side. Raises Fault if there are no usual points for the stones, or no game can go on from them.
    """
    if handicap < 2 or (setup == BLACK).any() or not len(colours) or colours[0] != WHITE:
        return []
    try:
        stones = fixed_handicap(side, handicap)
    except InputError as error:
        why = str(error)
    else:
        for chosen in (stones, [point % side * side + point // side for point in stones]):
            start = setup.copy()
            start[chosen] = BLACK
            if not setup[chosen].any() and check_game(side, start, moves, colours, True) < 0:
                return chosen
        why = "stones on the usual points would make a move illegal"
    found = f"no AB, and White begins; {why}"
    raise Fault("handicap stones missing", f"expected AB with HA[{handicap}]. Received: {found}")


def handicap_of_moves(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> tuple[int, HandicapSource]:
    """Return the handicap of a record, and "first moves" if it names none and Black begins with several stones."""
    placed = handicap_moves(side, colours[: _MOST_STONES + 1].tolist(), moves[: _MOST_STONES + 1].tolist())
    if handicap > 1 or setup.any() or not placed:
        return handicap, ""
    return placed, "first moves"
