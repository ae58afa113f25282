"""GoGui's displays of a search, painted while it runs and once more when it ends."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from goban.coords import colour_name, gtp_name
from goban.counting.counted_score import format_result
from goban.errors import plural
from goban.game import Game
from gogui_plugin import gogui_graphics
from gogui_plugin.gogui_graphics import numbered_moves, paint
from gogui_plugin.gtp import Command
from gogui_plugin.session import Action, Session
from ownership.search.mcts.tree_result import TreeResult
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

Painter = Callable[[Session, Game, TreeSearch], list[str]]
"""Returns the lines of graphics that show the result of a search."""

_INTERVAL: Final = 0.25  # seconds between two paintings
_LONGEST_VARIATION: Final = 12
_LABELLED: Final = 10
_COLD: Final = np.array((90, 150, 220))
_HOT: Final = np.array((230, 40, 20))


def paint_best_line(session: Session, game: Game, search: TreeSearch) -> list[str]:
    """Show the best line as numbered stones."""
    result = search.result()
    return [
        numbered_moves(result.line[:_LONGEST_VARIATION], game.position.to_move, game.side),
        _summary(session, game, result),
    ]


def paint_visits(session: Session, game: Game, search: TreeSearch) -> list[str]:
    """Show the moves that were visited, in colours from blue for few visits to red for most, with their numbers."""
    result, lines = search.result(), []
    moves = [move for move in result.moves if move.point < game.side**2]
    most = max((move.visits for move in moves), default=1)
    for move in moves:
        mixed = _COLD + (move.visits / most) ** 0.5 * (_HOT - _COLD)
        colour = "".join(f"{round(part):02x}" for part in mixed.tolist())
        lines.append(f"COLOR #{colour} {gtp_name(move.point, game.side)}")
    labels = " ".join(f"{gtp_name(move.point, game.side)} {_short(move.visits)}" for move in moves[:_LABELLED])
    return [*lines, f"LABEL {labels}" if labels else "", _summary(session, game, result)]


def paint_ownership(session: Session, game: Game, search: TreeSearch) -> list[str]:
    """Show the ownership averaged over the tree as squares."""
    whole, _ = search.ownership()
    return [gogui_graphics.influence(whole.mean), _summary(session, game, search.result())]


def searching(painter: Painter) -> Action:
    """Return the action that searches for the seconds of the settings, or less if the client sends anything."""
    return partial(_search, painter)


def _search(painter: Painter, session: Session, _: Command) -> str:
    game = session.turn().game
    stream = session.stream(game, Limits(seconds=session.settings.search_seconds))
    for search in stream.every(_INTERVAL):
        paint(painter(session, game, search))
    paint(["CLEAR"])
    return gogui_graphics.graphics(painter(session, game, stream.search))


def _summary(session: Session, game: Game, result: TreeResult) -> str:
    root, colour = result.root, game.position.to_move
    score, best = format_result(round(root.score, 1)), gtp_name(result.move, game.side)
    return (
        f"TEXT {session.terms_text}: {score}, {colour_name(colour)} wins {root.wins_for(colour):.0%}, "
        f"best {best}, {plural(root.visits, 'visit')}"
    )


def _short(count: int) -> str:
    """Return a number that fits on a point."""
    return str(count) if count < 10_000 else f"{count // 1000}k"
