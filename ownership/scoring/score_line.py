"""A scored game as one line, as `ownership score` writes about many."""

from game_records.result_property import Result
from goban.coords import colour_letter
from goban.counting.counted_score import format_result
from ownership.scoring.scored_game import ScoredGame

LINE_HEADINGS = "Score     State      Rules and komi     Recorded  Game"


def as_line(scored: ScoredGame) -> str:
    """Return result, state, rules and komi, recorded result and source in one line of columns below LINE_HEADINGS.

    A question mark follows the komi if it, the rules or the handicap are assumed.
    """
    answer, recorded = scored.estimate, _short(scored.game.result)
    terms = f"{answer.rules} {answer.komi:g}{'?' if scored.assumed else ''}"
    return f"{answer.result:<9} {answer.state:<9}  {terms:<17}  {recorded:<9} {scored.game.source}"


def _short(result: Result) -> str:
    """Return a recorded result as "B+4.5" or "W+R", in the record's own words if it is none of these."""
    if result.score is not None:
        return format_result(result.score)
    if result.kind in ("resign", "time", "forfeit"):
        return f"{colour_letter(result.winner)}+{result.kind[0].upper()}"
    return result.text or "-"
