"""Counting a finished game, by area or by territory, given the dead stones."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from goban import kernels, regions
from goban.coords import BLACK, WHITE
from goban.position import Position
from goban.rulesets import Ruleset

Stones = npt.NDArray[np.int8]
Dead = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Points:
    """What a player's points are made of, without komi.

    Attributes: `territory`, points surrounded, those under dead stones included. By area rules `stones`, living ones
    on the board; by territory rules `dead`, stones of the opponent's that are taken off at the end, and `prisoners`.
    """

    territory: int
    stones: int = 0
    dead: int = 0
    prisoners: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.territory + self.stones + self.dead + self.prisoners


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A counted game.

    Attributes: `rules`; `black` and `white`, their points; `komi`, everything added to White's points; `bonus`, the
    part of it that is for handicap stones; `owner` int8 (N, N), 1 Black, -1 White, 0 nobody.
    """

    rules: Ruleset
    black: Points
    white: Points
    komi: float
    bonus: int
    owner: Stones

    @property
    def margin(self) -> float:
        """Black's points minus White's, komi included."""
        return self.black.total - self.white.total - self.komi

    @property
    def result(self) -> str:
        """The result in the spelling of game records."""
        return format_result(self.margin)


def format_result(margin: float) -> str:
    """Return "B+8.5" for a margin of 8.5 points, "W+0.5" for -0.5, "0" for a draw."""
    if margin == 0:
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def owners(stones: Stones, dead: Dead) -> Stones:
    """Return int8 (N, N): who owns each point once the dead stones are gone.

    Args: `stones` int8 (N, N); `dead` bool (N, N), ignored at empty points. An empty region belongs to the one
    colour that it touches, else to nobody. Does not tell eyes in seki from territory.
    """
    side = len(stones)
    left = np.where(dead, 0, stones).astype(np.int8).ravel()
    return regions.region_owners(side, left).reshape(side, side)


def count(
    position: Position, dead: Dead, ruleset: Ruleset, komi: float, handicap: int = 0, *, seki: Dead | None = None
) -> Score:
    """Return the score of a finished game.

    Args: `position`, with its prisoners; `dead` bool (N, N), ignored at empty points; `komi` in points for White;
    `handicap`, the number of handicap stones, for rules that pay White for them; `seki` bool (N, N), living stones
    that are in seki whatever they look like. Territory counting adds prisoners and dead stones, and gives dame and
    eyes in seki to nobody. Does not judge which stones are dead.
    """
    left = np.where(dead, 0, position.stones).astype(np.int8)
    owner = owners(position.stones, dead)
    if ruleset.counting == "territory":
        owner[_seki_eyes(left, owner, seki)] = 0
    black, white = (_points(position, dead, ruleset, owner, colour) for colour in (BLACK, WHITE))
    bonus = _bonus(ruleset, handicap)
    return Score(ruleset, black, white, komi + bonus, bonus, owner)


def _seki_eyes(left: Stones, owner: Stones, seki: Dead | None) -> Dead:
    side = len(left)
    eyes: Dead = regions.seki_eyes(side, left.ravel(), owner.ravel()).reshape(owner.shape)
    if seki is not None:
        groups = kernels.label(side, owner.ravel()).reshape(owner.shape)
        eyes |= (left == 0) & (owner != 0) & np.isin(groups, groups[seki])
    return eyes


def _points(position: Position, dead: Dead, ruleset: Ruleset, owner: Stones, colour: int) -> Points:
    living = (position.stones == colour) & ~dead
    territory = int(((owner == colour) & ~living).sum())
    if ruleset.counting == "area":
        return Points(territory, stones=int(living.sum()))
    taken = int((dead & (position.stones == -colour)).sum())
    return Points(territory, dead=taken, prisoners=position.prisoners[0 if colour == BLACK else 1])


def _bonus(ruleset: Ruleset, handicap: int) -> int:
    if handicap < 2 or ruleset.handicap_bonus == "none":
        return 0
    return handicap if ruleset.handicap_bonus == "n" else handicap - 1


def tromp_taylor(stones: Stones) -> int:
    """Return Black's area minus White's, without komi, of stones int8 (N, N) that all count as alive."""
    return int(owners(stones, np.zeros(stones.shape, np.bool_)).sum())
