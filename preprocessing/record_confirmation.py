"""Finished games confirmed by their records: an ownership map marks dead stones, the recorded score must come out.

Where the count differs from the record, the record decides about the groups of which the map is unsure, if that can
be done in one way only. Counting is by the rules of the record, to the point.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.coords import EMPTY
from goban.counting.score import assignments, consistent, count, groups
from goban.position import Position
from goban.regions import Mask, owners, protective_points
from goban.rulesets import RULESETS, Ruleset, Terms

# |ownership| below which a group is unsure: few groups, then more
UNSURE_LEVELS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995)
MAX_CASES = 512  # ways to decide about the unsure groups that are tried


@dataclass(frozen=True, eq=False)
class Confirmed:
    """A finished board that the record confirms.

    Attributes:
        owner: int8 (N, N), 0 dame.
        by_record: whether the record decided about a group.
    """

    owner: NDArray[np.int8]
    by_record: bool


def confirm(game: GameRecord, position: Position, ownership: NDArray[np.float32]) -> Confirmed | None:
    """Return the owners at the end of a counted game, or None if the record does not confirm them.

    Args:
        game: with a recorded score; a record without rules may have been counted by territory or by area.
        position: its last position, N by N.
        ownership: float32 (N, N) in [-1, 1]; a chain is dead if the mean over its stones is the opponent's.

    The owner of an eye in seki is its group, as by area rules. It reads nothing out. A record decides about no group
    if its komi is assumed.
    """
    smooth = position.chain_means(ownership)
    marked: Mask = position.stones * smooth < 0
    for level in (0.0, *UNSURE_LEVELS) if game.komi_given else (0.0,):
        unsure = groups(position.stones, np.abs(smooth) < level)
        cases = assignments(marked, unsure, MAX_CASES)
        found = {owner.tobytes(): owner for owner in _confirmed_cases(game, position, cases)}
        if found:
            return Confirmed(found.popitem()[1], level > 0) if len(found) == 1 else None
    return None


def _confirmed_cases(game: GameRecord, position: Position, cases: Iterable[Mask]) -> Iterator[NDArray[np.int8]]:
    """Yield the owners for those cases whose count is the recorded score and whose dead stones lie with the enemy."""
    for dead in cases:
        owner = owners(position.stones, dead)
        if consistent(position.stones, owner, dead) and game.result.score in _scores(game, position, dead):
            yield owner


def nearest_count(game: GameRecord, position: Position, ownership: NDArray[np.float32]) -> float:
    """Return the score that the map gives, Black minus White with komi; arguments as for `confirm`.

    It is the nearest to the record of the scores that its rules, or without rules any, may give.
    """
    dead: Mask = position.stones * position.chain_means(ownership) < 0
    recorded = game.result.score
    assert recorded is not None
    return min(_scores(game, position, dead), key=lambda score: (abs(score - recorded), score))


def _scores(game: GameRecord, position: Position, dead: Mask) -> set[float]:
    """Return the scores that the rules of the record may give, or where it names none, territory and area rules."""
    rulesets = [RULESETS[game.rules]] if game.rules else [RULESETS["territory"], RULESETS["area"]]
    return {score for ruleset in rulesets for score in _margins(game, position, dead, ruleset)}


def _margins(game: GameRecord, position: Position, dead: Mask, ruleset: Ruleset) -> set[float]:
    """Return the scores that the rules may give, for the dame that are left.

    By area the side to move fills an odd one, or none is filled. By territory a player may have to protect once they
    are filled.
    """
    score = count(position, dead, Terms(ruleset, game.komi, game.handicap))
    if ruleset.counting == "area":
        odd_dame = int((score.owner == EMPTY).sum()) % 2
        return {score.margin, score.margin + odd_dame * position.to_move}
    left = np.where(dead, EMPTY, position.stones).astype(np.int8).ravel()
    protected = score.owner.ravel()[protective_points(position.side, left, score.owner.ravel())]
    return {score.margin, *(score.margin - colour for colour in np.unique(protected).tolist())}
