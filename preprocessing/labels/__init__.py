"""Who owned each point at the end of a game: GNU Go, a model, and the record as the judge of both."""
