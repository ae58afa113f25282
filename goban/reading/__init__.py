"""Reading: whether chains can be captured, and the consequences for a finished position."""
