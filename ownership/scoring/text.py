"""A scored game as text with a diagram, as one line or as a row of a table; docs/scoring.md describes them."""

import textwrap
from collections.abc import Sequence
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from game_records.assumed_terms import (
    excludes_its_komi,
    has_unusual_komi,
    may_lack_komi,
    usual_komi,
)
from game_records.game_record import GameRecord
from game_records.result_property import Result
from goban.coords import BLACK, EMPTY, WHITE, colour_letter, colour_name, gtp_name, gtp_names
from goban.counting.count_estimate import Count
from goban.counting.counted_score import format_result
from goban.counting.estimate import Estimate
from goban.errors import plural
from ownership.scoring.record_comparison import territory_differs
from ownership.scoring.score_games import ScoredGame
from runtime.csv_cells import inert_cell

LINE_HEADINGS = "Score     State     Rules and komi     Recorded  Game"
_WIDTH = 80
_SHOWN = 5  # likely moves and chains in doubt
_MOST_SHOWN = 30  # uncertain empty points
_MOST_GAPS = 12  # as on the page
_NEARLY_CERTAIN = 0.995  # the probability that would be rounded to 100%
_HANDICAPS = {
    "usual points": "Assumed: {} handicap stones on the usual points, as the record does not place them",
    "first moves": "Assumed: a handicap of {}, as the record begins with so many moves of Black's",
    "impossible number": "Assumed: no handicap, as the record's HA is no possible number of stones",
}
_EXACTLY = {
    "komi": ", exactly the komi",
    "twice the komi": ", exactly twice the komi",
    "handicap": ", exactly White's points for handicap stones",
    "territory marks": ", as the territory marked in the record (TB, TW) counts",
    None: "",
}
_NO_SHEET = "No score sheet: the game is not finished, and an expected score has none."
_LEGEND = "X O stones   x o dead stones   + Black's   - White's   . open or dame   ? after an uncertain point"

_MOST_NAMED: Final = 20  # points


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
        *([_record(scored)] if scored.game.result.text else []),
        "",
        _players(scored),
        _circumstances(scored),
        *assumptions(scored),
        "",
    ]
    lines += [answer.diagram(), "", _LEGEND, "", *_dead_lines(scored), _points(answer), _range(answer)]
    lines += _doubt_lines(scored)
    if explain:
        lines += ["", _score_sheet(answer) if isinstance(answer, Count) else _NO_SHEET, ""]
    if scored.policy is not None and not answer.finished:
        likely = (f"{vertex} {chance:.0%}" for vertex, chance in likely_moves(scored, _SHOWN))
        lines.append(f"Likely next moves: {', '.join(likely)}")
    lines += textwrap.wrap(_territory_text(scored), _WIDTH, subsequent_indent="    ")
    return "\n".join(lines)


class Outlook(Protocol):
    """What is known about the score of a game: an `Estimate`, or the result of a search."""

    @property
    def score(self) -> float:
        """Black minus White, komi included."""

    @property
    def interval(self) -> tuple[float, float]:
        """Bounds within which the final score lies with a probability of 90%."""

    @property
    def black_wins(self) -> float:
        """Probability that Black wins."""

    @property
    def result(self) -> str:
        """The score as in an SGF record."""

    @property
    def finished(self) -> bool:
        """Whether the score is counted."""


def headline(answer: Outlook) -> str:
    """Return the score, its 90% interval and who wins, or in a game that goes on the win rate, in one line."""
    return f"{outcome(answer)}, 90% interval {' to '.join(interval_text(answer))}, {_wins(answer)}"


def as_line(scored: ScoredGame) -> str:
    """Return result, state, rules and komi, recorded result and source in one line of columns below LINE_HEADINGS.

    A question mark follows the komi if it, the rules or the handicap are assumed.
    """
    answer, recorded = scored.estimate, _short(scored.game.result)
    terms = f"{answer.rules} {answer.komi:g}{'?' if scored.assumed else ''}"
    return f"{answer.result:<9} {_state(answer):<8}  {terms:<17}  {recorded:<9} {scored.game.source}"


def _short(result: Result) -> str:
    """Return a recorded result as "B+4.5" or "W+R", in the record's own words if it is none of these."""
    if result.score is not None:
        return format_result(result.score)
    if result.kind in ("resign", "time", "forfeit"):
        return f"{colour_letter(result.winner)}+{result.kind[0].upper()}"
    return result.text or "-"


def as_row(scored: ScoredGame) -> dict[str, str]:
    """Return one row of a table, as text that no spreadsheet runs; the columns are listed in docs/scoring.md."""
    answer, found = scored.estimate, scored.comparison
    low, high = answer.interval
    return {
        "source": inert_cell(scored.game.source),
        "side": str(scored.position.side),
        "moves": str(scored.moves),
        "rules": answer.rules,
        "komi": f"{answer.komi:g}",
        "result": answer.result,
        "score": _rounded(answer.score),
        "low": _rounded(low),
        "high": _rounded(high),
        "black": _rounded(answer.black),
        "white": _rounded(answer.white),
        "state": _state(answer),
        "in_doubt": str(sum(len(chain.points) for chain in answer.in_doubt)),
        "recorded": inert_cell(scored.game.result.text),
        "difference": "" if found is None else _rounded(found.difference),
        "second_opinion": inert_cell(scored.estimate.second_opinion or ""),
        "assumed": " ".join(scored.assumed),
        "notes": inert_cell("; ".join(scored.game.notes)),
    }


def outcome(answer: Outlook) -> str:
    """Return the score and how it was found, such as "B+6.5 counted" or "W+3.2 expected"."""
    return f"{answer.result} {'counted' if answer.finished else 'expected'}"


def points_text(answer: Estimate) -> tuple[str, str]:
    """Return Black's and White's points, in an open game rounded to 0.1, so that they differ by the verdict's score."""
    if answer.finished:
        return f"{answer.black:g}", f"{answer.white:g}"
    black = round(answer.black, 1) + 0.0
    return f"{black:.1f}", f"{black - round(answer.score, 1):.1f}"


def interval_text(answer: Outlook) -> list[str]:
    """Return the bounds of the 90% interval, rounded to 0.1, such as "B+8.5"."""
    bounds = (round(bound, 1) for bound in answer.interval)
    return [f"{_side_of(bound)[0]}+{abs(bound):.1f}" for bound in bounds]


def _state(answer: Estimate) -> str:
    """Return "safe" if the position can safely be counted, "unsafe" if it is counted, "open" if the game goes on."""
    return "safe" if answer.safe else "unsafe" if answer.finished else "open"


def _score_sheet(answer: Count) -> str:
    """Return both players' points of a counted position as a table, as players count them, and the result."""
    total = ("total", answer.black, answer.white)
    lines = [f"  {name:<12}{first:>6g}{second:>8g}" for name, first, second in (*answer.counted.rows, total)]
    return "\n".join([f"  {f'{answer.rules} rules':<12}{'Black':>6}{'White':>8}", *lines, f"  {answer.verdict}"])


def likely_moves(scored: ScoredGame, most: int) -> list[tuple[str, float]]:
    """Return the likeliest next moves as GTP vertices with their probabilities, likeliest first; raise ValueError."""
    if scored.policy is None:
        raise ValueError(f"expected a model with a policy. Received: {scored.model}")
    points = np.argsort(-scored.policy, kind="stable")[:most]
    return [(gtp_name(point, scored.position.side), round(float(scored.policy[point]), 4)) for point in points.tolist()]


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
        f"{side}x{side} after {scored.moves:,} of {plural(len(scored.game.moves), 'move')}, {turn} to move, "
        f"{answer.rules} rules, komi {answer.komi:g}"
    )


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


def _dead_lines(scored: ScoredGame) -> list[str]:
    lines = []
    for colour in (BLACK, WHITE):
        vertices = gtp_names(scored.estimate.dead & (scored.position.stones == colour))
        name = f"Dead {colour_name(colour)} stones"
        lines += _named_points(name, vertices) if vertices else [f"{name}: none"]
    seki = gtp_names(scored.estimate.seki)
    return lines + (_named_points("Stones in seki", seki) if seki else [])


def _named_points(name: str, vertices: Sequence[str]) -> list[str]:
    text = f"{name} ({len(vertices)}): {' '.join(vertices)}"
    return textwrap.wrap(text, _WIDTH, subsequent_indent="    ")


def _points(answer: Estimate) -> str:
    bonus = f" and {answer.terms.bonus} for handicap" if answer.terms.bonus else ""
    kind, (black, white) = "Counted" if answer.finished else "Expected", points_text(answer)
    further = ", less the stones that each still plays" if answer.before_further_stones else ""
    return f"{kind} by {answer.rules} rules: Black {black}, White {white} with komi{bonus}{further}"


def _rounded(points: float) -> str:
    return f"{round(points, 2) + 0.0:g}"


def _range(answer: Estimate) -> str:
    if answer.safe:
        return f"{int((answer.decided | (answer.owner == EMPTY)).sum())} of {answer.decided.size} points are certain"
    certain = f"{int(answer.decided.sum())} of {answer.decided.size} points are certain"
    return f"90% interval: {' to '.join(interval_text(answer))}; {_wins(answer)}; {certain}"


def _side_of(points: float) -> str:
    return colour_name(BLACK if points >= 0 else WHITE)


def _wins(answer: Outlook) -> str:
    """Return who leads and how surely: "Black wins (over 99%)", or "White's win rate 54%" in a game that goes on."""
    chance = answer.black_wins if answer.score >= 0 else 1 - answer.black_wins
    leader, shown = _side_of(answer.score), f"{chance:.0%}" if chance < _NEARLY_CERTAIN else "over 99%"
    return f"{leader} wins ({shown})" if answer.finished else f"{leader}'s win rate {shown}"


def _doubt_lines(scored: ScoredGame) -> list[str]:
    """Return what to look at: chains in doubt, gaps in borders, uncertain points and dame."""
    answer = scored.estimate
    lines = _status_lines("Marked as dead, but within their own side's area", answer, answer.ignored)
    lines += _status_lines("Your marks also change", answer, answer.also_changed)
    if scored.changed is not None:
        program = scored.estimate.second_opinion
        changes = _status_lines(f"{program} changed", answer, scored.changed)
        lines += changes or [f"{program} {'changed no stone' if scored.results else 'agrees about all stones'}"]
        if scored.results:
            lines.append(f"The model alone counts {scored.results[0]}, {program} alone {scored.results[1]}")
    lines += _status_lines("Read out", answer, answer.read)
    for chain in answer.in_doubt[:_SHOWN]:
        vertex = gtp_name(chain.points[0], scored.position.side)
        taken, certain = ("alive", chain.lives) if chain.lives >= 0.5 else ("dead", 1 - chain.lives)
        stones = plural(len(chain.points), "stone")
        lines.append(f"In doubt: {colour_name(chain.colour)}'s {vertex}, {stones}, {taken} ({certain:.0%})")
    lines += _unsettled_lines(answer)
    if answer.gaps.any():
        text = f"Not closed: seal at {_some(gtp_names(answer.gaps), _MOST_GAPS)}; neither side gets these points"
        lines += textwrap.wrap(text, _WIDTH, subsequent_indent="    ")
    lines += _teire_lines(answer)
    left = answer.uncertain_points & ~answer.gaps
    dame = left & (answer.owner == EMPTY) & answer.safe
    lines += _points_line("Dame", dame) + _points_line("Uncertain empty points", left & ~dame)
    return lines


def _points_line(name: str, points: NDArray[np.bool_]) -> list[str]:
    vertices = gtp_names(points)
    if len(vertices) > _MOST_SHOWN:
        return [f"{name}: {len(vertices)}"]
    return _named_points(name, vertices) if vertices else []


def _status_lines(heading: str, answer: Estimate, chosen: NDArray[np.bool_]) -> list[str]:
    """Return the line about chosen chains, bool (N, N), and their status; none if there are none."""
    side, named = answer.position.side, []
    for chain in answer.position.chains():
        point = chain.points[0]
        if chosen.flat[point]:
            status = "dead" if answer.dead.flat[point] else "in seki" if answer.seki.flat[point] else "alive"
            named.append(f"{colour_name(chain.colour)}'s {gtp_name(point, side)} ({status})")
    text = f"{heading}: {', '.join(named)}"
    return textwrap.wrap(text, _WIDTH, subsequent_indent="    ") if named else []


def _unsettled_lines(answer: Estimate) -> list[str]:
    """Return the line about stones whose status depends on who moves next; none if there are no such stones."""
    side = answer.position.side
    named = [f"{colour_name(chain.colour)}'s {gtp_name(chain.points[0], side)}" for chain in answer.unsettled_chains]
    if not named:
        return []
    text = f"Depends on the next move or a ko: {_some(named, _SHOWN)}"
    return textwrap.wrap(text, _WIDTH, subsequent_indent="    ")


def _some(names: Sequence[str], most: int) -> str:
    """Return the first names of a list, and how many are left out."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"


def _teire_lines(answer: Estimate) -> list[str]:
    """Return the line about protective moves that are left, and the result with them; none if there are none."""
    if not isinstance(answer, Count) or not answer.teire.any():
        return []
    owed = ((colour, answer.teire & (answer.owner == colour)) for colour in (BLACK, WHITE))
    named = [f"{colour_name(colour)} at {', '.join(gtp_names(mask))}" for colour, mask in owed if mask.any()]
    if answer.protected:
        before = format_result(answer.score + int((answer.teire * answer.owner).sum()))
        text = f"Protective moves, deducted as in the record: {'; '.join(named)}. Without them {before}"
    else:
        after = format_result(answer.score - answer.protective_points)
        text = f"Protective moves left once the dame are filled: {'; '.join(named)}. With them {after}"
    return textwrap.wrap(text, _WIDTH, subsequent_indent="    ")


def _record(scored: ScoredGame) -> str:
    """Compare with the result in the record, which is about the end of the game only."""
    text, found = scored.game.result.text, scored.comparison
    if text == "?":
        return "Recorded result: unknown"
    if found is None:
        return f"Recorded result: {text}"
    compared = f"Recorded result: {text}, the same"
    if found.difference:
        better, points = _side_of(found.difference), plural(abs(found.difference), "point")
        compared = f"Recorded result: {text}; this count gives {better} {points} more{_EXACTLY[found.reason]}"
    if found.terms == scored.estimate.terms:
        return compared
    return f"{compared} by the record's terms ({found.terms.ruleset.name} rules, komi {found.terms.komi:g})"


def differing_territory(scored: ScoredGame) -> NDArray[np.bool_] | None:
    """Return what `territory_differs` finds; None where the position is not the last one, or not counted."""
    if not scored.estimate.finished or scored.moves < len(scored.game.moves):
        return None
    return territory_differs(scored.game, scored.estimate)


def _territory_text(scored: ScoredGame) -> str:
    """Return a line that names the chains and points that the record judges otherwise; "" where it marks none."""
    differs = differing_territory(scored)
    if differs is None:
        return ""
    if not differs.any():
        return "Territory in the record (TB, TW): the same"
    position, named = scored.position, []
    for chain in position.chains():
        if differs.flat[chain.points[0]]:
            ours, theirs = ("dead", "alive") if scored.estimate.dead.flat[chain.points[0]] else ("alive", "dead")
            vertex = gtp_name(chain.points[0], position.side)
            named.append(f"{colour_name(chain.colour)}'s {vertex} is {theirs} there, {ours} here")
    empty = gtp_names(differs & (position.stones == EMPTY))
    if empty:
        shown = " ".join(empty) if len(empty) <= _MOST_NAMED else f"{len(empty)} empty points"
        named.append(f"other owners of {shown}")
    return f"Territory in the record (TB, TW) differs: {'; '.join(named)}"
