"""Small game records, archives of them, and what is read from files and folders."""

import io
import tarfile
import zipfile
from pathlib import Path

from game_records.record_errors import BadRecord
from game_records.record_sources import read_games

ONE = b"(;GM[1]SZ[9]PB[one];B[aa];W[bb])"
TWO = b"(;GM[1]SZ[9]PB[two];B[cc](;W[dd])(;W[ee]))"
CUT = b"(;GM[1]SZ[9]PB[cut];B[aa];W[bb]"
MEMBERS = {"b/2.sgf": TWO, "a.SGF": ONE + TWO, "readme.txt": ONE, "inner.zip": b"PK", "cut.sgf": CUT}


def seen(*paths: Path | str) -> list[str]:
    """What is read below `paths`: "source: player" or "source: reason", sources without the folder of the first."""
    records = list(read_games(paths))
    folder = str(paths[0]).rstrip("/").rpartition("/")[0] + "/"
    return [
        f"{record.source.removeprefix(folder)}: {record.reason if isinstance(record, BadRecord) else record.black}"
        for record in records
    ]


def make_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data, compresslevel=1)
    return path


def make_tar(path: Path, members: dict[str, bytes]) -> Path:
    mode = {".tgz": "w:gz", ".gz": "w:gz", ".xz": "w:xz", ".bz2": "w:bz2"}.get(path.suffix, "w")
    quick = {"w:gz": {"compresslevel": 1}, "w:xz": {"preset": 0}}.get(mode, {})
    with tarfile.open(path, mode, **quick) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path
