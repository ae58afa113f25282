"""Feature planes: what a network sees of a position."""
