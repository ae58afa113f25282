"""The positions that a teacher labels: plies of records, some of them after further moves."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.rows import Row, encode_points
from game_records.game_record import GameRecord
from goban.coords import BLACK, WHITE, pass_point
from goban.position import Position
from ownership.inference.evaluator import Evaluator

_MOST_FURTHER: Final = 8  # moves after the record's
_FINISHED_FROM: Final = 0.5  # of a game's moves; boards before are rarely taken for finished ones
_SET_UP: Final = 0.3  # of the finished boards, the others being asked about after two passes
_PASSES: Final = 2
_LEAST_CHANCE: Final = 1e-30


@dataclass(frozen=True)
class PositionChoice:
    """Which positions are labelled.

    Attributes:
        every: plies between positions of a game, at least 1; its last position is always one of them.
        further: share of the others, 0..1, that get 1 to 8 further moves.
        temperature: of the policy from which these are drawn; None draws any legal moves.
        seed: of all random choices, 0 or more.
        finished: boards of a game, 0 or more, that are labelled as finished ones; see `finished_boards`.
    """

    every: int
    further: float
    temperature: float | None
    seed: int
    finished: int = 0


class Question:
    """A position and how it came about.

    Attributes:
        record: the game that it comes from.
        ply: moves of the record before it.
        position: the position.
        left: further moves to be played before the position is labelled.
        source: where the position comes from, for people; by default the record's, and the ply.

    Its further moves depend on the seed, the game's id and the ply alone, and on the policy.
    """

    def __init__(
        self, record: GameRecord, ply: int, position: Position, left: int, seed: int, source: str = ""
    ) -> None:
        self.record, self.ply, self.position, self.left = record, ply, position, left
        self.source = source or f"{record.source} after {ply} moves"
        self._chance = np.random.default_rng((seed, int(record.id, 16), ply))
        self._further: list[tuple[int, int]] = []

    def play_on(self, policy: NDArray[np.float32] | None, temperature: float) -> None:
        """Play one further move, drawn from the legal ones or, given a policy float32 (N*N + 1), by that."""
        legal = self.position.legal_points()
        chances = np.zeros(len(legal)) if policy is None else np.log(np.maximum(policy, _LEAST_CHANCE)) / temperature
        if policy is None and legal[:-1].any():
            legal[-1] = False
        # The largest of these sums is drawn with the probability of its move (Gumbel).
        sums = np.where(legal, chances + self._chance.gumbel(size=len(legal)), -math.inf)
        move, colour = int(sums.argmax()), self.position.to_move
        self.position = self.position.play(move)
        self._further.append((move, colour))
        self.left -= 1

    def columns(self) -> Row:
        """Return the columns of a soft row that identify the position."""
        record, setup = self.record, np.flatnonzero(self.record.setup)
        points, colours = zip(*self._further, strict=True) if self._further else ((), ())
        further = f" and {len(points)} others" if points else ""
        return {
            "source": f"{self.source}{further}",
            "side": record.side,
            "setup": encode_points(setup, record.setup[setup]),
            "moves": encode_points(
                _extended(record.move_points[: self.ply], points), _extended(record.move_colours[: self.ply], colours)
            ),
            "to_move": self.position.to_move,
        }


def questions(record: GameRecord, choice: PositionChoice, first: int = 0) -> list[Question]:
    """Return the positions of a game to label, from the ply `first` on, the same for the same arguments."""
    positions, last = list(record.positions()), len(record.move_points)
    chance = np.random.default_rng((choice.seed, int(record.id, 16)))
    questions = []
    for ply in sorted({*range(first, last, choice.every), last}):
        goes_on = chance.random() < choice.further and ply < last
        left = int(chance.integers(1, _MOST_FURTHER, endpoint=True)) if goes_on else 0
        questions.append(Question(record, ply, positions[ply], left, choice.seed))
    return questions + finished_boards(record, choice, first)


class FinishedBoard(Question):
    """A board on which the players may have ended the game, with one side to move, as `ownership score` asks about it.

    Its row has the position after two passes, or sets it up without moves. The teacher evaluates only the board: after
    two passes, networks of KataGo expect dead stones to stay.
    """

    def __init__(self, record: GameRecord, ply: int, board: Position, to_move: int, set_up: bool) -> None:
        asked = Position.from_stones(board.stones, to_move)
        super().__init__(record, ply, asked, 0, 0, f"{record.source} after {ply} moves, as if finished")
        self._set_up = set_up

    def columns(self) -> Row:
        """Return the columns of a soft row that identify the position."""
        if self._set_up:
            stones = self.position.stones.ravel()
            setup = np.flatnonzero(stones)
            codes = {
                "setup": encode_points(setup, stones[setup]),
                "moves": encode_points(np.array([], np.int16), np.array([], np.int8)),
            }
            return super().columns() | codes
        one = -self.position.to_move
        self._further = [(pass_point(self.record.side), -one), (pass_point(self.record.side), one)]
        return super().columns() | {"source": self.source}


def finished_boards(record: GameRecord, choice: PositionChoice, first: int = 0) -> list[Question]:
    """Return the questions about boards of a game as finished ones, two for each, with either side to move.

    The last position is one of these boards if any is chosen, the others come from the second half of the game.
    """
    positions, last = list(record.positions()), record.moves_before_passes
    chance = np.random.default_rng((choice.seed, int(record.id, 16), 1))
    earliest = min(last, max(first, int(last * _FINISHED_FROM)))
    plies = {last, *chance.integers(earliest, last, max(0, choice.finished - 1), endpoint=True).tolist()}
    return [
        FinishedBoard(record, ply, positions[ply], colour, bool(chance.random() < _SET_UP))
        for ply in (sorted(plies) if choice.finished else ())
        for colour in (BLACK, WHITE)
    ]


def play_further(questions: Sequence[Question], player: Evaluator | None, temperature: float | None) -> None:
    """Play the further moves of questions about one board side: any, or by a player's policy at a temperature."""
    while going := [question for question in questions if question.left]:
        if temperature is None:
            for question in going:
                question.play_on(None, 1.0)
            continue
        assert player is not None
        answers = player.evaluate([question.position for question in going])
        for question, answer in zip(going, answers, strict=True):
            question.play_on(answer.policy, temperature)


def _extended(values: NDArray[Any], more: Sequence[int]) -> NDArray[np.int16]:
    return np.concatenate([values.astype(np.int16), np.array(more, np.int16)])
