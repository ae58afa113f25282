"""Games played to the end by a policy, any number of them in step and evaluated in one batch."""

from collections.abc import Callable, Sequence

from game_records.game_record import GameRecord
from goban.coords import pass_point
from goban.counting.estimate import Estimate
from goban.errors import plural
from ownership.inference.evaluator import Evaluator
from ownership.selfplay.branched_game import BranchedGame
from ownership.selfplay.branched_game_plans import Plan
from ownership.selfplay.planned_game import PlannedGame
from ownership.selfplay.weak_game import WeakGame
from ownership.selfplay.weak_game_plans import WeakPlan

Ended = Callable[[int], None]


def play_games(plans: Sequence[Plan | WeakPlan], evaluator: Evaluator, ended: Ended) -> list[GameRecord]:
    """Return the games of some plans, of any board sides.

    Args:
        plans: one for each game.
        evaluator: its model has a policy.
        ended: receives how many games ended, as soon as they do.

    A game ends with two passes, or after LONGEST moves for each point of the board.
    """
    games = [WeakGame(plan) if isinstance(plan, WeakPlan) else BranchedGame(plan) for plan in plans]
    for side in sorted({plan.record.side for plan in plans}):
        _play([game for game in games if game.position.side == side], evaluator, ended)
    return [game.record() for game in games]


def _play(games: "Sequence[PlannedGame]", evaluator: Evaluator, ended: Ended) -> None:
    while games:
        predictions = evaluator.evaluate([game.position for game in games])
        for game, prediction in zip(games, predictions, strict=True):
            assert prediction.policy is not None
            game.advance(prediction.policy)
        going_on = [game for game in games if not game.is_over]
        ended(len(games) - len(going_on))
        games = going_on


def refusal_of(game: GameRecord, end: Estimate) -> tuple[str, str] | None:
    """Return (reason, detail) if the count at the end of a game cannot be trusted, else None."""
    if (game.move_points[-2:] != pass_point(game.side)).any():
        return "too long", f"{plural(len(game.move_points), 'move')} on {game.side**2} points"
    if not end.finished:
        return "not finished", f"{plural(int((~end.decided).sum()), 'point')} open"
    if not end.safe:
        return (
            "in doubt",
            f"{len(end.in_doubt)} chains in doubt, {int(end.uncertain_points.sum())} empty points uncertain",
        )
    return None
