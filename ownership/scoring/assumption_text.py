"""The terms that a record leaves open and the count assumes, as text."""

from game_records.assumed_terms import excludes_its_komi, has_unusual_komi, may_lack_komi, usual_komi
from ownership.scoring.scored_game import ScoredGame

_HANDICAPS = {
    "usual points": "Assumed: {} handicap stones on the usual points, as the record does not place them",
    "first moves": "Assumed: a handicap of {}, as the record begins with that many moves by Black",
    "impossible number": "Assumed: no handicap, as the record's HA is no possible number of stones",
}


def assumptions(scored: ScoredGame) -> list[str]:
    """Return lines about rules, komi and handicap that the record leaves open, and about a doubtful komi of 0."""
    answer, game = scored.estimate, scored.game
    values = {"rules": f"{answer.rules} rules", "komi": f"komi {answer.komi:g}"}
    lines, unusual = [], has_unusual_komi(game)
    hint = f"--komi {usual_komi(game, answer.terms.ruleset):g} changes it"
    if "komi" in scored.assumed and answer.komi == game.komi and unusual:
        values.pop("komi")
        lines.append(f"Komi {answer.komi:g}, as the record says, is unusual: {hint}")
    if named := ", ".join(text for name, text in values.items() if name in scored.assumed):
        if unusual and "komi" in scored.assumed and "komi" in values:
            lines.append(
                f"Assumed: {named}; the record's komi of {game.komi:g} does not give its result {game.result.text}"
            )
        elif "komi" in scored.assumed and "komi" in values and excludes_its_komi(game):
            lines.append(f"Assumed: {named}; the record's komi of 0 cannot give its result {game.result.text}")
        else:
            lines.append(f"Assumed, as the record does not say: {named}")
    if answer.komi == 0 and may_lack_komi(game):
        lines.append(f"Komi 0, as the record says; some servers write it for every game: {hint}")
    if "handicap" in scored.assumed:
        lines.append(_HANDICAPS[game.handicap_from].format(game.handicap))
    return lines
