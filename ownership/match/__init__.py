"""Games between players, and the statistics of their strength."""
