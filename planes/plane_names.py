"""The names of all planes, and where the kernels find their channels.

"own" is the side to move; area is Tromp-Taylor's: stones, and empty regions that touch one colour only.
What moves would do is for the side to move, at points where it may play: the stones that a move captures, the
liberties of the chain that it makes, the stones of that chain where one liberty is left (self-atari), and whether the
move is sensible, which means that it fills no eye of its own. Stones in a ladder are caught by it; a ladder move
catches two liberties or saves a chain in atari. `older` has the stones that none of the last moves placed. A rank is
that of the side to move, in dan, professionals counting as 9 dan; records know it, and other positions are shown as if
9-dan players had played them.

A channel table is int16 (len(PLANES),): the channel of each plane, or -1.

A plane has its name here, a kernel, and the same in plain Python for the tests. This one marks the edge of the board:

    plane_names.py, in PLANES: "edge",
    plane_kernels.py, in write_planes:
                               if channels[PLANE.edge] >= 0:
                                   for point in range(side * side):
                                       if point // side in (0, side - 1) or point % side in (0, side - 1):
                                           planes[point, channels[PLANE.edge]] = 1
    reference_planes.py:       if name == "edge":
                                   return ((point, 1.0) for point in state.stones if len(beside(state, point)) < 4)
"""

from collections import namedtuple
from typing import Any

EXACT = 7  # counts that have a plane each
LEAST = (3, 4, 6, 7, 8)  # counts whose planes also have what is above
STEPS = EXACT + len(LEAST)
RANKS = 9  # dan
RECENT = 7  # moves remembered, newest first


def _counted(name: str) -> tuple[str, ...]:
    """Return the planes of something counted, `name` with a place for the number."""
    return tuple(name.format(count) for count in (*range(1, EXACT + 1), *(f"{least}_or_more" for least in LEAST)))


PLANES = (
    "own_1_liberty",
    "own_2_liberties",
    "own_3_liberties",
    "own_3_or_more_liberties",
    "own_4_or_more_liberties",
    "other_1_liberty",
    "other_2_liberties",
    "other_3_liberties",
    "other_3_or_more_liberties",
    "other_4_or_more_liberties",
    "ko",
    "ones",
    "zeros",
    "empty_fraction",
    "black_to_move",
    *(f"rank_{dan}" for dan in range(1, RANKS + 1)),
    "black",
    "white",
    "own",
    "other",
    "empty",
    "signed_stones",
    *_counted("liberties_{}"),
    *(f"recent_{age}" for age in range(1, RECENT + 1)),
    "older",
    "own_area",
    "other_area",
    "own_pass_alive",
    "other_pass_alive",
    "legal",
    "illegal",
    "sensible",
    *_counted("captures_{}"),
    "after_1_liberty",
    *_counted("after_{}_liberties")[1:],
    *_counted("self_atari_{}"),
    "own_ladder",
    "other_ladder",
    "ladder_capture",
    "ladder_escape",
)
# Places in a channel table by name, such as PLANE.ko; kernels hold them as constants.
PLANE: Any = namedtuple("PlanePlaces", PLANES)(*range(len(PLANES)))
