"""How good a model is on games that it has not seen."""
