"""A scored game as text with a diagram; docs/scoring.md describes it."""

import textwrap

from game_records.game_record import GameRecord
from goban.coords import BLACK, WHITE, colour_name
from goban.counting.count_estimate import Count
from goban.counting.estimate import Estimate
from goban.errors import plural
from ownership.scoring.assumption_text import assumptions
from ownership.scoring.record_text import record_line, territory_line
from ownership.scoring.score_figures import likely_moves, outlook_texts, points_text
from ownership.scoring.scored_game import ScoredGame
from ownership.scoring.stones_text import dead_lines, doubt_lines

_WIDTH = 80
_SHOWN = 5  # likely moves and chains in doubt
_NO_SHEET = "No score sheet: the game is not finished, and an expected score has none."
_LEGEND = "X O stones   x o dead stones   + Black's   - White's   . open or dame   ? after an uncertain point"


def as_text(scored: ScoredGame, *, explain: bool = False) -> str:
    """Return the score, why it can be trusted, a diagram and details, without a newline at the end.

    Args:
        scored: the game.
        explain: whether to show also the score sheet.
    """
    answer = scored.estimate
    lines = [
        answer.verdict,
        answer.trust,
        *([record_line(scored)] if scored.game.result.text else []),
        "",
        _players(scored),
        _circumstances(scored),
        *assumptions(scored),
        "",
    ]
    lines += [answer.diagram(), "", _LEGEND, "", *dead_lines(scored), _points(answer), *_outlook(answer)]
    lines += doubt_lines(scored)
    if explain:
        lines += ["", _score_sheet(answer) if isinstance(answer, Count) else _NO_SHEET, ""]
    if scored.policy is not None and not answer.finished:
        likely = (f"{vertex} {chance:.0%}" for vertex, chance in likely_moves(scored, _SHOWN))
        lines.append(f"Likely next moves: {', '.join(likely)}")
    lines += textwrap.wrap(territory_line(scored), _WIDTH, subsequent_indent="    ")
    return "\n".join(lines)


def _score_sheet(answer: Count) -> str:
    """Return both players' points of a counted position as a table, as players count them, and the result."""
    total = ("total", answer.black, answer.white)
    lines = [f"  {name:<12}{first:>6g}{second:>8g}" for name, first, second in (*answer.counted.rows, total)]
    return "\n".join([f"  {f'{answer.rules} rules':<12}{'Black':>6}{'White':>8}", *lines, f"  {answer.verdict}"])


def _players(scored: ScoredGame) -> str:
    game = scored.game
    players = " - ".join(_player(game, colour) for colour in (BLACK, WHITE))
    return ", ".join(part for part in (f"{game.source}: {players}", game.date) if part)


def _player(game: GameRecord, colour: int) -> str:
    has_name = game.black if colour == BLACK else game.white
    return f"{game.player(colour)} ({colour_name(colour)})" if has_name else game.player(colour)


def _circumstances(scored: ScoredGame) -> str:
    side, answer = scored.position.side, scored.estimate
    turn = colour_name(scored.position.to_move)
    return (
        f"{side}x{side} after {scored.move:,} of {plural(len(scored.game.move_points), 'move')}, {turn} to move, "
        f"{answer.rules} rules, komi {answer.komi:g}"
    )


def _points(answer: Estimate) -> str:
    bonus = f" and {answer.terms.bonus} for handicap" if answer.terms.bonus else ""
    kind, (black, white) = "Counted" if answer.finished else "Expected", points_text(answer)
    further = ", less the stones that each still plays" if answer.before_further_stones else ""
    return f"{kind} by {answer.rules} rules: Black {black}, White {white} with komi{bonus}{further}"


def _outlook(answer: Estimate) -> list[str]:
    """Return a line about what a game that goes on may come to; none about a count."""
    texts = outlook_texts(answer)
    if not texts:
        return []
    return ["; ".join((*texts, f"{int(answer.decided.sum())} of {answer.decided.size} points are certain"))]
