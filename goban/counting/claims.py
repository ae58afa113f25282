"""The claims of players about the chains of a board: dead, alive or in seki."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask


@dataclass(frozen=True, eq=False)
class Claims:
    """Chains that the players call dead, alive or in seki; each chain once, and as a whole.

    Attributes:
        dead, alive, seki: bool (N, N).
    """

    dead: Mask
    alive: Mask
    seki: Mask

    @property
    def status(self) -> NDArray[np.int8]:
        """int8 (N, N): 1 for stones that live, those in seki included, -1 for dead ones, 0 for all others."""
        lives = self.alive | self.seki
        return lives.astype(np.int8) - self.dead.astype(np.int8)

    @property
    def made(self) -> Mask:
        """bool (N, N): the stones of all chains with a claim."""
        return self.dead | self.alive | self.seki

    def __bool__(self) -> bool:
        """Return whether anything is claimed."""
        return bool(self.made.any())
