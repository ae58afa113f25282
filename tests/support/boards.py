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
