"""Episodes of training: continuations of the moves of records, and their rewards."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from experiments.longterm.agent import GLIMPSE, PLANES, STATE, AgentChoice, Floats
from experiments.longterm.positions import Drawn
from goban.position import Position
from ownership.search.leaves import Leaf, NetworkLeaves
from ownership.search.longterm import Choose, Episode, play_ply, window_around

REWARD_SCALE: Final = 5.0


@dataclass(frozen=True)
class Setting:
    """What episodes are played with: the model, the side of the window, and the most plies."""

    leaves: NetworkLeaves
    window: int
    steps: int

    def play(self, drawn: Sequence[Drawn], choose: Choose, seed: Sequence[int], number: int) -> list["Outcome"]:
        """Return one finished episode after the move of each record; number 0 plays what is likeliest."""
        after = [each.position.play(each.move) for each in drawn]
        outcomes = [
            self._begun(*each, np.random.default_rng((*seed, place)), number)
            for place, each in enumerate(zip(drawn, after, self.leaves.evaluate(after), strict=True))
        ]
        for _ in range(self.steps):
            if not play_ply([each.episode for each in outcomes], choose, self.leaves.evaluate):
                break
            for each in outcomes:
                each.look()
        return outcomes

    def _begun(
        self, drawn: Drawn, position: Position, leaf: Leaf, random: np.random.Generator, number: int
    ) -> "Outcome":
        window = window_around(position.side, drawn.move, self.window)
        return Outcome(Episode(number, window, position, leaf, random), drawn)


class Outcome:
    """An episode, and how well its ownership agrees with the owners of the record after each ply.

    Args:
        episode: at its beginning.
        drawn: where it comes from.
    """

    def __init__(self, episode: Episode, drawn: Drawn) -> None:
        self.episode = episode
        self._owners = drawn.owners.ravel()
        self._inside = episode.window & (self._owners != 0)
        self.agreements = [self._agreement()]
        self.right_before = self.right()

    def look(self) -> None:
        """Add the agreement after a ply, if one was played."""
        if len(self.agreements) <= len(self.episode.moves):
            self.agreements.append(self._agreement())

    @property
    def reward(self) -> float:
        """By how much the agreement became better."""
        return self.agreements[-1] - self.agreements[0]

    def right(self) -> float:
        """Return the share of the decided points of the window that now have the owner of the record."""
        return float((self._products() > 0).mean()) if self._inside.any() else 1.0

    def _agreement(self) -> float:
        """Return the mean product of ownership and owners inside the window, -1..1."""
        return float(self._products().mean()) if self._inside.any() else 0.0

    def _products(self) -> Floats:
        ownership = self.episode.leaf.ownership
        assert ownership is not None
        products: Floats = ownership.ravel()[self._inside] * self._owners[self._inside]
        return products


def batch_of(choice: AgentChoice, outcomes: Sequence[Outcome], steps: int) -> dict[str, Any]:
    """Return what the agent saw and did in episodes, and the rewards that were still to come, as arrays (E, T, ...)."""
    shape = (len(outcomes), steps)
    points = (*shape, GLIMPSE * GLIMPSE)
    seen = np.zeros((*shape, GLIMPSE, GLIMPSE, PLANES), np.float32)
    y = {name: np.zeros(shape, np.float32) for name in ("play", "look", "stop", "reward", "acted")}
    y |= {name: np.zeros(points, np.float32) for name in ("play_prior", "look_prior")}
    for row, outcome in enumerate(outcomes):
        for ply, act in enumerate(choice.acts.get(outcome.episode, [])):
            seen[row, ply] = act.glimpse
            for name in ("play_prior", "look_prior", "play", "look", "stop"):
                y[name][row, ply] = getattr(act, name)
            y["reward"][row, ply] = REWARD_SCALE * (outcome.agreements[-1] - outcome.agreements[ply])
            y["acted"][row, ply] = 1
    state = np.zeros((len(outcomes), STATE), np.float32)
    return {"x": {"glimpses": seen, "state": state}, "y": y}
