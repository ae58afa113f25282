"""What players claim of some stones, beside what reading finds out about others."""

import numpy as np

from goban.coords import BLACK, EMPTY, WHITE
from goban.counting.dead_stones import assign_status
from goban.position import Position
from goban.reading.reader import Reader


def test_a_claim_about_some_stones_leaves_reading_the_others() -> None:
    """White's three stones live in the only eye of the black ones, though the model takes them for dead."""
    position = Position.from_diagram("""
    . O O O . X O
    X X X X X X O
    O O O O O O O
    . . O . O . .
    O O O O O O O
    . . . . . . .
    . . . . . . .
    """)
    ownership = np.full((7, 7), -0.99, np.float32)
    ownership[:2, :6] = 0.99
    claimed = np.zeros((7, 7), np.int8)
    claimed[2] = 1  # the white stones around them live
    assert not assign_status(Reader(position, ownership), claimed).dead.any()


def test_what_is_claimed_of_a_race_by_double_ko_is_not_in_doubt() -> None:
    position = Position.from_diagram("""
    O X . X X O . O X
    O O X . X X O O X
    . O X X X O O X X
    O O O O O O X X .
    . X X X X X X . .
    X . . X . . . . .
    . X . . . X . X .
    . . . . . . . . .
    . . . . X . . . .
    """)
    ownership = np.full((9, 9), -0.99, np.float32)
    ownership[4:] = ownership[:4, 7:] = 0.99
    reader = Reader(position, ownership)
    racing = assign_status(reader).doubt >= 0.5
    assert {BLACK, WHITE} <= set(position.stones[racing].tolist())
    claimed = np.where(racing, -position.stones, EMPTY).astype(np.int8)  # White lives
    status = assign_status(reader, claimed)
    assert not status.doubt[racing].any()
    np.testing.assert_array_equal(status.dead[racing], position.stones[racing] == BLACK)
