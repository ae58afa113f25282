"""The planes that networks read."""
