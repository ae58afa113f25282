"""Players: by search, by policy, by one ply of ownership, at random, from a record, and other programs."""
