"""Records of requests: those that were read last are kept, as a client sends the same game for each position."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Final

from game_records.game_record import GameRecord
from game_records.registered_formats import parse_record
from ownership.server.request_limits import MOST_KEPT

SOURCE: Final = "game"  # what messages call a record without a name


class KeptRecords:
    """Reads records, and keeps those that were read last.

    Args:
        parse: reads the text of a record.
        most: bytes of all texts that are kept.
    """

    def __init__(self, parse: Callable[[bytes], GameRecord], most: int = MOST_KEPT) -> None:
        self._parse, self._most = parse, most
        self._records: OrderedDict[bytes, GameRecord] = OrderedDict()
        self._size = 0
        self._lock = Lock()

    def __call__(self, data: bytes) -> GameRecord:
        """Return the record of a text; raise what `parse` raises."""
        with self._lock:
            if (known := self._records.get(data)) is not None:
                self._records.move_to_end(data)
                return known
        found = self._parse(data)
        with self._lock:
            if data not in self._records:
                self._records[data] = found
                self._size += len(data)
            while self._size > self._most:
                oldest, _ = self._records.popitem(last=False)
                self._size -= len(oldest)
        return found


first_game = KeptRecords(lambda data: parse_record(data, SOURCE)[0])
"""Return the first game, or the board, in a record in any format, as `parse_record` does."""
