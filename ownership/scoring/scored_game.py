"""What to score of a game, and how; and the scored game."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from goban.array_types import Mask
from goban.counting.estimate import Estimate
from goban.errors import InputError, plural, shown, wrong_type
from goban.position import Position
from goban.rulesets import Ruleset, require_komi
from ownership.inference.evaluator import AnyEvaluator
from ownership.scoring.assessment import SCORE_SYMMETRIES
from ownership.scoring.record_comparison import RecordComparison
from ownership.scoring.vertex_claims import VertexClaims
from preprocessing.gnugo import GnuGo


@dataclass(frozen=True)
class ScoreOptions:
    """What to score, and how.

    Attributes:
        move: moves played before the position; None for all of the game.
        rules: a ruleset, or its name in any spelling; None for the record's, or what such a record means.
        komi: points for White; None for the record's, or what such a record means.
        symmetries: 1 or 8, averaged over.
        claims: the players' claims about chains.
        second_judge: another model that is asked too where the end of a game is counted and not safe by the first;
            None for none.
        capture_visits: of a search for each dead group that is left in doubt, which may show its capture; 0 for none.
        referee: plays games that ended, but are not safe to count, to the end, and decides about the chains of which
            the model is not sure.

    Raises:
        InputError: a komi that is not -400 to 400, or other symmetries.
        TypeError: a move or a komi that is no number.
    """

    move: int | None = None
    rules: Ruleset | str | None = None
    komi: float | None = None
    symmetries: int = SCORE_SYMMETRIES
    claims: VertexClaims | None = None
    second_judge: AnyEvaluator | None = None
    capture_visits: int = 0
    referee: GnuGo | None = None

    def __post_init__(self) -> None:
        if self.komi is not None:
            require_komi(self.komi)
        if isinstance(self.symmetries, bool) or self.symmetries not in (1, SCORE_SYMMETRIES):
            raise InputError(f"symmetries must be 1 or {SCORE_SYMMETRIES}. Received: {shown(self.symmetries)}")
        if isinstance(self.move, bool) or not isinstance(self.move, int | None):
            raise wrong_type("move as a whole number", self.move)


@dataclass(frozen=True, eq=False, repr=False)
class ScoredGame:
    """A position of a game and what it is worth.

    Attributes:
        game: the record.
        move: number of moves played before the position.
        position: the position.
        estimate: what it is worth.
        model: the name of the model, or those of both judges, such as "default+play".
        policy: float32 (N*N + 1), the probability of the next move by flat index, the last being a pass; None where the
            model does not predict it, and at the end.
        changed: bool (N, N), stones that a second opinion gave another status than the model; None without one.
        undecided: why GNU Go, which was asked for a second opinion, gave none; else "".
        results: the results by the model alone and by GNU Go alone, where they differ.
        assumed: which of "rules", "komi" and "handicap" the record leaves open.
        comparison: the count beside the recorded score; None unless both are counted, at the end of the game.
    """

    game: GameRecord
    move: int
    position: Position
    estimate: Estimate
    model: str
    policy: NDArray[np.float32] | None = None
    changed: Mask | None = None
    undecided: str = ""
    results: tuple[str, str] | None = None
    assumed: tuple[str, ...] = ()
    comparison: RecordComparison | None = None

    def __repr__(self) -> str:
        """Return the source, the number of moves, the result and what is known about it in one line."""
        result = f"{self.estimate.result} by {self.estimate.rules} rules, {self.estimate.state}"
        return f"<ScoredGame {self.game.source} after {plural(self.move, 'move')}: {result}>"

    def _repr_svg_(self) -> str:
        """Return the picture of the position and its owners that Jupyter shows."""
        return self.estimate._repr_svg_()
