"""Many games in, one estimate a game out: positions are evaluated in batches, memory stays bounded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from goban.scoring import RULESETS, Ruleset
from ownership.estimate import Estimate, estimate
from ownership.evaluator import Evaluator, Opinion
from preprocessing.record import Game
from preprocessing.sources import BadRecord

DEFAULT_RULES = "area"
_CHUNK = 64


@dataclass(frozen=True)
class ScoreOptions:
    """What to score: the position after `move` moves (None: the last), under which rules and komi.

    ruleset, komi: None takes the record's, area rules where it names none. symmetries: 1 or 8.
    """

    move: int | None = None
    ruleset: Ruleset | None = None
    komi: float | None = None
    symmetries: int = 8


@dataclass(frozen=True, eq=False)
class ScoredGame:
    """A position of a game and what it is worth.

    moves: moves played before it. model: who says so. policy: float32 (N*N + 1), the probability of the next move by
    flat index, the last being a pass; None where the model does not know it.
    """

    game: Game
    moves: int
    position: Position
    estimate: Estimate
    model: str
    policy: NDArray[np.float32] | None = None


def score_games(
    records: Iterable[Game | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> Iterator[ScoredGame | BadRecord]:
    """Yield one answer a record, in the order of the records.

    A bad record, or a game without the asked move, gives a BadRecord. No more than 64 games are held at a time.
    """
    records = iter(records)
    while chunk := list(islice(records, _CHUNK)):
        yield from _score_chunk(chunk, evaluator, options)


def _score_chunk(
    records: Sequence[Game | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> list[ScoredGame | BadRecord]:
    checked = [_with_move(record, options.move) for record in records]
    games = [record for record in checked if isinstance(record, Game)]
    scored: dict[int, ScoredGame] = {}
    for side in sorted({game.side for game in games}):
        group = [game for game in games if game.side == side]
        positions = [game.position(options.move) for game in group]
        opinions = evaluator.evaluate(positions, options.symmetries)
        for game, position, opinion in zip(group, positions, opinions, strict=True):
            answer = _estimate(game, position, opinion, options)
            moves = _moves(game, options)
            scored[id(game)] = ScoredGame(game, moves, position, answer, evaluator.name, opinion.policy)
    return [scored[id(record)] if isinstance(record, Game) else record for record in checked]


def _with_move(record: Game | BadRecord, move: int | None) -> Game | BadRecord:
    """Return the record, or a BadRecord for a game that has no such move."""
    if not isinstance(record, Game) or move is None or 0 <= move <= len(record.moves):
        return record
    return BadRecord(record.source, "move", f"expected a move number 0..{len(record.moves)}. Received: {move}")


def _moves(game: Game, options: ScoreOptions) -> int:
    return len(game.moves) if options.move is None else options.move


def _estimate(game: Game, position: Position, opinion: Opinion, options: ScoreOptions) -> Estimate:
    ruleset = options.ruleset or RULESETS[game.rules or DEFAULT_RULES]
    komi = game.komi if options.komi is None else options.komi
    agreed = _moves(game, options) == len(game.moves) and _ended_by_agreement(game)
    return estimate(
        position,
        opinion.ownership,
        ruleset,
        komi,
        handicap=game.handicap,
        agreed=agreed,
        deviation=opinion.deviation,
    )


def _ended_by_agreement(game: Game) -> bool:
    """Return whether the record ends with two passes or gives a counted result."""
    passes = [int(point) == game.side * game.side for point in game.moves[-2:]]
    return game.result.score is not None or (len(passes) == 2 and all(passes))
