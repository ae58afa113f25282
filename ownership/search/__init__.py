"""Alpha-beta search over positions that something else evaluates; it knows no rules of counting, clocks or players."""
