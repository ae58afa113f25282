"""Reading: whether chains can be captured, and what follows for a finished position."""
