"""A game, position by position: the estimates, and the moves that changed most."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from game_records.assumed_terms import assumed_terms
from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.result_property import Result
from goban.array_types import Mask
from goban.coords import BLACK, gtp_name
from goban.errors import plural
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_figures import outcome_text
from ownership.scoring.score_games import score_game, score_games, usable, with_move
from ownership.scoring.scored_game import ScoredGame, ScoreOptions

_LONGEST_NAME = 28
_OPEN = Result(0, None, "unknown", "")


@dataclass(frozen=True)
class Change:
    """The changes by a move that the answer to it did not undo.

    Attributes:
        move: its number, from 1.
        points: how many points changed hands; one that goes from Black's for certain to White's for certain is one.
        gain: Black's gain in points of score, negative for White's.
    """

    move: int
    points: float
    gain: float


def timeline(
    game: GameRecord, evaluator: Evaluator, options: ScoreOptions, plies: Sequence[int]
) -> Iterator[ScoredGame]:
    """Yield the score of the game after each number of moves in `plies`; only the last position has the result.

    Where the record names no rules or komi, all positions are scored by what the whole game is counted by. Raises
    InputError for a number of moves that the game does not have, as they come. `options.move` is not read.
    """
    options = replace(options, move=None)
    assumed = assumed_terms(game, options.rules, options.komi)
    if assumed:
        terms = score_game(game, evaluator, options).estimate.terms
        options = replace(options, rules=terms.ruleset, komi=terms.komi)
    for answer in score_games((_beginning(game, ply) for ply in plies), evaluator, options):
        yield replace(usable(answer), game=game, assumed=assumed)


def smooth_scores(scored: Sequence[ScoredGame]) -> NDArray[np.float64]:
    """Return float64 (M + 1,): expected scores that do not alternate with the side to move, Black's lead in points.

    Models undervalue the turn to move, so that the expected score rises by each move for the side that played it. The
    mean of a position, counted twice, and its two neighbours is free of this. Counted scores stay.

    Args:
        scored: from `timeline`, the position before the first move and after every move.
    """
    scores = np.array([each.estimate.score for each in scored])
    return np.where([each.estimate.finished for each in scored], scores, _smoothed(scores))


def smooth_wins(scored: Sequence[ScoredGame]) -> list[float | None]:
    """Return Black's probabilities of winning, averaged as `smooth_scores` averages scores; None for counted ones."""
    means = _smoothed(np.array([each.estimate.wins_for(BLACK) for each in scored])).tolist()
    return [None if each.estimate.finished else mean for each, mean in zip(scored, means, strict=True)]


def _smoothed(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if len(values) == 1:
        return values
    between = (values[:-1] + values[1:]) / 2
    return (np.append(between[:1], between) + np.append(between, between[-1:])) / 2


def changes(scored: Sequence[ScoredGame]) -> list[Change]:
    """Return the lasting change by each move, from the positions before the first move and after every move.

    At each point it is the change by the move, as far as it is still there after the answer.
    """
    ownership = [each.estimate.ownership for each in scored]
    found = []
    for number, (before, after) in enumerate(pairwise(ownership), 1):
        change, later = after - before, ownership[min(number + 1, len(ownership) - 1)] - before
        lasting = np.sign(change) * np.clip(np.sign(change) * later, 0, np.abs(change))
        points = float(np.abs(lasting).sum(dtype=np.float64)) / 2
        found.append(Change(scored[number].move, points, float(lasting.sum(dtype=np.float64))))
    return found


def seki_at_end(scored: ScoredGame) -> Mask:
    """Return bool (N, N): the stones in seki at the end of the game. Before it there are none: seki may not last."""
    is_end = scored.move == len(scored.game.move_points)
    return scored.estimate.seki if is_end else np.zeros_like(scored.estimate.seki)


def players(game: GameRecord, stones: tuple[str, str] = ("", "")) -> str:
    """Return both players in one line, cut where a name is very long; `stones` stand before Black and White."""
    named = (("Black", game.black, game.black_rank), ("White", game.white, game.white_rank))
    shown = (f"{_cut(name or colour)} {rank}".strip() for colour, name, rank in named)
    return " – ".join(stone + name for stone, name in zip(stones, shown, strict=True))


def caption(scored: ScoredGame) -> str:
    """Return the number of moves, the score, rules and komi in one line, for a picture."""
    answer = scored.estimate
    return (
        f"After {scored.move:,} of {plural(len(scored.game.move_points), 'move')}: {outcome_text(answer)}, "
        f"{answer.rules} rules, komi {answer.komi:g}"
    )


def move_numbers(scored: ScoredGame, latest: int) -> dict[int, int]:
    """Return the number of the move that put each stone on the board, of the `latest` moves only, by flat index."""
    stones = scored.position.stones.ravel()
    return {point: number for number, point in _latest(scored, latest) if point < stones.size and stones[point]}


def unnumbered_moves(scored: ScoredGame, latest: int) -> list[str]:
    """Return "113 at T14" or "114 pass" for each of the `latest` moves that `move_numbers` leaves out."""
    numbers = set(move_numbers(scored, latest).values())
    side = scored.position.side
    left_out = {n: gtp_name(point, side) for n, point in _latest(scored, latest) if n not in numbers}
    return [f"{number} pass" if name == "pass" else f"{number} at {name}" for number, name in left_out.items()]


def _latest(scored: ScoredGame, count: int) -> Iterator[tuple[int, int]]:
    """Yield the number and the point of the last moves, `count` at most."""
    first = max(0, scored.move - count)
    return enumerate(scored.game.move_points[first : scored.move].tolist(), first + 1)


def _beginning(game: GameRecord, ply: int) -> GameRecord | BadRecord:
    """Return the game as it stood after `ply` moves, without its result unless these are all."""
    if not 0 <= ply < len(game.move_points):
        return with_move(game, ply)
    return replace(game, move_points=game.move_points[:ply], move_colours=game.move_colours[:ply], result=_OPEN)


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
