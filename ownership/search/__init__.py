"""Alpha-beta, tree and local searches: their limits and results, and a network at their leaves."""
