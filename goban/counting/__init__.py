"""Counting a board, given who is likely to own each point: dead stones, seki, the score, the expected score."""
