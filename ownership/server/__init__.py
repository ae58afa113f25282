"""A local web page to score and review games, and the same as JSON for other programs."""
