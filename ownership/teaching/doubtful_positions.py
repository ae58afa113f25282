"""Positions of soft datasets on which a student and its teacher differ, for a stronger teacher to label."""

import hashlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.columns import SOFT
from game_datasets.rows import OWNERSHIP_SCALE, Row, record_of
from game_datasets.shards import Datasets, dataset_files, read_shard
from goban.coords import pass_point
from goban.position import Position
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.teaching.teacher_positions import PositionChoice, Question


class DoubtfulPositions:
    """The positions of soft datasets on which a student differs from them, file by file.

    Args:
        places: soft datasets, folders, URLs or files.
        student: the model whose ownership is compared.
        difference: the least mean difference over the points of a board, ownership being from -1 to 1; 0..2.

    Attributes:
        name: the number of files and a hash of what they hold, and what they are compared with.

    Raises:
        DatasetError: a dataset is missing.
    """

    unit: Final = "file"

    def __init__(self, places: Datasets, student: Evaluator, difference: float) -> None:
        self._files = dataset_files(places, SOFT)
        self._student, self._difference = student, difference
        digest = hashlib.blake2b(digest_size=4)
        for folder, name in self._files:
            digest.update(folder.read(name))
        self.name = f"{len(self._files)} {digest.hexdigest()} unlike {student.name} by {difference:g}"

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self._files)

    def questions(self, number: int, choice: PositionChoice) -> list[Question]:
        """Return the questions about the doubtful positions of a file, which `choice` leaves as they are.

        Raises:
            DatasetError: the file is damaged.
        """
        rows = read_shard(*self._files[number], schema=SOFT).to_pylist()
        questions = [_question(row, choice.seed) for row in rows]
        doubtful: set[int] = set()
        for side in sorted({question.record.side for question in questions}):
            chosen = [place for place, question in enumerate(questions) if question.record.side == side]
            for start in range(0, len(chosen), MAX_BATCH):
                part = chosen[start : start + MAX_BATCH]
                unlike = self._differences([questions[place] for place in part], [rows[place] for place in part])
                doubtful.update(np.array(part)[unlike >= self._difference].tolist())
        return [questions[place] for place in sorted(doubtful)]

    def _differences(self, questions: Sequence[Question], rows: Sequence[Row]) -> NDArray[np.floating[Any]]:
        """Return the mean differences of the ownership, (P,), of positions of one board side."""
        said = np.stack([np.frombuffer(row["ownership"], np.int8) for row in rows]) / OWNERSHIP_SCALE
        seen = self._student.ownership([question.position for question in questions])
        mean: NDArray[np.floating[Any]] = np.abs(seen.reshape(said.shape) - said).mean(axis=1)
        return mean


def _question(row: Row, seed: int) -> Question:
    record = record_of(row | {"rules": "area", "handicap": 0, "result": ""})
    position = record.position()
    if len(record.move_points) and record.move_points[-1] == pass_point(record.side):
        position = Position.from_stones(position.stones, row["to_move"])  # as for `FinishedBoard`
    return Question(record, len(record.move_points), position, 0, seed, row["source"])
