"""The scores of positions, without a game record."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import numpy as np

from goban.counting.claims import Claims
from goban.counting.estimate import Estimate
from goban.errors import InputError, as_whole, plural, require_type, wrong_type
from goban.position import Position
from goban.rulesets import DEFAULT_KOMI, DEFAULT_RULES, Ruleset, Terms, as_ruleset, require_komi
from ownership.inference.evaluator import AnyEvaluator, Evaluator
from ownership.inference.evaluator_arguments import check_positions
from ownership.inference.second_judge import SECOND_JUDGE, JudgePair, judges
from ownership.scoring.assessment import SCORE_SYMMETRIES, assess, estimate_by, evaluator_or_default, with_claims
from ownership.scoring.vertex_claims import VertexClaims

_Made = TypeVar("_Made")


def score_position(
    position: Position,
    rules: str | Ruleset = DEFAULT_RULES,
    komi: float = DEFAULT_KOMI,
    *,
    handicap: int = 0,
    ended: bool | None = True,
    claims: VertexClaims | None = None,
    evaluator: AnyEvaluator | None = None,
    second_judge: AnyEvaluator | None = SECOND_JUDGE,
) -> Estimate:
    """Return who owns what in a position, and its score; the same as `score_games` at the end of the same game
    without a recorded result.

    Args:
        position: with its prisoners, which territory rules count.
        rules: a ruleset, or its name in any spelling.
        komi: points for White.
        handicap: stones that some rules pay White for.
        ended: whether both players passed here. Such a position is counted unless much of the board is open. None for a
            record with a counted result and no passes: it is counted as well if the model expects a pass and borders
            are closed. False for a game that goes on: it is counted only if it looks finished, and that is safe only
            if the model expects a pass. Otherwise the score is the expected one.
        claims: the players' claims about chains; with them, even none, a game that goes on counts as one with a counted
            result and no passes.
        evaluator: a model by name or directory, loaded, or an evaluator of your own; None for the default one.
        second_judge: another model that is asked too where the end of a game is counted and not safe;
            None for none.

    Raises:
        InputError: unknown rules, a komi that is not -400 to 400, a negative handicap, a vertex without a stone, or no
            such second judge.
        TypeError: an argument of another type.
    """
    terms, claimed = _terms(rules, komi, handicap), _claims(claims, position)
    ended = with_claims(_ended(ended), claimed)
    check_positions([position])
    model = evaluator_or_default(evaluator)
    answer = _estimate(model, position, terms, ended, claimed)
    if ended is False or answer.state != "unsafe":
        return answer
    both = judges(model, second_judge, position.side)
    return answer if both is None else _estimate(both, position, terms, ended, claimed)


def score_positions(
    positions: Iterable[Position],
    rules: str | Ruleset | Sequence[str | Ruleset] = DEFAULT_RULES,
    komi: float | Sequence[float] = DEFAULT_KOMI,
    *,
    handicap: int | Sequence[int] = 0,
    ended: bool | None = True,
    claims: VertexClaims | Sequence[VertexClaims | None] | None = None,
    evaluator: AnyEvaluator | None = None,
) -> list[Estimate]:
    """Return the estimates of `score_position` without a second judge for many positions, evaluated in a batch.

    Args:
        positions: of any board sides.
        rules, komi, handicap, claims: as for `score_position`; one for all positions, or a sequence with one for each.
        ended, evaluator: as for `score_position`, the same for all positions.

    Raises:
        InputError: unknown rules, a komi that is not -400 to 400, a negative handicap, a vertex without a stone, each
            with the number of its position; or another number of these than of positions.
        TypeError: an argument of another type.
    """
    positions, ended = check_positions(positions), _ended(ended)
    given = {"rules": rules, "komi": komi, "handicap": handicap}
    columns = [_of_each(name, value, len(positions)) for name, value in given.items()]
    terms = [_at(number, _terms, *row) for number, row in enumerate(zip(*columns, strict=True))]
    claimed = [
        _at(number, _claims, each, positions[number])
        for number, each in enumerate(_of_each("claims", claims, len(positions)))
    ]
    found: dict[int, Estimate] = {}
    for side in sorted({position.side for position in positions}):
        chosen = [number for number, position in enumerate(positions) if position.side == side]
        batch, by = [positions[number] for number in chosen], [terms[number] for number in chosen]
        ends = [with_claims(ended, claimed[number]) for number in chosen]
        assessments = assess(evaluator_or_default(evaluator), batch, ends, SCORE_SYMMETRIES, by)
        for number, end, assessment in zip(chosen, ends, assessments, strict=True):
            found[number] = estimate_by(assessment, positions[number], terms[number], end, claimed[number])
    return [found[number] for number in range(len(positions))]


def _estimate(
    judge: Evaluator | JudgePair, position: Position, terms: Terms, ended: bool | None, claimed: Claims | None
) -> Estimate:
    [assessment] = assess(judge, [position], [ended], SCORE_SYMMETRIES, [terms])
    return estimate_by(assessment, position, terms, ended, claimed)


def _terms(rules: str | Ruleset, komi: float, handicap: int) -> Terms:
    require_komi(komi)
    return Terms(as_ruleset(rules), float(komi), as_whole("handicap", handicap))


def _ended(ended: bool | None) -> bool | None:
    if not isinstance(ended, bool | np.bool_ | None):
        raise wrong_type("ended as True, False or None", ended)
    return None if ended is None else bool(ended)


def _claims(claims: VertexClaims | None, position: Position) -> Claims | None:
    require_type(VertexClaims | None, "claims such as VertexClaims(dead=['D4'])", claims)
    return None if claims is None else claims.on(position)


def _of_each(name: str, given: Any, count: int) -> list[Any]:
    """Return the value for each position, given one for all or one for each; raise InputError."""
    values = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given] * count
    if len(values) != count:
        raise InputError(
            f"expected {name} for all, or one for each of {plural(count, 'position')}. Received: {len(values)}"
        )
    return values


def _at(number: int, make: Callable[..., _Made], *arguments: Any) -> _Made:
    """Return the result of a function for one of many positions, whose number an error names."""
    try:
        return make(*arguments)
    except (InputError, TypeError) as error:
        raise type(error)(f"positions[{number}]: {error}") from None
