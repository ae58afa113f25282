"""Models that say who owns each point, and what is done with them."""
