"""Positions and games in, scores out: evaluated by a model, then counted."""
