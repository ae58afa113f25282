"""Positions and games in, scores out: the evaluator and the count together."""
