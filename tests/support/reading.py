"""Positions that tests of reading and of scoring share."""

# D4 saves or captures C5 and C4.
TWO_STONES = """
. X X X O O O . O
X . X O O O . O O
X X O X X O O O .
X O O X X O . O O
O O X . X O O O O
O O X . . X O . O
. O O X X X O O O
O . O X X X X X O
O O O X . X . X O
"""
