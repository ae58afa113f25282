"""The value of a position for the life of one group, for a tree search that shows how it lives or dies."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Stones
from goban.coords import BLACK, WHITE
from goban.counting.estimate_position import estimate
from goban.game import Game
from goban.pass_alive import pass_alive
from goban.position import Position
from goban.reading.position_reader import PositionReader
from goban.reading.search_stack import CAPTURED as CAN_BE_CAPTURED
from goban.reading.search_stack import SAFE
from goban.reading.unsure_chains import read_chain
from goban.rulesets import Terms
from ownership.explaining.moves_near_group import policy_near
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction
from ownership.search.leaf_evaluation import LeafValue

_SURE: Final = 0.9  # |ownership| of a chain whose status is taken as known where another is read
_LIKELY_STATUS: Final = 0.5  # |ownership| of a group from which its other fate is unlikely
_PROVED, _LIKELY = 0.02, 0.94  # the chance to live of a group that is proved to be dead, and what the network decides
_LIBERTY: Final = 0.002  # by which each liberty adds to it: the attacker takes them, the defender adds to them
_MOST_LIBERTIES: Final = 10


Proof = Literal["", "captured", "read dead", "read alive", "lives unconditionally"]
CAPTURED: Final = "captured"
READ_DEAD: Final = "read dead"
READ_ALIVE: Final = "read alive"
UNCONDITIONAL: Final = "lives unconditionally"


class Life(NamedTuple):
    """What is known about the life of a group.

    Attributes:
        chance: that it lives, 0..1.
        proof: how that is known; empty for a chance that nothing proves.
    """

    chance: float
    proof: Proof = ""


class Surroundings(NamedTuple):
    """A position before the search, and which of its stones surely live or are dead.

    Attributes:
        stones: int8 (N, N).
        status: int8 (N, N), 1 for stones that surely live, -1 for dead ones, else 0.
        survival: float32 (N, N), from -1 for stones that are surely dead to 1 for living ones.
    """

    stones: Stones
    status: Stones
    survival: NDArray[np.float32]

    def likely_status(self, point: int) -> int:
        """Return 1 if the stone at a point is likely to live, -1 if it is likely to be dead, else 0."""
        found = float(self.survival.flat[point])
        return 0 if abs(found) < _LIKELY_STATUS else int(np.sign(found))

    def status_in(self, reader: PositionReader) -> Stones:
        """Return int8 (N, N), the status of the stones of a later position.

        A chain with a stone that lived goes on living, and dead ones stay dead, unless the ownership now gives them to
        the other side. Of other chains the ownership decides, where it is sure.
        """
        kept = np.where(reader.stones == self.stones, self.status, 0)
        lived, died = (reader.position.chain_means((kept == each).astype(np.float32)) > 0 for each in (1, -1))
        survival = reader.survival
        status = np.where(np.abs(survival) >= _SURE, np.sign(survival), 0)
        status = np.where(lived & (survival > 0), 1, np.where(died & ~lived & (survival < 0), -1, status))
        return status.astype(np.int8)


def surroundings(evaluator: Evaluator, game: Game) -> Surroundings:
    """Return the stones of a position that surely live or are dead, by the mean ownership with either side to move."""
    both = [game.with_player(colour).position for colour in (BLACK, WHITE)]
    predictions = evaluator.evaluate(both, 8, game.terms)
    reader = PositionReader(game.position, (predictions[0].owners + predictions[1].owners) / np.float32(2))
    status = np.where(np.abs(reader.survival) >= _SURE, np.sign(reader.survival), 0)
    return Surroundings(game.position.stones, status.astype(np.int8), reader.survival)


def judge_group(
    position: Position, ownership: NDArray[np.float32], around: Surroundings, point: int, colour: int
) -> Life:
    """Return what is known about the life of the group at a point.

    Args:
        position: N by N.
        ownership: float32 (N, N), of a network.
        around: what surely lived and was dead before.
        point: of a stone of the group, before it was captured.
        colour: of the group.
    """
    chain = position.chain_at(point)
    if chain is None or chain.colour != colour:
        return Life(0.0, CAPTURED)
    if pass_alive(position.side, position.flat)[point] == colour:
        return Life(1.0, UNCONDITIONAL)
    liberties = _LIBERTY * min(len(chain.liberties), _MOST_LIBERTIES)
    reader = PositionReader(position, ownership)
    status = around.status_in(reader)
    status.flat[list(chain.points)] = 0
    found = read_chain(reader, status, chain)
    if found == SAFE:
        return Life(1.0 - _PROVED + liberties, READ_ALIVE)
    if found == CAN_BE_CAPTURED:
        return Life(_PROVED + liberties, READ_DEAD)
    own = float(ownership.flat[list(chain.points)].mean()) * colour
    return Life(_PROVED + _LIKELY * (1 + own) / 2 + liberties)


class GroupLeaves:
    """The leaves of a search in which one side captures a group and the other saves it.

    The search knows no score: a position is worth the chance that the group lives.

    Args:
        evaluator: a model with ownership and policy.
        terms: that it evaluates by.
        around: what surely lives and is dead before the search.
        point: of a stone of the group.
        colour: of the group.
    """

    def __init__(self, evaluator: Evaluator, terms: Terms, around: Surroundings, point: int, colour: int) -> None:
        self._evaluator, self._terms, self._around = evaluator, terms, around
        self._point, self._colour = point, colour

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        """Return the chance of the group and a policy of moves near it, for each position."""
        predictions = self._evaluator.evaluate(positions, 1, self._terms)
        return [self._leaf(*both) for both in zip(positions, predictions, strict=True)]

    def ended(self, position: Position) -> LeafValue:
        """Return the same after two passes."""
        return self.evaluate([position])[0]

    def lives(self, positions: Sequence[Position]) -> list[Life]:
        """Return what is known about the group in each position, without a search."""
        predictions = self._evaluator.evaluate(positions, 1, self._terms)
        return [self._life(*both) for both in zip(positions, predictions, strict=True)]

    def in_seki(self, position: Position) -> bool:
        """Return whether the group is in seki where the position is counted."""
        [prediction] = self._evaluator.evaluate([position], 8, self._terms)
        counted = estimate(position, prediction.owners, self._terms, ended=True)
        return bool(counted.finished and counted.seki.flat[self._point])

    def _leaf(self, position: Position, prediction: Prediction) -> LeafValue:
        life = self._life(position, prediction)
        wins = life.chance if self._colour == BLACK else 1 - life.chance
        assert prediction.policy is not None
        policy = policy_near(position, self._point, prediction.policy)
        return LeafValue(0.0, policy, ownership=prediction.owners, wins=wins)

    def _life(self, position: Position, prediction: Prediction) -> Life:
        return judge_group(position, prediction.owners, self._around, self._point, self._colour)
