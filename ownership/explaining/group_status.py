"""How a group lives or dies: both sides first, move by move."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

from goban.coords import opponent, pass_point
from goban.errors import InputError
from goban.game import Game
from goban.position import Chain
from ownership.explaining.group_leaves import GroupLeaves, Surroundings, surroundings
from ownership.explaining.group_line import GroupLine, LineSearch, Outcome
from ownership.inference.evaluator import AnyEvaluator, Evaluator
from ownership.inference.second_judge import SECOND_JUDGE, second_judge

VISITS: Final = 200
_APART: Final = 0.5  # difference of two models' ownership of a group from which the second one searches
_AGAIN: Final = 4  # by which the visits are more where a line ends otherwise than the network expects

Status = Literal["alive", "dead", "unsettled", "ko", "open"]
_STATUS: Final[dict[Outcome, Status]] = {"captured": "dead", "lives": "alive", "open": "open"}
_UNLIKELY: Final[dict[int, Outcome]] = {1: "captured", -1: "lives"}
"""The end of a line that the network does not expect, by the likely status of the group."""


@dataclass(frozen=True)
class GroupStatus:
    """The status of a group, and the lines that show it.

    Attributes:
        game: with the group in its last position.
        chain: the group.
        attacked: the line if the other side moves first.
        defended: the line if its own side moves first.
    """

    game: Game
    chain: Chain
    attacked: GroupLine
    defended: GroupLine

    @property
    def lines(self) -> tuple[GroupLine, GroupLine]:
        """Both lines, first the one in which the side moves first that the status disappoints.

        How a dead group dies is seen where it moves first, and how a living one lives where it is attacked.
        """
        both = (self.attacked, self.defended)
        return both if self.attacked.outcome == "lives" else (self.defended, self.attacked)

    @property
    def status(self) -> Status:
        """Alive or dead with either side first, unsettled if that decides, ko, or open if the search does not show it.

        A ko decides where it forbids a move to the side that fails in the first of `lines`.
        """
        attacked, defended = self.attacked.outcome, self.defended.outcome
        if (attacked, defended) == ("captured", "lives"):
            found: Status = "unsettled"
        else:
            found = _STATUS[attacked] if attacked == defended else "open"
        return "ko" if found != "open" and self.lines[0].ko is not None else found


def explain_group(
    evaluator: Evaluator,
    game: Game,
    point: int,
    visits: int = VISITS,
    interrupted: Callable[[], bool] = lambda: False,
    second: AnyEvaluator | None = SECOND_JUDGE,
) -> GroupStatus:
    """Return how the group at a point of a game's position lives or dies.

    Args:
        evaluator: a model with ownership and policy.
        game: whose last position is read.
        point: flat index of a stone; N*N is a pass, which is refused.
        visits: of the search for the first move of each line; those of further moves are fewer.
        interrupted: called after each batch of a search; the lines end when it returns True.
        second: another model, which searches the lines where the two expect different fates; None for none.

    Raises:
        InputError: no stone at the point, or a model without the heads.
    """
    chain = None if point == pass_point(game.side) else game.position.chain_at(point)
    if chain is None:
        received = "a pass" if point == pass_point(game.side) else "an empty point"
        raise InputError(f"expected a point with a stone. Received: {received}")
    game = _before_passes(game)
    evaluator, around = _judge(evaluator, second, game, chain.points[0])
    leaves = GroupLeaves(evaluator, game.terms, around, chain.points[0], chain.colour)
    search = LineSearch(leaves, game, chain.colour, interrupted)
    unlikely = _UNLIKELY.get(around.likely_status(chain.points[0]))
    attacked, defended = (_line(search, first, visits, unlikely) for first in (opponent(chain.colour), chain.colour))
    if defended.outcome == "lives" != attacked.outcome:
        defended = search.refuted(defended, visits, visits)
    return GroupStatus(game, chain, search.described(attacked, visits), search.described(defended, visits))


def _judge(first: Evaluator, second: AnyEvaluator | None, game: Game, point: int) -> tuple[Evaluator, Surroundings]:
    """Return the model that searches, and what it knows of the position."""
    around = surroundings(first, game)
    other = second_judge(first, second, game.side)
    if other is None or "policy" not in other.heads:
        return first, around
    others = surroundings(other, game)
    apart = abs(float(others.survival.flat[point] - around.survival.flat[point]))
    return (other, others) if apart >= _APART else (first, around)


def _line(search: LineSearch, first: int, visits: int, unlikely: Outcome | None) -> GroupLine:
    """Return the line that a colour begins; an end that the network does not expect is searched longer, and proved."""
    line = search.line(first, visits)
    if line.outcome == unlikely:
        line = search.line(first, _AGAIN * visits)
    if line.outcome == unlikely:
        line = search.refuted(line, visits, _AGAIN * visits)
    if line.outcome == unlikely and not line.end.proof:
        return replace(line, outcome="open")
    return line


def _before_passes(game: Game) -> Game:
    """Return the game without the passes at its end, after which networks expect no further move."""
    ending = 0
    for _, point in reversed(game.indexed_moves):
        if point != pass_point(game.side):
            break
        ending += 1
    return game.undo(ending)
