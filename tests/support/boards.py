"""Boards that several tests are about."""

DEAD_STONE = """
    . . . X O . .
    . X . X O O .
    . . O X O . .
    . X . X O O .
    . . . X O . .
    . . . X O . .
    . . . X O . .
"""
SMALL_FINISHED = """
. X O . .
X X O O .
. X O X .
X X O O O
. X X O .
"""

# D5 captures three stones, or saves them.
ATARI_BESIDE_A_DAME = """
. . . O X . . . .
. . . O X . . . .
. . . O X . . . .
. . O . X X X . .
. . O . O O O X .
. . . O X X X . .
. . . O X . . . .
. . . O X . . . .
. . . O X . . . .
"""
