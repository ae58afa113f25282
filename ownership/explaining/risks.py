"""What a move put in danger: a group of the side that moved."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from goban.coords import colour_name, gtp_name
from goban.errors import plural
from goban.game import Game
from ownership.explaining.stakes import GroupStake, stakes
from ownership.inference.evaluator import Evaluator

_LEAST_FALL: Final = 0.1  # of the chance to live
_LEAST_POINTS: Final = 1.0  # that the fall costs on average


@dataclass(frozen=True)
class Risk:
    """A group that a move put in danger.

    Attributes:
        group: after the move.
        before: its chance to live before the move.
    """

    group: GroupStake
    before: float

    @property
    def cost(self) -> float:
        """Points that the move costs on average by what it does to this group."""
        return self.group.worth * (self.before - self.group.chance)

    @property
    def text(self) -> str:
        """One line, such as "risks White's B8, 16 points: 5% in danger before, 30% after"."""
        name = f"{colour_name(self.group.colour)}'s {gtp_name(self.group.points[0], self.group.side)}"
        points = plural(round(self.group.worth), "point")
        return f"risks {name}, {points}: {1 - self.before:.0%} in danger before, {1 - self.group.chance:.0%} after"

    def as_json(self) -> dict[str, Any]:
        """Return the risk as JSON values."""
        return self.group.as_json() | {"chance_before": round(self.before, 4)}


def risk_of_last_move(evaluator: Evaluator, game: Game, symmetries: int = 8) -> Risk | None:
    """Return what the last move of a game put in most danger, as `largest_risk`.

    Args:
        evaluator: a model with ownership.
        game: with at least one move.
        symmetries: of the board to average over, 1, 4 or 8.
    """
    before, after = (stakes(evaluator, each, symmetries) for each in (game.undo(), game))
    return largest_risk(before, after, game.indexed_moves[-1][0])


def largest_risk(before: Sequence[GroupStake], after: Sequence[GroupStake], colour: int) -> Risk | None:
    """Return the risk of the highest cost among the groups of a colour, given the stakes before and after its move.

    None where no chance to live fell by a tenth.
    """
    risks = [Risk(group, chance) for group in after if (chance := _chance_before(group, before, colour)) is not None]
    found = [risk for risk in risks if risk.before - risk.group.chance >= _LEAST_FALL and risk.cost >= _LEAST_POINTS]
    return max(found, key=lambda risk: risk.cost, default=None)


def _chance_before(group: GroupStake, before: Sequence[GroupStake], colour: int) -> float | None:
    """Return the chance of the group of a colour that most stones of a group belonged to; None for new stones."""
    if group.colour != colour:
        return None
    shared = [(len({*group.points} & {*other.points}), other.chance) for other in before if other.colour == colour]
    count, chance = max(shared, default=(0, 0.0))
    return chance if count else None
