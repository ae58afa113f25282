"""Whether the count of a game that was played to the end can be trusted."""

from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.errors import plural
from preprocessing.records.game import GameRecord


def refusal_of(game: GameRecord, end: Estimate) -> tuple[str, str] | None:
    """Return (reason, detail) if the count at the end of a game cannot be trusted, else None."""
    if (game.moves[-2:] != pass_point(game.side)).any():
        return "too long", f"{plural(len(game.moves), 'move')} on {game.side**2} points"
    if not end.finished:
        return "not finished", f"{plural(int((~end.decided).sum()), 'point')} open"
    if not end.safe:
        return (
            "in doubt",
            f"{len(end.in_doubt)} chains in doubt, {int(end.uncertain_points.sum())} empty points uncertain",
        )
    return None
