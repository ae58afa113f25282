"""Alpha-beta search: its options, candidates, recursion and table."""
