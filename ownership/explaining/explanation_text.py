"""The status of a group in words, with the lines that show it."""

from typing import Any, Final

import numpy as np

from goban import text_diagram
from goban.coords import colour_name, gtp_name, pass_point
from goban.errors import plural
from goban.game import Game
from ownership.explaining.group_leaves import CAPTURED, READ_ALIVE, READ_DEAD, UNCONDITIONAL
from ownership.explaining.group_line import GroupLine
from ownership.explaining.group_status import GroupStatus

_VERDICTS: Final = {
    "alive": "is alive",
    "dead": "is dead",
    "unsettled": "is unsettled: it lives if its side moves first, and dies if the other side does",
    "ko": "lives or dies by a ko",
    "open": "is open: the search does not show whether it lives",
}
_PROOFS: Final = {
    CAPTURED: "captured",
    READ_DEAD: "dead by reading",
    UNCONDITIONAL: "lives unconditionally",
    READ_ALIVE: "lives by reading",
}


def group_name(status: GroupStatus) -> str:
    """Return the colour, first vertex and stones of a group, such as "White's D18 (3 stones)"."""
    vertex = gtp_name(status.chain.points[0], status.game.side)
    return f"{colour_name(status.chain.colour)}'s {vertex} ({plural(len(status.chain.points), 'stone')})"


def verdict(status: GroupStatus) -> str:
    """Return one sentence without a full stop, such as "White's D18 (3 stones) is dead"."""
    return f"{group_name(status)} {_VERDICTS[status.status]}"


def end_text(line: GroupLine, side: int) -> str:
    """Return what becomes of the group at the end of a line, such as "captured" or "lives by reading"."""
    chance = f"{line.end.chance:.0%} to live"
    likely = {"captured": f"likely dead, {chance}", "lives": f"likely lives, {chance}", "open": f"open, {chance}"}
    end = _PROOFS.get(line.end.proof, likely[line.outcome])
    ko = f" by the ko at {gtp_name(line.ko, side)}" if line.ko is not None else ""
    return f"{end}{' in seki' if line.seki else ''}{ko}"


def line_text(line: GroupLine, side: int) -> str:
    """Return who moves first, the moves, and what becomes of the group."""
    moves = " ".join(gtp_name(point, side) for point in line.moves)
    return f"{colour_name(line.first)} first: {moves + ': ' if moves else ''}{end_text(line, side)}"


def status_text(status: GroupStatus) -> str:
    """Return the verdict, then both lines, each with its moves as numbers on the board."""
    parts = [verdict(status)]
    for line in status.lines:
        parts += ["", line_text(line, status.game.side)]
        if line.moves:
            parts.append(_diagram(status.game, line))
    return "\n".join(parts)


def status_json(status: GroupStatus) -> dict[str, Any]:
    """Return the status of a group as JSON values."""
    side = status.game.side
    return {
        "group": [gtp_name(point, side) for point in status.chain.points],
        "colour": colour_name(status.chain.colour),
        "status": status.status,
        "lines": [_line_json(line, side) for line in status.lines],
    }


def _line_json(line: GroupLine, side: int) -> dict[str, Any]:
    return {
        "first": colour_name(line.first),
        "moves": [gtp_name(point, side) for point in line.moves],
        "outcome": line.outcome,
        "proof": line.end.proof or None,
        "chance": round(line.end.chance, 4),
        "ko": None if line.ko is None else gtp_name(line.ko, side),
        "seki": line.seki,
    }


def _diagram(game: Game, line: GroupLine) -> str:
    """Return the board with the numbers of the line's moves, each point with its first move."""
    stones, marks = game.position.stones, dict[int, str]()
    for number, point in enumerate(line.moves, 1):
        if point != pass_point(game.side) and not stones.flat[point]:
            marks.setdefault(point, str(number))
    return text_diagram.render_text(np.asarray(stones), marks=marks)
