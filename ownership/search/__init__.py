"""Alpha-beta search: its options and limits, candidates, recursion and table, and a network at its leaves."""
