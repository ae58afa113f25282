"""Reviews of games: a tree search of every position, what each move lost, and both in records."""
