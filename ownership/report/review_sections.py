"""The further parts of the page of a game whose positions were searched."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from goban.coords import BLACK, WHITE, colour_name, gtp_name
from goban.position import Position
from ownership.report.page import escaped
from ownership.review.moves import PHASES, Accuracy, ReviewedMove, accuracy, mistakes, noise
from ownership.review.positions import ReviewedPosition
from ownership.scoring.timeline import move_name
from preprocessing.records.game import GameRecord

_MOST_MISTAKES: Final = 10
_LINE: Final = 10  # moves of a better line


def mistake_items(game: GameRecord, moves: Sequence[ReviewedMove]) -> Iterator[str]:
    """Yield the largest mistakes as items of a list, each with the better line to click through."""
    for move in mistakes(moves, _MOST_MISTAKES):
        number, better = move.number, gtp_name(move.best.point, game.side)
        yield (
            f'<li><a href="#{number}" data-move="{number}"><span>{number}</span>'
            f"<span>{escaped(move_name(game, number))}</span>"
            f'<span>{move.lost:.1f} points lost, <span class="soft">better {better}</span></span></a>'
            f'<div class="line">{_steps(move, game.side)}</div></li>'
        )


def _steps(move: ReviewedMove, side: int) -> str:
    """Return a button for each move of the better line, which shows the board after it."""
    names = (gtp_name(point, side) for point in move.best.line[:_LINE])
    return "".join(
        f'<button data-line="{move.number}" data-ply="{ply}">{name}</button>' for ply, name in enumerate(names, 1)
    )


def accuracy_section(moves: Sequence[ReviewedMove]) -> str:
    """Return a section with a table of both players' accuracy, in the game and by phase."""
    columns = [("", "Accuracy", *(phase.capitalize() for phase in PHASES), "Points lost a move", "Best moves")]
    for colour in (BLACK, WHITE):
        parts = [accuracy(moves, colour, phase) for phase in (None, *PHASES)]
        whole = parts[0]
        lost, best = ("", "") if whole is None else (f"{whole.mean_points_lost:.2f}", f"{whole.best_percent:.0f}%")
        columns.append((colour_name(colour), *map(_percent, parts), lost, best))
    heads, *rows = zip(*columns, strict=True)
    head = "".join(f"<th>{head}</th>" for head in heads)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<section class="wide" id="accuracy"><h2>Accuracy</h2>{table}</section>'


def review_data(positions: Sequence[ReviewedPosition], moves: Sequence[ReviewedMove]) -> dict[str, Any]:
    """Return the further values that game.js reads: bounds of the win rate, what each move did, better lines."""
    bounds = [position.black_wins_interval for position in positions]
    before = {position.moves + 1: position.scored.position for position in positions}
    return {
        "chanceLow": [round(100 * low, 1) for low, _ in bounds],
        "chanceHigh": [round(100 * high, 1) for _, high in bounds],
        "noise": noise(positions[0].scored.game.side),
        "moved": {move.number: [round(value, 1) for value in (move.lost, move.gained, move.given)] for move in moves},
        "lines": {move.number: _line(move, before[move.number]) for move in mistakes(moves, _MOST_MISTAKES)},
    }


def _line(move: ReviewedMove, position: Position) -> dict[str, Any]:
    """Return the moves of the better line, and the stones after each as digits: stone + 1."""
    points, boards = move.best.line[:_LINE], []
    for point in points:
        position = position.play(point, suicide=True)
        boards.append("".join(map(str, (position.stones.ravel() + np.int8(1)).tolist())))
    return {"colour": move.colour, "moves": points, "boards": boards}


def _percent(part: Accuracy | None) -> str:
    return "" if part is None else f"{part.accuracy_percent:.0f}%"
