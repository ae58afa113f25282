"""The run of `ownership teach`: from the games of datasets to a soft dataset of a teacher's opinions on them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

from ownership.inference.evaluator import Evaluator
from ownership.teaching.questions import Choice, Question, play_further, questions
from ownership.teaching.teachers import Opinion, Refusal, Teacher
from preprocessing.dataset.pipeline import claim
from preprocessing.dataset.rows import RECORD_COLUMNS, DatasetError, Row, record_of
from preprocessing.dataset.shards import Datasets, listed, read_shard, shard_names
from preprocessing.dataset.soft_rows import soft_name, write_soft
from preprocessing.records.game import GameRecord
from preprocessing.storage import Folder

SHARD_SIZE: Final = 64

Done = Callable[[int, int], None]
LeftOut = Callable[[str, str], None]


class Source(Protocol):
    """Where the positions come from, by numbers from 0. `name` tells sources apart; `unit` names what is numbered."""

    @property
    def name(self) -> str: ...

    @property
    def unit(self) -> str: ...

    def __len__(self) -> int: ...

    def questions(self, number: int, choice: Choice) -> list[Question]:
        """Return the questions of a number, the same for the same arguments."""


class TaughtGames:
    """The games of split train in some datasets, each once; with a target or without.

    Of games that `ownership selfplay` made, only positions from the branch on are asked about: others are the record's.

    Attributes:
        name: their number and a hash of their ids.

    Raises:
        DatasetError: there is none.

    Holds all of them in memory.
    """

    unit: Final = "game"

    def __init__(self, datasets: Datasets) -> None:
        folders = [Folder(place) for place in listed(datasets)]
        self._rows = {row["id"]: row for folder in folders for row in _usable(folder)}
        self._ids = list(self._rows)
        if not self._ids:
            names = ", ".join(map(str, folders))
            raise DatasetError(f"{names}: expected games of split train, found none")
        digest = hashlib.blake2b("\n".join(self._ids).encode(), digest_size=4).hexdigest()
        self.name = f"{len(self._ids)} {digest}"

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, number: int) -> GameRecord:
        """Return a game by its number, from 0."""
        return record_of(self._rows[self._ids[number]])

    def questions(self, number: int, choice: Choice) -> list[Question]:
        """Return the chosen questions about a game, from its first ply on."""
        return questions(self[number], choice, self.first_ply(number))

    def first_ply(self, number: int) -> int:
        """Return the ply of a game's first position that a teacher may be asked about."""
        return self._rows[self._ids[number]]["branch"] or 0


def _usable(folder: Folder) -> Iterator[Row]:
    import pyarrow.compute as pc

    for shard in shard_names(folder):
        table = read_shard(folder, shard, (*RECORD_COLUMNS, "id", "branch", "split"))
        yield from table.filter(pc.and_(pc.is_valid(table["moves"]), pc.equal(table["split"], "train"))).to_pylist()


@dataclass(frozen=True, eq=False)
class Teaching:
    """Asks a teacher about positions and writes what it says to a soft dataset, one shard at a time.

    Attributes:
        output: the folder of the soft dataset.
        source: where the positions come from.
        teacher: who is asked.
        choice: which positions it is asked about.
        player: a model with a policy, by which further moves are played where the choice has a temperature.
        shard_size: games, or what else the source numbers, in a shard.
        left_out: receives each position that the teacher refuses, as its row would name it, and the reason.

    A shard appears whole or not at all: a run that was killed goes on with the first missing one, and ends with the
    same opinions.
    """

    output: Folder
    source: Source
    teacher: Teacher
    choice: Choice
    player: Evaluator | None = None
    shard_size: int = SHARD_SIZE
    left_out: LeftOut = lambda position, reason: None

    def run(self, done: Done = lambda count, positions: None) -> None:
        """Ask about what is missing.

        Args:
            done: receives how many games are done, and how many positions of them are new, shard by shard.

        Raises:
            DatasetError: `output` holds something else.
        """
        written = claim(self.output, self._options())
        for shard, start in enumerate(range(0, len(self.source), self.shard_size)):
            numbers = range(start, min(start + self.shard_size, len(self.source)))
            rows = []
            if soft_name(shard) not in written:
                rows = self._rows(numbers)
                write_soft(self.output, soft_name(shard), rows)
            done(len(numbers), len(rows))

    def _options(self) -> dict[str, Any]:
        asked = {f"{self.source.unit}s": self.source.name, "teacher": self.teacher.name, **self.teacher.settings}
        return {"teach": {**asked, **asdict(self.choice)}, "shard_size": self.shard_size}

    def _rows(self, numbers: range) -> list[Row]:
        """Return the rows of some games, in their order."""
        asked = [question for number in numbers for question in self.source.questions(number, self.choice)]
        answers: dict[int, Opinion | Refusal] = {}
        for side in sorted({question.record.side for question in asked}):
            chosen = [number for number, question in enumerate(asked) if question.record.side == side]
            answers |= zip(chosen, self._ask([asked[number] for number in chosen]), strict=True)
        rows = []
        for number, question in enumerate(asked):
            row, answer = question.columns(), answers[number]
            if isinstance(answer, Refusal):
                self.left_out(row["source"], answer.reason)
            else:
                rows.append(row | {"teacher": self.teacher.name} | answer.columns())
        return rows

    def _ask(self, asked: Sequence[Question]) -> Sequence[Opinion | Refusal]:
        """Return the answers to questions about one board side."""
        play_further(asked, self.player, self.choice.temperature)
        return self.teacher.ask(asked)
