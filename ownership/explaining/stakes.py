"""What is at stake: how many points the game turns on the life of each group, and how likely it is to die.

A group is worth the difference between the score that a network expects while the group lives and after its capture.
The first is not on any board. It follows from the score that the network expects now, which is the mean of both by the
chance of the group to live; where that chance is small, from the owners of its points if it lived.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.array_types import Mask
from goban.chain_kernels import label
from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_name
from goban.counting.expected_score import expected_score
from goban.errors import plural
from goban.game import Game
from goban.position import Position
from goban.regions import points_beside
from goban.rulesets import Terms
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction

_LEAST_CHANCE: Final = 0.5  # to live, from which the score with the group follows from that after its capture


@dataclass(frozen=True)
class GroupStake:
    """What the game turns on in one group.

    Attributes:
        side: N of the board.
        colour: of the group.
        points: its stones as flat indices, the largest chain first.
        worth: points that its colour loses by its capture.
        chance: that it lives, 0..1.
    """

    side: int
    colour: int
    points: tuple[int, ...]
    worth: float
    chance: float

    @property
    def unsure(self) -> float:
        """The chance of the less likely fate, 0..0.5."""
        return min(self.chance, 1 - self.chance)

    @property
    def at_stake(self) -> float:
        """Points times the chance of the less likely fate."""
        return self.worth * self.unsure

    @property
    def text(self) -> str:
        """One line, such as "Black's K10, 14 stones: 41 points, 30% in danger"."""
        fate = "in danger" if self.chance >= 0.5 else "to live"
        stones = plural(len(self.points), "stone")
        name = f"{colour_name(self.colour)}'s {gtp_name(self.points[0], self.side)}, {stones}"
        return f"{name}: {plural(round(self.worth), 'point')}, {self.unsure:.0%} {fate}"

    def as_json(self) -> dict[str, Any]:
        """Return the stake as JSON values."""
        return {
            "group": [gtp_name(point, self.side) for point in self.points],
            "colour": colour_name(self.colour),
            "points": round(self.worth, 2),
            "chance": round(self.chance, 4),
            "at_stake": round(self.at_stake, 2),
        }


def stakes(evaluator: Evaluator, game: Game, symmetries: int = 8) -> list[GroupStake]:
    """Return what the game turns on in each group of its position, the largest product of points and chance first.

    Args:
        evaluator: a model with ownership.
        game: whose last position is read, by its rules and komi.
        symmetries: of the board to average over, 1, 4 or 8.
    """
    position = _plain(game.position, np.zeros_like(game.position.stones, dtype=np.bool_))
    found = stone_groups(position)
    boards = [position, *(_plain(position, group) for group in found)]
    now, *captured = evaluator.evaluate(boards, symmetries, game.terms)
    answers = [
        _stake(position, group, now, board, after, game.terms)
        for group, board, after in zip(found, boards[1:], captured, strict=True)
    ]
    return sorted(answers, key=lambda each: -each.at_stake)


def stone_groups(position: Position) -> list[Mask]:
    """Return bool (N, N) each: the chains of one colour that share a liberty, or are one chain."""
    side, stones = position.side, position.flat
    found = []
    for colour in (BLACK, WHITE):
        joined = stones == colour
        ids = position.chain_ids().ravel()
        for point in np.flatnonzero(stones == EMPTY).tolist():
            beside = {int(ids[other]) for other in points_beside(side)[point] if stones[other] == colour}
            joined[point] = len(beside) > 1
        areas = label(side, joined.astype(np.int8))
        own = (stones == colour) & joined
        found += [((areas == area) & own).reshape(side, side) for area in np.unique(areas[own])]
    return found


def _plain(position: Position, captured: Mask) -> Position:
    """Return a position without the moves before it, and without a group, which the other side has captured."""
    stones = np.where(captured, EMPTY, position.stones)
    black, white = position.prisoners
    count = int(captured.sum())
    taken_by_black = count > 0 and int(position.stones[captured][0]) == WHITE
    prisoners = (black + count * taken_by_black, white + count * (not taken_by_black))
    return Position.from_stones(stones, position.to_move, prisoners=prisoners)


def _stake(
    position: Position, group: Mask, now: Prediction, board: Position, after: Prediction, terms: Terms
) -> GroupStake:
    assert now.owners is not None
    colour = int(position.stones[group][0])
    chance = float((1 + colour * now.owners[group].mean(dtype=np.float64)) / 2)
    score, lost = colour * _score(position, now, terms), colour * _score(board, after, terms)
    if chance >= _LEAST_CHANCE:
        worth = (score - lost) / chance
    else:
        worth = colour * _change_if_alive(position, group, now.owners, terms) / (1 - chance)
    chains = [chain for chain in position.chains() if group.flat[chain.points[0]]]
    chains.sort(key=lambda chain: -len(chain.points))
    points = tuple(point for chain in chains for point in chain.points)
    return GroupStake(position.side, colour, points, max(worth, 0.0), chance)


def _score(position: Position, prediction: Prediction, terms: Terms) -> float:
    if prediction.lead is not None:
        return prediction.lead
    assert prediction.owners is not None
    return expected_score(position, prediction.owners, terms.ruleset, terms.total_komi)


def _change_if_alive(position: Position, group: Mask, ownership: NDArray[np.float32], terms: Terms) -> float:
    """Return by how many points the score would change, Black minus White, if a group and its liberties were alive."""
    colour = int(position.stones[group][0])
    beside = {other for point in np.flatnonzero(group).tolist() for other in points_beside(position.side)[point]}
    edited = ownership.copy()
    edited[group] = colour
    free = [point for point in sorted(beside) if position.flat[point] == EMPTY]
    edited.flat[free] = colour * np.abs(edited.flat[free])
    before, now = (expected_score(position, each, terms.ruleset, terms.total_komi) for each in (ownership, edited))
    return now - before


def stakes_text(found: Sequence[GroupStake], most: int) -> str:
    """Return the groups with most at stake, a line each."""
    return "\n".join(each.text for each in found[:most] if round(each.worth))
