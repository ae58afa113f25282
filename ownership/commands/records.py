"""The records that commands read."""

import sys
from typing import TypeVar

from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord

_Record = TypeVar("_Record", GameRecord, GameRecord | BadRecord)


def with_warning(record: _Record) -> _Record:
    """Return the record; print a warning on stderr if it breaks off or has an illegal move."""
    if isinstance(record, GameRecord) and record.broken_off:
        place = f"the record breaks off after move {len(record.moves)}"
        why = f"the record is read up to an illegal move: {record.illegal_move}" if record.illegal_move else place
        print(f"ownership: warning: {record.source}: {why}", file=sys.stderr)
    return record
