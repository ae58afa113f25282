"""Who owns what, and the score: of one position, or of many games, whose positions are evaluated in batches."""

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goban.coords import EMPTY, gtp_name, parse_gtp, pass_point
from goban.counting.estimate import DISPUTED, Estimate, estimate
from goban.counting.score import owners
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Ruleset, parse_rules
from ownership.inference.evaluator import Evaluator, Prediction
from preprocessing.labels.gnugo import GnuGo, GnuGoError, plays
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord

DEFAULT_RULES = "area"
_CHUNK = 64
_PASSES = 2
_SECOND_HAND = 0.95  # ownership of a point that GNU Go gives to somebody: sure, but not so sure that it is no dame


@dataclass(frozen=True)
class Word:
    """The players' word on chains, each named by a GTP vertex of one of its stones; it goes before the model's."""

    dead: Sequence[str] = ()
    alive: Sequence[str] = ()
    seki: Sequence[str] = ()

    def __bool__(self) -> bool:
        """Whether they said anything."""
        return bool(self.dead or self.alive or self.seki)


@dataclass(frozen=True)
class ScoreOptions:
    """What to score: the position after `move` moves (None: the last), under which rules and komi.

    ruleset, komi: None takes the record's, area rules where it names none. symmetries: 1 or 8. word: of the players.
    referee: plays games that ended, but cannot safely be counted, to the end, and decides where the model is in doubt.
    """

    move: int | None = None
    ruleset: Ruleset | None = None
    komi: float | None = None
    symmetries: int = 8
    word: Word = field(default_factory=Word)
    referee: GnuGo | None = None


@dataclass(frozen=True, eq=False)
class ScoredGame:
    """A position of a game and what it is worth.

    moves: moves played before it. model: who says so. policy: float32 (N*N + 1), the probability of the next move by
    flat index, the last being a pass; None where the model does not know it, and at the end. second_opinion: who
    decided about chains in dispute, None for the model alone.
    """

    game: GameRecord
    moves: int
    position: Position
    estimate: Estimate
    model: str
    policy: NDArray[np.float32] | None = None
    second_opinion: str | None = None


def score_position(
    position: Position,
    rules: str = "japanese",
    komi: float = 6.5,
    *,
    handicap: int = 0,
    ended: bool = True,
    word: Word | None = None,
    evaluator: Evaluator | None = None,
) -> Estimate:
    """Return who owns what in a position, and its score.

    Args:
        position: with its prisoners, which territory rules count.
        rules: a name of `goban.counting.score.RULESETS`, or another spelling of it.
        komi: points for White. handicap: stones that some rules pay White for.
        ended: whether the players ended the game here, so that it is counted whatever it looks like; of a game that
            goes on the expected score is told.
        word: what they say about chains.
        evaluator: the model; None for the bundled one, which is loaded once.

    Raises:
        InputError: unknown rules, or a vertex without a stone.
    """
    ruleset = parse_rules(rules)
    if ruleset is None:
        raise InputError(f"rules must be one of {', '.join(RULESETS)}. Received: {rules}")
    judged = after_passes(position) if ended else position
    [prediction] = (evaluator or _bundled()).evaluate([judged], 8)
    word = word or Word()
    known = _known(position, word) if ended or word else None
    return estimate(
        position,
        prediction.ownership,
        ruleset,
        komi,
        handicap=handicap,
        agreed=ended,
        deviation=prediction.deviation,
        known=known,
        seki=_stones(position, word.seki),
    )


def score_games(
    records: Iterable[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> Iterator[ScoredGame | BadRecord]:
    """Yield one answer a record, in the order of the records.

    A bad record, or a game without the asked move, gives a BadRecord. No more than 64 games are held at a time.
    """
    records = iter(records)
    while chunk := list(islice(records, _CHUNK)):
        yield from _score_chunk(chunk, evaluator, options)


def after_passes(position: Position) -> Position:
    """Return the position after the passes that end a game, those counted that were the last moves."""
    there = 0
    while there < min(_PASSES, len(position.recent)) and position.recent[there] == pass_point(position.side):
        there += 1
    for _ in range(_PASSES - there):
        position = position.play(pass_point(position.side))
    return position


@cache
def _bundled() -> Evaluator:
    return Evaluator.load()


class _Case(NamedTuple):
    """A position to score. ended: whether the record ends here by agreement."""

    game: GameRecord
    position: Position
    prediction: Prediction
    ended: bool


def _score_chunk(
    records: Sequence[GameRecord | BadRecord], evaluator: Evaluator, options: ScoreOptions
) -> list[ScoredGame | BadRecord]:
    checked = [_with_move(record, options.move) for record in records]
    games = [record for record in checked if isinstance(record, GameRecord)]
    scored: dict[int, ScoredGame] = {}
    for side in sorted({game.side for game in games}):
        cases = _cases([game for game in games if game.side == side], evaluator, options)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(partial(_score, options=options), cases))
        for case, (answer, second) in zip(cases, answers, strict=True):
            game, policy = case.game, None if case.ended else case.prediction.policy
            moves = _moves(game, options)
            scored[id(game)] = ScoredGame(game, moves, case.position, answer, evaluator.name, policy, second)
    return [scored[id(record)] if isinstance(record, GameRecord) else record for record in checked]


def _cases(games: list[GameRecord], evaluator: Evaluator, options: ScoreOptions) -> list[_Case]:
    """Return the cases of games of one board side, with what the model says about them."""
    positions = [game.position(options.move) for game in games]
    ended = [_ended(game, options) for game in games]
    judged = [after_passes(each) if over else each for each, over in zip(positions, ended, strict=True)]
    predictions = evaluator.evaluate(judged, options.symmetries)
    return [_Case(*parts) for parts in zip(games, positions, predictions, ended, strict=True)]


def _score(case: _Case, options: ScoreOptions) -> tuple[Estimate, str | None]:
    """Return the estimate, and who decided where the model is in doubt, None if nobody was asked."""
    answer = _estimated(case, options)
    if options.referee is None or not case.ended or answer.safe or not plays(case.game.side):
        return answer, None
    try:
        finished = options.referee.finish(case.game)
    except GnuGoError:
        return answer, None
    owner = owners(finished, np.zeros(finished.shape, np.bool_))
    settled = answer.decided & (answer.doubt < DISPUTED)
    ownership = np.where(settled, case.prediction.ownership, _SECOND_HAND * owner).astype(np.float32)
    second = _estimated(case._replace(prediction=replace(case.prediction, ownership=ownership)), options)
    return replace(second, safe=False, ownership=answer.ownership), options.referee.version()


def _estimated(case: _Case, options: ScoreOptions) -> Estimate:
    game, word = case.game, options.word
    return estimate(
        case.position,
        case.prediction.ownership,
        options.ruleset or RULESETS[game.rules or DEFAULT_RULES],
        game.komi if options.komi is None else options.komi,
        handicap=game.handicap,
        agreed=case.ended,
        deviation=case.prediction.deviation,
        known=_known(case.position, word) if word else None,
        seki=_stones(case.position, word.seki),
    )


def _with_move(record: GameRecord | BadRecord, move: int | None) -> GameRecord | BadRecord:
    """Return the record, or a BadRecord for a game that has no such move."""
    if not isinstance(record, GameRecord) or move is None or 0 <= move <= len(record.moves):
        return record
    return BadRecord(record.source, "move", f"expected a move number 0..{len(record.moves)}. Received: {move}")


def _moves(game: GameRecord, options: ScoreOptions) -> int:
    return len(game.moves) if options.move is None else options.move


def _ended(game: GameRecord, options: ScoreOptions) -> bool:
    """Return whether the record ends here, with two passes or a counted result."""
    passes = [int(point) == pass_point(game.side) for point in game.moves[-_PASSES:]]
    agreed = game.result.score is not None or (len(passes) == _PASSES and all(passes))
    return agreed and _moves(game, options) == len(game.moves)


def _known(position: Position, word: Word) -> NDArray[np.int8]:
    """Return int8 (N, N): 1 for stones that live by the players' word, -1 for dead ones, 0 for the others."""
    known = np.zeros(position.stones.shape, np.int8)
    for vertices, status in ((word.alive, 1), (word.seki, 1), (word.dead, -1)):
        stones = _stones(position, vertices)
        if (contradicted := stones & (known != 0) & (known != status)).any():
            vertex = gtp_name(int(np.flatnonzero(contradicted)[0]), position.side)
            raise InputError(f"expected one word on each chain. Received: {vertex} dead and alive")
        known[stones] = status
    return known


def _stones(position: Position, vertices: Sequence[str]) -> NDArray[np.bool_]:
    """Return bool (N, N): the stones of the chains that have a stone at one of the vertices; raise InputError."""
    ids = position.chain_ids()
    found = np.zeros(ids.shape, np.bool_)
    for vertex in vertices:
        point = parse_gtp(vertex, position.side)
        if point == pass_point(position.side) or position.stones.flat[point] == EMPTY:
            raise InputError(f"expected a vertex with a stone. Received: {vertex}")
        found |= ids == ids.flat[point]
    return found
