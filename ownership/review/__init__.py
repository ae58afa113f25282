"""Reviews of games: a tree search of every position, the loss of each move, and both in records."""
