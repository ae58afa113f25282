"""How a group lives or dies: both sides first, move by move."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from goban.coords import opponent, pass_point
from goban.errors import InputError
from goban.game import Game
from goban.position import Chain
from ownership.explaining.group_leaves import (
    CAPTURED,
    READ_ALIVE,
    READ_DEAD,
    UNCONDITIONAL,
    GroupLeaves,
    Life,
    surroundings,
)
from ownership.inference.evaluator import Evaluator
from ownership.search.mcts.root_move_choice import TreeMove
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_options import Limits, TreeOptions

VISITS: Final = 200
_FURTHER: Final = 4  # by which the visits of the moves after the first are fewer
_LEAST: Final = 2  # visits of a search that has moves
_LONGEST: Final = 40  # moves of a line
_AGAIN: Final = 4  # by which the visits are more where a line ends otherwise than the network expects
_OPTIONS: Final = TreeOptions(score_weight=0.0, threads=1, choice="visits")
_SURE: Final = 0.85  # chance from which a group lives, and dies by the other side's, without a proof
_LAST: Final = (CAPTURED, UNCONDITIONAL, READ_ALIVE)  # what ends a line
_DEAD: Final = (CAPTURED, READ_DEAD)
_NO_WORSE: Final = 0.1  # chance that an attacker may give up by a move instead of a pass

Outcome = Literal["captured", "lives", "open"]
Status = Literal["alive", "dead", "unsettled", "open"]
_STATUS: Final[dict[Outcome, Status]] = {"captured": "dead", "lives": "alive", "open": "open"}
_UNLIKELY: Final[dict[int, Outcome]] = {1: "captured", -1: "lives"}
"""The end of a line that the network does not expect, by the likely status of the group."""


@dataclass(frozen=True)
class GroupLine:
    """What happens to a group if both sides play as well as the search finds.

    Attributes:
        first: the colour that moves first.
        moves: flat indices in turn, N*N for a pass.
        end: what is known about the group at the end of the line.
        ko: flat index of the first point of the line that a ko forbids, else None.
        seki: whether it lives there in seki.
    """

    first: int
    moves: tuple[int, ...]
    end: Life
    ko: int | None = None
    seki: bool = False

    @property
    def outcome(self) -> Outcome:
        """What becomes of the group."""
        if self.end.proof == CAPTURED or (self.end.chance <= 1 - _SURE):
            return "captured"
        return "lives" if self.end.chance >= _SURE else "open"


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
        """Alive or dead with either side first, unsettled if that decides, open if the search does not show it."""
        attacked, defended = self.attacked.outcome, self.defended.outcome
        if attacked == defended:
            return _STATUS[attacked]
        return "unsettled" if (attacked, defended) == ("captured", "lives") else "open"


def explain_group(
    evaluator: Evaluator,
    game: Game,
    point: int,
    visits: int = VISITS,
    interrupted: Callable[[], bool] = lambda: False,
) -> GroupStatus:
    """Return how the group at a point of a game's position lives or dies.

    Args:
        evaluator: a model with ownership and policy.
        game: whose last position is read.
        point: flat index of a stone; N*N is a pass, which is refused.
        visits: of the search for the first move of each line; those of further moves are fewer.
        interrupted: called after each batch of a search; the lines end when it returns True.

    Raises:
        InputError: no stone at the point, or a model without the heads.
    """
    chain = None if point == pass_point(game.side) else game.position.chain_at(point)
    if chain is None:
        received = "a pass" if point == pass_point(game.side) else "an empty point"
        raise InputError(f"expected a point with a stone. Received: {received}")
    game = _before_passes(game)
    around = surroundings(evaluator, game)
    leaves = GroupLeaves(evaluator, game.terms, around, chain.points[0], chain.colour)
    lines = []
    for first in (opponent(chain.colour), chain.colour):
        line = _line(leaves, game, chain, first, visits, interrupted)
        if line.outcome == _UNLIKELY.get(around.likely_status(chain.points[0])):
            line = _line(leaves, game, chain, first, _AGAIN * visits, interrupted)
        lines.append(line)
    return GroupStatus(game, chain, *lines)


def _before_passes(game: Game) -> Game:
    """Return the game without the passes at its end, after which networks expect no further move."""
    ending = 0
    for _, point in reversed(game.indexed_moves):
        if point != pass_point(game.side):
            break
        ending += 1
    return game.undo(ending)


def _line(
    leaves: GroupLeaves, game: Game, chain: Chain, first: int, visits: int, interrupted: Callable[[], bool]
) -> GroupLine:
    search = TreeSearch(leaves, game.ruleset, _OPTIONS)
    now, moves, ko = game.with_player(first), list[int](), None
    while (life := leaves.lives([now.position])[0]).proof not in _LAST:
        if interrupted() or len(moves) == _LONGEST or moves[-2:] == [pass_point(game.side)] * 2:
            break
        attacks = now.position.to_move != chain.colour
        move = _capturing(leaves, now) if attacks and life.proof == READ_DEAD else None
        if move is None:
            limit = max(_LEAST, visits if not moves else visits // _FURTHER)
            for _ in search.run(now, Limits(visits=limit), interrupted):
                pass
            move = _chosen(search.result().moves, now, attacks)
        moves.append(move)
        now = now.play(move)
        if ko is None and now.position.ko >= 0:
            ko = now.position.ko
    return GroupLine(first, tuple(moves), life, ko, life.chance >= _SURE and leaves.in_seki(now.position))


def _capturing(leaves: GroupLeaves, game: Game) -> int | None:
    """Return the move that is nearest to the capture of a group that stays dead by reading; None if there is none."""
    moves = [point for point in leaves.near(game.position) if not game.repeats(point)]
    if not moves:
        return None
    lives = leaves.lives([game.play(point).position for point in moves])
    kept = [(life.chance, point) for life, point in zip(lives, moves, strict=True) if life.proof in _DEAD]
    return min(kept)[1] if kept else None


def _chosen(moves: tuple[TreeMove, ...], game: Game, attacks: bool) -> int:
    """Return the best move; an attacker passes only where each move makes things worse."""
    best = moves[0]
    if not attacks or best.point != pass_point(game.side) or len(moves) == 1:
        return best.point
    mover = game.position.to_move
    other = moves[1]
    lost = (best.value.wins - other.value.wins) * mover
    return other.point if lost <= _NO_WORSE else best.point
