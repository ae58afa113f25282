"""The end of a game compared with its record: the recorded score, the reason for a difference, and marked territory."""

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.array_types import Stones
from goban.coords import EMPTY
from goban.counting.estimate import Estimate
from goban.position import Position
from goban.rulesets import Terms

Reason = Literal["komi", "twice the komi", "handicap", "territory marks"]
EXPLANATIONS: Final[tuple[Reason, ...]] = ("komi", "twice the komi", "handicap", "territory marks")
USUAL_KOMI: Final = 5.5  # points of komi, at least, that a record is taken to leave out: less may be a wrong count


@dataclass(frozen=True)
class RecordComparison:
    """A count compared with the recorded score.

    Attributes:
        recorded: the recorded score, Black minus White.
        counted: the count by `terms`, Black minus White.
        terms: the record's, if the caller chose others that do not give the recorded score.
        reason: what explains a difference, None for nothing: the record leaves the komi out, or gives it to the other
            side ("twice the komi"), or leaves out White's points for handicap stones; or its marks of territory give
            the recorded score.
    """

    recorded: float
    counted: float
    terms: Terms
    reason: Reason | None = None

    @property
    def difference(self) -> float:
        """The count less the recorded score, in points."""
        return self.counted - self.recorded


def compare_with_record(game: GameRecord, recorded: float, counted: Estimate) -> RecordComparison:
    """Return the comparison of a counted end of a game with the recorded score, by terms that the record may mean."""
    reason = None if counted.score == recorded else _reason(game, recorded, counted)
    return RecordComparison(recorded, counted.score, counted.terms, reason)


def _reason(game: GameRecord, recorded: float, counted: Estimate) -> Reason | None:
    left_out, komi, bonus = recorded - counted.score, counted.komi, counted.terms.bonus
    if abs(komi) >= USUAL_KOMI and left_out == komi:
        return "komi"
    if abs(komi) >= USUAL_KOMI and left_out == 2 * komi:
        return "twice the komi"
    if bonus and left_out == bonus:
        return "handicap"
    marks = marked_territory(game, counted.position)
    if marks is not None and marked_score(counted.position, marks, counted.terms) == recorded:
        return "territory marks"
    return None


def marked_territory(game: GameRecord, position: Position) -> Stones | None:
    """Return int8 (N, N), 1 for Black: the empty points and dead stones that a record marks as territory.

    None for no marks.
    """
    if game.territory is None:
        return None
    marks = game.territory.reshape(position.stones.shape)
    return np.where(marks == position.stones, EMPTY, marks).astype(np.int8)  # some programs mark living stones too


def marked_score(position: Position, marks: Stones, terms: Terms) -> float:
    """Return the score, Black minus White, that marks of `marked_territory` give."""
    stones = position.stones
    dead = (marks != EMPTY) & (stones != EMPTY)
    if terms.ruleset.counting == "area":
        margin = int(np.where(marks, marks, stones).sum())
    else:
        by_black, by_white = position.prisoners
        margin = int(marks.sum()) - int(stones[dead].sum()) + by_black - by_white
    return margin - terms.total_komi


def territory_differs(game: GameRecord, counted: Estimate) -> NDArray[np.bool_] | None:
    """Return bool (N, N): points of the counted end of a game that its record marks as another side's, or as neither's.

    None for a record without marks.
    """
    position = counted.position
    marks = marked_territory(game, position)
    if marks is None:
        return None
    ours = np.where((position.stones == EMPTY) | counted.dead, counted.owner, EMPTY)
    return np.asarray(ours != marks)
