"""Offline HTML pages about games and models."""
