"""A local web page to score positions on, and the same as JSON for other programs."""
