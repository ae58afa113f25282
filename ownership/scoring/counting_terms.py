"""The rules and komi by which a record is counted, and whether it ends."""

from typing import Final

from game_records.assumed_terms import assumed_terms, likeliest_terms, possible_terms
from game_records.game_record import GameRecord
from goban.coords import pass_point
from goban.counting.count_estimate import Count
from goban.rulesets import Ruleset, Terms
from ownership.scoring.assessment import Assessment, estimate_by

PASSES: Final = 2  # that end a game


def terms_of(
    game: GameRecord, end: Assessment | None, rules: Ruleset | str | None, komi: float | None
) -> tuple[Terms, Terms]:
    """Return the terms of a record, and the terms of the count: the caller's where given, else the record's.

    Args:
        game: the record.
        end: what the model predicts about its end, if its result may imply rules and komi.
        rules, komi: the caller's.
    """
    own = _own_terms(game, end, rules, komi)
    return own, Terms(rules or own.ruleset, own.komi if komi is None else komi, game.handicap)


def _own_terms(game: GameRecord, end: Assessment | None, rules: Ruleset | str | None, komi: float | None) -> Terms:
    """Return the terms of a record; what it leaves open is the caller's choice, unless only others fit its result."""
    left_open = assumed_terms(game)
    chosen = (rules if "rules" in left_open else None, komi if "komi" in left_open else None)
    candidates = list(dict.fromkeys([*possible_terms(game, *chosen), *possible_terms(game)]))
    if len(candidates) == 1 or end is None:
        return candidates[0]
    position, ended = game.position(), ends_after(game, len(game.move_points))
    leads: dict[str, tuple[float, float]] = {}
    for ruleset in {terms.ruleset.name: terms.ruleset for terms in candidates}.values():
        counted = estimate_by(end, position, Terms(ruleset, 0.0, game.handicap), ended, None)
        if isinstance(counted, Count):
            leads[ruleset.name] = (counted.score, counted.score - counted.protective_points)
    return likeliest_terms(candidates, game.result.score, leads)


def ends_after(game: GameRecord, moves: int) -> bool | None:
    """Return whether the record ends here with two passes; None if it does so with nothing but a counted result."""
    if moves < len(game.move_points):
        return False
    if [int(point) for point in game.move_points[-PASSES:]] == PASSES * [pass_point(game.side)]:
        return True
    return None if game.shows_count else False
