"""An evaluator and a player of your own for every command of `ownership`."""
