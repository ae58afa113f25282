"""The score of one position."""

from typing import Any

from goban.counting.estimate import Estimate, estimate
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import Ruleset, parse_rules
from ownership.inference.evaluator import Evaluator
from ownership.scoring.scorer import Word, _bundled, _known, after_passes


def score_position(
    position: Position,
    rules: str | Ruleset = "japanese",
    komi: float = 6.5,
    *,
    handicap: int = 0,
    ended: bool = True,
    claims: Any = None,
    evaluator: Evaluator | None = None,
) -> Estimate:
    """Return the estimate of a position."""
    ruleset = rules if isinstance(rules, Ruleset) else parse_rules(rules)
    if ruleset is None:
        raise InputError("rules")
    [prediction] = (evaluator or _bundled()).evaluate([after_passes(position) if ended else position], 8)
    known = _known(position, Word()) if ended else None
    return estimate(
        position,
        prediction.ownership,
        ruleset,
        komi,
        handicap=handicap,
        agreed=ended,
        deviation=prediction.deviation,
        known=known,
    )
