"""Why a record cannot be used: reasons, and the errors that have one."""

from dataclasses import dataclass
from typing import Final

from goban.errors import InputError

RECORD_REASONS = (
    "unreadable",
    "empty",
    "not SGF",
    "too large",
    "truncated",
    "bad syntax",
    "not Go",
    "bad side",
    "not square",
    "bad set-up",
    "bad diagram",
    "handicap stones missing",
    "bad move",
    "illegal move",
)
UNUSABLE: Final = "unusable"


class Fault(Exception):
    """The fault of a record: `reason` as in a RecordError, and `detail`, the finding and its place."""

    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail


class RecordError(InputError):
    """A record that cannot be used: `reason` is one of RECORD_REASONS, `detail` the finding and its place."""

    def __init__(self, source: str, reason: str, detail: str) -> None:
        super().__init__(f"{source}: {reason}: {detail}")
        self.source, self.reason, self.detail = source, reason, detail


class MissingSourceError(InputError, FileNotFoundError):
    """A file or folder of this machine that is not there."""


@dataclass(frozen=True)
class BadRecord:
    """A record, or a whole file, that cannot be used.

    Attributes:
        source: where it is, as in a GameRecord.
        reason: one of RECORD_REASONS; "move" for a move number beyond the end of the game;
            UNUSABLE for a readable game that a later step refuses.
        detail: what was found, in words.
    """

    source: str
    reason: str
    detail: str

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}: {self.detail}"
