"""The score of a finished board, counted once the dead stones are gone."""

from dataclasses import dataclass, replace

import numpy as np

from goban.array_types import Mask, Stones
from goban.coords import BLACK, EMPTY, WHITE
from goban.position import Position
from goban.reading.seki import double_ko_seki, seki_groups
from goban.regions import owners
from goban.rulesets import Ruleset, Terms


@dataclass(frozen=True, slots=True)
class PlayerPoints:
    """The parts of a player's points, without komi.

    Attributes:
        territory: points surrounded, those under dead stones included.
        stones: living stones on the board, by area rules.
        dead: the opponent's stones that are taken off at the end, by territory rules.
        prisoners: stones captured during the game, by territory rules.
    """

    territory: int
    stones: int = 0
    dead: int = 0
    prisoners: int = 0

    @property
    def total(self) -> int:
        """The sum of all these points."""
        return self.territory + self.stones + self.dead + self.prisoners


@dataclass(frozen=True, slots=True, eq=False)
class Score:
    """A counted game.

    Attributes:
        terms: what it is counted by.
        black, white: the players' points, without komi.
        owner: int8 (N, N), 1 Black, -1 White, 0 neutral.
        seki: bool (N, N), living stones that are in seki.
    """

    terms: Terms
    black: PlayerPoints
    white: PlayerPoints
    owner: Stones
    seki: Mask

    @property
    def margin(self) -> float:
        """Black's points minus White's, komi included."""
        return self.black.total - self.white.total - self.terms.total_komi

    @property
    def rows(self) -> tuple[tuple[str, float, float], ...]:
        """A name, Black's points and White's for each part of the score, komi and points for handicap included."""
        black, white = self.black, self.white
        if self.terms.ruleset.counting == "area":
            parts = [("stones", black.stones, white.stones), ("territory", black.territory, white.territory)]
        else:
            parts = [
                ("territory", black.territory, white.territory),
                ("dead stones", black.dead, white.dead),
                ("prisoners", black.prisoners, white.prisoners),
            ]
        given = (("komi", 0.0, self.terms.komi), ("handicap", 0.0, float(self.terms.bonus)))
        return (*parts, *(row for row in given if row[2]))

    def less_territory(self, black: int, white: int) -> "Score":
        """Return the score with fewer points of territory for Black and for White."""
        return replace(
            self,
            black=replace(self.black, territory=self.black.territory - black),
            white=replace(self.white, territory=self.white.territory - white),
        )

    @property
    def result(self) -> str:
        """The result in the spelling of game records."""
        return format_result(self.margin)


def format_result(margin: float) -> str:
    """Return "B+8.5" for a margin of 8.5 points, "W+0.5" for -0.5, "0" for a draw."""
    if margin == 0:
        return "0"
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}"


def count(
    position: Position, dead: Mask, terms: Terms, *, seki: Mask | None = None, divided: Stones | None = None
) -> Score:
    """Return the score of a finished game.

    Args:
        position: with its prisoners, N by N.
        dead: bool (N, N), stones that are taken off; ignored at empty points.
        terms: ruleset, komi and handicap stones.
        seki: bool (N, N), living stones that the players claim to be in seki.
        divided: int8 (N, N), 1 or -1 for points that a side gets of areas that both colours touch, 0 for all others.

    Territory counting adds prisoners and dead stones, and leaves dame and eyes in seki out. Does not judge which
    stones are dead.
    """
    left = np.where(dead, EMPTY, position.stones).astype(np.int8)
    owner = owners(position.stones, dead)
    if divided is not None:
        owner = np.where(divided, divided, owner).astype(np.int8)
    in_seki = _groups_in_seki(left, owner, seki)
    if terms.ruleset.counting == "territory":
        owner[in_seki & (left == EMPTY)] = EMPTY
    black, white = (_points(position, dead, terms.ruleset, owner, colour) for colour in (BLACK, WHITE))
    return Score(terms, black, white, owner, in_seki & (left != EMPTY))


def _groups_in_seki(left: Stones, owner: Stones, claimed: Mask | None) -> Mask:
    """Return bool (N, N): stones and eyes of groups in seki by definition or because of claims."""
    side = len(left)
    claims = np.zeros(left.shape, np.bool_) if claimed is None else claimed
    found: Mask = seki_groups(side, left.ravel(), owner.ravel(), claims.ravel()).reshape(owner.shape)
    found |= double_ko_seki(Position.from_stones(left), np.zeros(left.shape, np.bool_))
    return found


def _points(position: Position, dead: Mask, ruleset: Ruleset, owner: Stones, colour: int) -> PlayerPoints:
    """Return a player's points, given who owns what."""
    living = (position.stones == colour) & ~dead
    territory = int(((owner == colour) & ~living).sum())
    if ruleset.counting == "area":
        return PlayerPoints(territory, stones=int(living.sum()))
    taken = int((dead & (position.stones == -colour)).sum())
    return PlayerPoints(territory, dead=taken, prisoners=position.prisoners[0 if colour == BLACK else 1])


def tromp_taylor(stones: Stones) -> int:
    """Return Black's area minus White's, without komi, of stones int8 (N, N) that all count as alive."""
    return int(owners(stones, np.zeros(stones.shape, np.bool_)).sum())
