"""Explanations of what a count or a network says about groups."""
