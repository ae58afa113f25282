"""Pictures of scored positions, as `score` and `show` draw them."""

import sys
from typing import Final, get_args

from game_records.game_record import GameRecord
from goban.errors import InputError, plural
from ownership.scoring.scored_game import ScoredGame
from ownership.scoring.timeline import players, seki_at_end
from viz.board import Look, Style, draw_board, draw_ownership, draw_policy, draw_territory
from viz.figure import STONES
from viz.fonts import missing_letters

STYLES: Final[dict[str, Style]] = {style: style for style in get_args(Style)}  # of the ownership, by view


def draw_scored(scored: ScoredGame, look: Look, view: str = "auto", finished: bool | None = None) -> None:
    """Draw a scored position.

    Args:
        scored: the position.
        look: where and how.
        view: "board", "policy", "territory" or a style of the ownership; "auto" is territory for a finished position,
            as it is counted, and squares for others.
        finished: whether this position and all that are drawn beside it are finished; None for one alone.

    Raises:
        InputError: the policy of a model that predicts no move.
    """
    stones, answer = scored.position.stones, scored.estimate
    finished = answer.finished if finished is None else finished
    if view == "auto":
        view = "territory" if finished else "squares"
    look = {"last": latest_move(scored), **look}
    if view == "territory":
        marks = {"dead": answer.dead, "seki": seki_at_end(scored), "gaps": answer.gaps}
        draw_territory(stones, answer.owner, **marks, finished=finished, **look)
    elif view == "policy":
        if scored.policy is None:
            raise InputError(
                f"--view policy: model {scored.model} predicts no move after {plural(scored.move, 'move')}"
            )
        draw_policy(stones, scored.policy, **look)
    elif view == "board":
        draw_board(stones, **look)
    else:
        draw_ownership(stones, answer.ownership, style=STYLES[view], dead=answer.dead, **look)


def latest_move(scored: ScoredGame) -> int | None:
    """Return the flat index of the last move, N*N for a pass, or None before the first."""
    recent = scored.position.recent
    return recent[0] if recent else None


def heading(game: GameRecord) -> str:
    """Return both players with stones of their colours; print a line on stderr if no font has some letters."""
    names = players(game, STONES)
    if missing := missing_letters(names):
        advice = "install a font that has them, such as Debian's fonts-noto-cjk"
        print(f"ownership: no font has {missing}; boxes stand in their place: {advice}", file=sys.stderr)
    return names
