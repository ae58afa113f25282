"""The records that commands read."""

import sys
from collections.abc import Iterator
from typing import TypeVar

from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord

_Record = TypeVar("_Record", GameRecord, GameRecord | BadRecord)


def with_warning(record: _Record) -> _Record:
    """Return the record; print warnings on stderr if it breaks off, has an illegal move, or has what was skipped."""
    if isinstance(record, GameRecord):
        for why in _warnings(record):
            print(f"ownership: warning: {record.source}: {why}", file=sys.stderr)
    return record


def _warnings(record: GameRecord) -> Iterator[str]:
    yield from record.notes
    if record.illegal_move:
        yield f"the record is read up to an illegal move: {record.illegal_move}"
    elif record.broken_off:
        yield f"the record breaks off after move {len(record.moves)}"
