"""The stones and points of a scored game as text: dead, in seki, in doubt, unsettled, left to fill."""

import textwrap
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_name, gtp_names
from goban.counting.count_estimate import Count
from goban.counting.counted_score import format_result
from goban.counting.estimate import Estimate
from goban.errors import plural
from ownership.scoring.scored_game import ScoredGame

_WIDTH = 80
_SHOWN = 5  # likely moves and chains in doubt
_MOST_SHOWN = 30  # uncertain empty points
_MOST_GAPS = 12  # as on the page


def dead_lines(scored: ScoredGame) -> list[str]:
    """Return the lines about dead stones of either colour, and about stones in seki."""
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


def doubt_lines(scored: ScoredGame) -> list[str]:
    """Return the lines about points to check: chains in doubt, gaps in borders, uncertain points and dame."""
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
    lines += _reason_lines(answer)
    if answer.gaps.any():
        text = f"Not closed: seal at {_some(gtp_names(answer.gaps), _MOST_GAPS)}; neither side gets these points"
        lines += textwrap.wrap(text, _WIDTH, subsequent_indent="    ")
    lines += _teire_lines(answer)
    left = answer.uncertain_points & ~answer.gaps
    dame = left & (answer.owner == EMPTY) & answer.finished
    lines += _points_line("Dame", dame) + _points_line("Uncertain empty points", left & ~dame)
    return lines


def _reason_lines(answer: Estimate) -> list[str]:
    """Return the lines about why a count may be wrong on the board alone; none for a sure count."""
    heading = "The board alone leaves open" if answer.state == "confirmed" else "In doubt"
    lines = [f"{heading}: {reason.text}" for reason in answer.reasons[:_SHOWN]]
    left_out = len(answer.reasons) - len(lines)
    return lines + ([f"{heading}: {plural(left_out, 'more reason')}"] if left_out else [])


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
