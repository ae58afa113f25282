"""The records that commands read."""

import sys
from typing import TypeVar

from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord

_Record = TypeVar("_Record", GameRecord, GameRecord | BadRecord)


def with_warning(record: _Record) -> _Record:
    """Return the record; print a warning on stderr if it breaks off."""
    if isinstance(record, GameRecord) and record.broken_off:
        place = f"the record breaks off after move {len(record.moves)}"
        print(f"ownership: warning: {record.source}: {place}", file=sys.stderr)
    return record
