"""What a board is worth, given who is likely to own each point: dead stones, seki, the count, the expected score."""
