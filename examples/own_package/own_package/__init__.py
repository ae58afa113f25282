"""An evaluator, a player, a plane and a target of your own for every command of `ownership`."""
