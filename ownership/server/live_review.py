"""Reviews that are sent while the search goes through the game: first by the network alone, then deeper."""

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import chain, pairwise, takewhile
from typing import Any, Final

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from goban.coords import colour_name
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.review.move_losses import ReviewedMove, largest_mistakes, noise, reviewed_moves
from ownership.review.review_json import players_json, position_json
from ownership.review.review_text import MOST_MISTAKES
from ownership.review.searched_positions import ReviewedPosition, review, search_positions
from ownership.review.write_analysis import reviewed_record
from ownership.scoring.score_games import with_move
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from ownership.scoring.timeline import smooth_scores, smooth_wins, timeline
from ownership.server.kept_reviews import KeptReviews
from ownership.server.request_limits import MOST_REVIEWED
from ownership.server.requests import ReviewRequest
from ownership.server.threaded_work import Interrupted

_SHARE: Final = 8  # by which the visits of the last pass are divided in the one before
_LEAST: Final = 8  # visits of a pass between the first and the last
_SHORT: Final = 4 * _LEAST  # visits of a last pass, below which there is none between

Lines = Generator[dict[str, Any]]


def passes(visits: int) -> list[int]:
    """Return the visits of the searches of each pass through the game, given the visits of the last pass."""
    return sorted({1, visits, *([max(_LEAST, visits // _SHARE)] if visits >= _SHORT else [])})


def review_lines(asked: ReviewRequest, evaluator: Evaluator, kept: KeptReviews, interrupted: Interrupted) -> Lines:
    """Yield the lines of a review, which docs/serve.md describes, until it is done or interrupted.

    A review that was interrupted goes on where it was, if `kept` still has its positions. Raises InputError for a model
    without a policy, or more than MOST_REVIEWED moves.
    """
    game, visits = asked.game, asked.visits
    if len(game.move_points) > MOST_REVIEWED:
        raise InputError(f"expected {MOST_REVIEWED} moves at most in a review. Received: {len(game.move_points)}")
    [end] = timeline(game, evaluator, asked.options, [len(game.move_points)])
    for each in passes(visits):
        with closing(_positions(replace(asked, visits=each), end, evaluator, kept, interrupted)) as positions:
            if each == 1:
                lines = _by_network(positions, passes(visits))
            else:
                lines = _searched(positions, each, asked.record if each == visits else None)
            yield from takewhile(lambda _: not interrupted(), lines)


def _positions(
    asked: ReviewRequest, end: ScoredGame, evaluator: Evaluator, kept: KeptReviews, interrupted: Interrupted
) -> Generator[ReviewedPosition]:
    """Yield the positions of a pass, as far as possible those that were searched before."""
    found = list(kept.get(asked))
    yield from found
    left = range(len(found), len(asked.game.moves) + 1)
    if not left:
        return
    try:
        with closing(search_positions(end, evaluator, asked.visits, left, interrupted)) as positions:
            for position in positions:
                if interrupted():  # the search of this one was cut short
                    return
                found.append(position)
                yield position
    finally:
        kept.put(asked, found)


def searched_position(
    game: GameRecord, evaluator: Evaluator, options: ScoreOptions, visits: int, interrupted: Interrupted
) -> dict[str, Any]:
    """Return one searched position as JSON values; raise InputError."""
    move = len(game.move_points) if options.move is None else options.move
    if isinstance(wrong := with_move(game, move), BadRecord):
        raise InputError(str(wrong))
    [position] = review(game, evaluator, options, visits, [move], interrupted)
    to_move = colour_name(position.scored.position.to_move).lower()
    return position_json(position, None) | {"to_move": to_move}


def _by_network(positions: Iterator[ReviewedPosition], visits: list[int]) -> Lines:
    """Yield the lines of the pass without search: the heading, then each position.

    The scores and win rates are means that do not alternate with the side to move.
    """
    before: ReviewedPosition | None = None
    for now, after in pairwise(chain(positions, [None])):
        assert now is not None
        if before is None:
            yield _heading(now, visits)
        around = [each for each in (before, now, after) if each is not None]
        scored, middle = [each.scored for each in around], int(before is not None)
        mean, wins = float(smooth_scores(scored)[middle]), smooth_wins(scored)[middle]
        line = position_json(now, None) | {"black_wins": None if wins is None else round(wins, 4)}
        moved = {
            name: round(line[name] + mean - now.score, 4) for name in ("score", "low", "high") if line[name] is not None
        }
        yield {"kind": "position"} | line | moved
        before = now
    yield _end([], 1)


def _searched(positions: Iterator[ReviewedPosition], visits: int, record: bytes | None) -> Lines:
    """Yield the lines of a pass with searches; the last has the record with its review if `record` is given."""
    searched: list[ReviewedPosition] = []
    moves: list[ReviewedMove] = []
    for before, now in pairwise(chain([None], positions)):
        assert now is not None
        found = [] if before is None else reviewed_moves([before, now])
        moves += found
        if record is not None:
            searched.append(now)
        yield {"kind": "position"} | position_json(now, found[0] if found else None)
    analysis = {} if record is None else {"sgf": reviewed_record(record, searched, moves).decode()}
    yield _end(moves, visits) | analysis


def _heading(first: ReviewedPosition, visits: list[int]) -> dict[str, Any]:
    scored = first.scored
    return {
        "kind": "game",
        "side": scored.game.side,
        "moves": len(scored.game.move_points),
        "rules": scored.estimate.rules,
        "komi": scored.estimate.komi,
        "noise": round(noise(scored.game.side), 4),
        "passes": visits,
    }


def _end(moves: list[ReviewedMove], visits: int) -> dict[str, Any]:
    """Return the last line of a pass: the largest mistakes, and how accurate the players were."""
    costly = [move.number for move in largest_mistakes(moves, MOST_MISTAKES)]
    return {"kind": "pass", "visits": visits, "mistakes": costly, "players": players_json(moves)}
