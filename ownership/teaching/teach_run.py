"""The run of `ownership teach`: from the games of datasets to a soft dataset with a teacher's labels."""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, Protocol

from game_datasets.columns import SOFT
from game_datasets.manifest import claim
from game_datasets.rows import RECORD_COLUMNS, DatasetError, Row, record_of
from game_datasets.shards import Datasets, dataset_files, listed, read_shard, write_shard
from game_records.game_record import GameRecord
from goban.errors import InputError
from ownership.inference.evaluator import Evaluator
from ownership.teaching.teacher_interface import Refusal, SoftLabel, Teacher
from ownership.teaching.teacher_positions import PositionChoice, Question, play_further, questions
from runtime.folders import Folder
from runtime.workers import Workers, local_workers

TAUGHT_GAMES_A_SHARD: Final = 64

Done = Callable[[int, int], None]
LeftOut = Callable[[str, str], None]


class Source(Protocol):
    """Where the positions come from, by numbers from 0. `name` identifies the source; `unit` names what is numbered."""

    @property
    def name(self) -> str: ...

    @property
    def unit(self) -> str: ...

    def __len__(self) -> int: ...

    def questions(self, number: int, choice: PositionChoice) -> list[Question]:
        """Return the questions of a number, the same for the same arguments."""


class TaughtGames:
    """The games of split train in some datasets, each once; with a target or without.

    Of games that `ownership selfplay` made, only positions from the branch on are labelled: others are the record's.

    Attributes:
        name: their number and a hash of their ids.

    Raises:
        DatasetError: there is none.

    Holds all of them in memory.
    """

    unit: Final = "game"

    def __init__(self, datasets: Datasets) -> None:
        self._rows = {row["id"]: row for folder, name in dataset_files(datasets) for row in _usable(folder, name)}
        self._ids = list(self._rows)
        if not self._ids:
            names = ", ".join(map(str, listed(datasets)))
            raise DatasetError(f"{names}: expected games of split train, found none")
        digest = hashlib.blake2b("\n".join(self._ids).encode(), digest_size=4).hexdigest()
        self.name = f"{len(self._ids)} {digest}"

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, number: int) -> GameRecord:
        """Return a game by its number, from 0."""
        return record_of(self._rows[self._ids[number]])

    def questions(self, number: int, choice: PositionChoice) -> list[Question]:
        """Return the chosen questions about a game, from its first ply on."""
        return questions(self[number], choice, self.first_ply(number))

    def first_ply(self, number: int) -> int:
        """Return the ply of a game's first position that may be labelled."""
        return self._rows[self._ids[number]]["branch"] or 0


def _usable(folder: Folder, name: str) -> list[Row]:
    import pyarrow.compute as pc

    table = read_shard(folder, name, (*RECORD_COLUMNS, "id", "branch", "split"))
    rows: list[Row] = table.filter(pc.and_(table["moves"].is_valid(), pc.equal(table["split"], "train"))).to_pylist()
    return rows


@dataclass(frozen=True, eq=False)
class Teaching:
    """Labels positions with a teacher, and writes the labels to a soft dataset, one shard at a time.

    Attributes:
        output: the folder of the soft dataset.
        source: where the positions come from.
        teacher: labels the positions.
        choice: which positions it labels.
        player: a model with a policy, by which further moves are played where the choice has a temperature.
        shard_size: games, or what else the source numbers, in a shard.
        left_out: receives each position that the teacher refuses, as its row would name it, and the reason.

    A shard appears whole or not at all: a run that was killed goes on with the first missing one, and ends with the
    same labels.
    """

    output: Folder
    source: Source
    teacher: Teacher
    choice: PositionChoice
    player: Evaluator | None = None
    shard_size: int = TAUGHT_GAMES_A_SHARD
    left_out: LeftOut = lambda position, reason: None

    def run(self, done: Done = lambda count, positions: None, workers: Workers | None = None) -> None:
        """Label the positions that are missing.

        Args:
            done: receives how many games are done, and how many positions of them are new, shard by shard.
            workers: of a cluster, to which the teacher goes by pickling; by default this process.

        Raises:
            DatasetError: `output` holds something else.
            InputError: several workers died while they labelled the same shard.
        """
        with claim(self.output, self._options()) as written, self._used(workers) as chosen:
            waiting: deque[_Shard] = deque()
            for number, start in enumerate(range(0, len(self.source), self.shard_size)):
                games = range(start, min(start + self.shard_size, len(self.source)))
                waiting.append(_Shard(number, len(games), self._labels_of(number, games, written, chosen)))
                if len(waiting) > chosen.count:
                    self._finish(waiting.popleft(), chosen, done)
            for shard in waiting:
                self._finish(shard, chosen, done)

    def _used(self, workers: Workers | None) -> AbstractContextManager[Workers]:
        return nullcontext(workers) if workers else local_workers(1)

    def _labels_of(self, number: int, games: range, written: set[str], workers: Workers) -> "Future[_Answers] | None":
        """Send the questions of a shard to a worker; return None if it is there."""
        if SOFT.file_name(number) in written:
            return None
        questions = [question for game in games for question in self.source.questions(game, self.choice)]
        return workers.executor.submit(answered, questions, self.teacher, self.player, self.choice.temperature)

    def _finish(self, shard: "_Shard", workers: Workers, done: Done) -> None:
        if shard.answers is None:
            done(shard.games, 0)
            return
        try:
            rows, refused = shard.answers.result()
        except workers.losses as error:
            raise InputError(
                f"{SOFT.file_name(shard.number)}: a worker died, several times in a row: {error}"
            ) from None
        for position, reason in refused:
            self.left_out(position, reason)
        write_shard(self.output, shard.number, rows, SOFT)
        done(shard.games, len(rows))

    def _options(self) -> dict[str, Any]:
        settings = {f"{self.source.unit}s": self.source.name, "teacher": self.teacher.name, **self.teacher.settings}
        return {"teach": {**settings, **asdict(self.choice)}, "shard_size": self.shard_size}


class _Answers(NamedTuple):
    """The rows of some questions, in their order; `refused`: each other position, as its row names it, and why."""

    rows: list[Row]
    refused: list[tuple[str, str]]


@dataclass(frozen=True)
class _Shard:
    """A shard in the making: its number, its games and, unless it was there before, its answers."""

    number: int
    games: int
    answers: Future[_Answers] | None


def answered(
    questions: Sequence[Question], teacher: Teacher, player: Evaluator | None, temperature: float | None
) -> _Answers:
    """Return the labels of positions, after their further moves were played."""
    answers: dict[int, SoftLabel | Refusal] = {}
    for side in sorted({question.record.side for question in questions}):
        chosen = [number for number, question in enumerate(questions) if question.record.side == side]
        same = [questions[number] for number in chosen]
        play_further(same, player, temperature)
        answers |= zip(chosen, teacher.ask(same), strict=True)
    found = _Answers([], [])
    for number, question in enumerate(questions):
        row, answer = question.columns(), answers[number]
        if isinstance(answer, Refusal):
            found.refused.append((row["source"], answer.reason))
        else:
            found.rows.append(row | {"teacher": teacher.name} | answer.columns())
    return found
