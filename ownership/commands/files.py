"""The files that commands write."""

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from goban.errors import InputError
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import BadRecord

_ENDING: Final = re.compile(r"\.(?:sgf(?:\.(?:gz|bz2|xz))?|gib|ngf|txt)(?=#|$)", re.IGNORECASE)


class FileNames:
    """Names of the files that a command writes for records: the source's own name, numbered where several have it.

    Args:
        ending: such as ".sgf".
        taken: a name without its ending that no record gets.
    """

    def __init__(self, ending: str, *taken: str) -> None:
        self._ending = ending
        self._given = Counter(taken)

    def next(self, record: GameRecord | BadRecord) -> str:
        """Return the name for the next record."""
        plain = _ENDING.sub("", record.source.rstrip("/").rpartition("/")[2]).replace("#", "-")
        stem = "game" if plain in ("", "-") else plain
        name = stem
        while name in self._given:
            self._given[stem] += 1
            name = f"{stem}-{self._given[stem]}"
        self._given[name] = 1
        return name + self._ending


def check_new_folder(output: Path, ending: str) -> None:
    """Check a folder to be made, which is not to be a file with another ending than the one that commands write.

    Args:
        output: the folder, which may exist.
        ending: such as ".html".

    Raises:
        InputError: no folder, and a name that looks like that of a file.
    """
    if not output.is_dir() and re.fullmatch(r"\.[A-Za-z]{2,5}", output.suffix):
        raise InputError(
            f"{output}: expected a file ending in {ending}, or a folder. Received: a file ending in {output.suffix}"
        )


def report_file(path: str | Path) -> None:
    """Name a file that a command wrote, on stderr."""
    print(f"Wrote {path}", file=sys.stderr)
