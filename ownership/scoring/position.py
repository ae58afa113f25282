"""Who owns what in one position, and its score."""

from functools import cache
from typing import Final

from goban.coords import pass_point
from goban.counting.estimate import Estimate, estimate
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Ruleset, Terms, parse_rules
from ownership.inference.evaluator import Evaluator, Prediction
from ownership.scoring.claims import VertexClaims

SYMMETRIES: Final = 8  # of the board, over which every score averages
PASSES: Final = 2  # that end a game


def score_position(
    position: Position,
    rules: str | Ruleset = "japanese",
    komi: float = 6.5,
    *,
    handicap: int = 0,
    ended: bool | None = True,
    claims: VertexClaims | None = None,
    evaluator: Evaluator | None = None,
) -> Estimate:
    """Return who owns what in a position, and its score; the same as `score_games` at the end of the same game.

    Args:
        position: with its prisoners, which territory rules count.
        rules: a ruleset, or its name in any spelling.
        komi: points for White.
        handicap: stones that some rules pay White for.
        ended: whether both players passed here, so that the position is counted whatever it looks like. None for a game
            that they probably ended, as it has a counted result: it is counted unless it breaks off in the middle.
            False for a game that goes on: it is counted only if it looks finished, else its score is the expected one.
        claims: what the players say about chains; a position with claims is counted whatever it looks like.
        evaluator: the model; None for the bundled one, which is loaded once.

    Raises:
        InputError: unknown rules, or a vertex without a stone.
    """
    ruleset = rules if isinstance(rules, Ruleset) else _named(rules)
    evaluated = evaluated_position(position, ended)
    terms = Terms(ruleset, komi, handicap)
    [prediction] = (evaluator or _bundled()).evaluate([evaluated], SYMMETRIES, terms)
    return estimate_by(prediction, position, terms, ended, claims)


def evaluated_position(position: Position, ended: bool | None) -> Position:
    """Return the position that the model sees: after two passes, unless the game goes on."""
    return position if ended is False else after_passes(position)


def estimate_by(
    prediction: Prediction, position: Position, terms: Terms, ended: bool | None, claims: VertexClaims | None
) -> Estimate:
    """Return the estimate of a position from a model's prediction; `ended` and `claims` as for `score_position`."""
    if claims is None and ended:
        claims = VertexClaims()
    return estimate(
        position,
        prediction.ownership,
        terms,
        ended=ended is not False,
        deviation=prediction.deviation,
        claims=None if claims is None else claims.on(position),
    )


def after_passes(position: Position) -> Position:
    """Return the position after the two passes that end a game, less those that were the last moves already."""
    played = 0
    while played < min(PASSES, len(position.recent)) and position.recent[played] == pass_point(position.side):
        played += 1
    for _ in range(PASSES - played):
        position = position.play(pass_point(position.side))
    return position


def _named(rules: str) -> Ruleset:
    ruleset = parse_rules(rules)
    if ruleset is None:
        raise InputError(f"rules must be one of {', '.join(RULESETS)}. Received: {rules}")
    return ruleset


@cache
def _bundled() -> Evaluator:
    return Evaluator.load()
