"""The files that commands write."""

import os
import re
import shutil
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Final

from game_records.game_record import GameRecord
from game_records.record_errors import BadRecord
from game_records.registered_formats import ENDINGS
from goban.errors import InputError
from runtime.command_line import Argument
from runtime.safe_writing import check_writable, usable_folder

_SERVERS: Final = "|".join(ending.removeprefix(".") for ending in ENDINGS)
_ENDING: Final = re.compile(rf"\.(?:sgf(?:\.(?:gz|bz2|xz))?|{_SERVERS}|txt)(?=#|$)", re.IGNORECASE)


def output_argument(meaning: str) -> Argument:
    """Return the argument --output of a command that writes a file for one game, and a folder for several."""
    return Argument("-o --output FILE|DIR", str, meaning, required=True)


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


class InputFiles:
    """The files that a command reads, none of which it writes over.

    Args:
        paths: of files on this machine, which may be missing.
    """

    def __init__(self, paths: Iterable[str | Path]) -> None:
        self._paths = paths

    def check_output(self, output: str | Path) -> None:
        """Check a file before it is made or replaced.

        Raises:
            InputError: it is one of the inputs, by its own name or as a link.
            OSError: no file can be written there.
        """
        if (found := _identity(output)) is not None and found in self._known:
            raise InputError(
                f"{output}: expected another file than the input. Received: the input itself, {self._known[found]}"
            )
        check_writable(output)

    @cached_property
    def _known(self) -> dict[tuple[int, int], str]:
        identities = ((_identity(path), str(path)) for path in self._paths)
        return {found: path for found, path in identities if found is not None}


def dataset_paths(places: Iterable[str]) -> Iterator[Path]:
    """Yield the files of datasets that are folders of this machine."""
    for place in places:
        if "://" not in place:
            yield from Path(place).glob("*.parquet")
            yield Path(place, "dataset.json")


def _identity(path: str | Path) -> tuple[int, int] | None:
    """Return a key that all names of a file share; None if it is no file, such as a pipe."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


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


@contextmanager
def new_or_whole(directory: Path, files: Sequence[str]) -> Iterator[None]:
    """Make a folder for some files if it is missing, and remove it with all in it if it is new and the block raises."""
    is_new = not directory.exists()
    with usable_folder(directory, files):
        try:
            yield
        except BaseException:
            if is_new:
                shutil.rmtree(directory, ignore_errors=True)
            raise
