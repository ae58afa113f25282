"""The terms by which a record may be counted, where it leaves rules, komi or handicap open or contradicts itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from game_records.game_record import GameRecord
from game_records.komi import fitting_komis, is_old, usual_komis
from goban.rulesets import RULESETS, Ruleset, Terms, as_ruleset

AREA: Final = RULESETS["area"]
TERRITORY: Final = RULESETS["territory"]
_FULL_BOARD: Final = 19
_TERRITORY_KOMI: Final = (6.5, 5.5)  # on 19x19; area rules have 7.5
_MOST_KOMI: Final = 20.0  # points of komi, for either side; a record of more often has a slip such as 65 for 6.5


def excludes_its_komi(game: GameRecord) -> bool:
    """Return whether a record has a komi of 0 and a result with half a point, which needs one.

    Some servers export a komi of 0 for every game.
    """
    return game.komi_given and game.komi == 0 and game.result.score is not None and game.result.score % 1 != 0


def with_usual_komi(game: GameRecord) -> GameRecord:
    """Return the usual komi, as assumed, in a record that has a komi of 0 or none and a result with half a point."""
    score = game.result.score
    if game.komi != 0 or score is None or score % 1 == 0:
        return game
    komis = (terms.komi for terms in possible_terms(game) if terms.komi % 1 != 0)
    return replace(game, komi=next(komis), komi_given=False)


def may_lack_komi(game: GameRecord) -> bool:
    """Return whether a record of an even game has a komi of 0 that no counted result confirms."""
    return game.komi_given and game.komi == 0 and not game.handicap and game.result.score is None


def has_unusual_komi(game: GameRecord) -> bool:
    """Return whether a record has a komi of more than 20 points for either side."""
    return game.komi_given and abs(game.komi) > _MOST_KOMI


def assumed_terms(game: GameRecord, ruleset: Ruleset | str | None = None, komi: float | None = None) -> tuple[str, ...]:
    """Return which of "rules", "komi" and "handicap" are assumed.

    Rules and komi are if neither the record nor the caller names them, a komi also if the record's result excludes it
    or it is unusual; a handicap is if the record names one and places no stones, or the other way round, or names an
    impossible one.
    """
    rules_named = ruleset is not None or bool(game.rules)
    komi_named = komi is not None or _komi_holds(game)
    named = {"rules": rules_named, "komi": komi_named, "handicap": not game.handicap_from}
    return tuple(name for name, is_named in named.items() if not is_named)


def possible_terms(game: GameRecord, ruleset: Ruleset | str | None = None, komi: float | None = None) -> list[Terms]:
    """Return the terms by which a record may be counted, the likeliest first; only one where rules and komi are named.

    Args:
        game: the record.
        ruleset: overrides the record's rules; may be given by its name.
        komi: overrides the record's komi, in points.

    On 19x19 a komi of 6.5 or 5.5 means territory rules, any other area rules, and a game without komi before 2002
    territory rules. The komi is one that was usual then: since 2002 territory rules mean one of 6.5, area rules one of
    7.5, and a handicap one of 0.5. Only komis count that the recorded score allows: a whole number for a whole number.
    The usual ones follow an unusual komi of the record.
    """
    if komi is None and _komi_holds(game):
        komi = game.komi
    if ruleset is None and game.rules:
        ruleset = RULESETS[game.rules]
    by_ruleset = [
        [Terms(each, points, game.handicap) for points in (_komis(game, each) if komi is None else (komi,))]
        for each in (_rulesets(game, komi) if ruleset is None else (as_ruleset(ruleset),))
    ]
    return [terms for row in zip_longest(*by_ruleset) for terms in row if terms is not None]


def likeliest_terms(candidates: Sequence[Terms], recorded: float | None, leads: Mapping[str, Sequence[float]]) -> Terms:
    """Return the first candidate by which the count is the recorded score; the first of all if there is none.

    Args:
        candidates: of `possible_terms`.
        recorded: the recorded score, Black minus White; None where the record gives none.
        leads: Black's leads in the final position, without and with protective moves, without komi but with
            White's points for handicap stones, by the name of the ruleset; empty for a game that cannot be counted.
    """
    if recorded is None:
        return candidates[0]
    fitting = (terms for terms in candidates if recorded + terms.komi in leads.get(terms.ruleset.name, ()))
    return next(fitting, candidates[0])


def _komi_holds(game: GameRecord) -> bool:
    """Return whether a record has a komi that neither its result excludes nor its size makes doubtful."""
    return game.komi_given and not excludes_its_komi(game) and not has_unusual_komi(game)


def _rulesets(game: GameRecord, komi: float | None) -> tuple[Ruleset, ...]:
    if game.side == _FULL_BOARD and komi in _TERRITORY_KOMI:
        return TERRITORY, AREA
    return (TERRITORY, AREA) if komi is None and is_old(game.side, game.year) else (AREA, TERRITORY)


def _komis(game: GameRecord, ruleset: Ruleset) -> tuple[float, ...]:
    own = (game.komi,) if has_unusual_komi(game) else ()
    return (*own, *_usual_komis(game, ruleset))


def usual_komi(game: GameRecord, ruleset: Ruleset) -> float:
    """Return the komi by which games such as this were usually played, one of 0 only if its score allows no other."""
    return next((komi for komi in _usual_komis(game, ruleset) if komi), 0.0)


def _usual_komis(game: GameRecord, ruleset: Ruleset) -> tuple[float, ...]:
    """Return komi that the record may mean, the likeliest first; of those that its score allows, if there are any."""
    return fitting_komis(usual_komis(game.side, game.handicap, ruleset.counting, game.year), game.result.score)
