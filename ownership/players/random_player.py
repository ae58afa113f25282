"""The player that plays at random, and the random numbers of players."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from goban.coords import pass_point
from ownership.players.player_interface import Turn, unrepeated_moves


@dataclass(frozen=True)
class RandomPlayer:
    """A player of any sensible move, until none is left.

    Attributes:
        seed: of the random choices, which depend besides on the position and the number of the game.
    """

    seed: int = 0

    def choose(self, turn: Turn, interrupted: Callable[[], bool]) -> int:
        """Return the move; see `Player`."""
        moves = unrepeated_moves(turn)
        return int(generator(turn, self.seed).choice(moves)) if moves else pass_point(turn.position.side)


def generator(turn: Turn, seed: int) -> np.random.Generator:
    """Return a random generator that depends on the seed, the number of the game and the position alone."""
    return np.random.default_rng((seed, turn.number, turn.plies, turn.position.hash))
