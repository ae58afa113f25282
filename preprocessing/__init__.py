"""From game records to labelled games: GNU Go and a model decide who owns each point at the end."""
