"""Datasets of labelled games and positions."""
