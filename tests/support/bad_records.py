"""Bad records of every kind, to be put among good ones."""

import gzip
import io
import lzma
import zipfile
from pathlib import Path

from tests.support.paths import ROOT
from tests.support.records import GIB, NGF

GOOD = (ROOT / "examples" / "finished-9x9.sgf").read_bytes()
NO_LIBERTIES = ". X O\n. X O\n. X O\n"


def _zipped(name: str, data: bytes) -> bytes:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as written:
        written.writestr(name, data)
    return archive.getvalue()


COLLECTED = {
    "another game": b"(;GM[2];B[aa])",
    "side 1": b"(;SZ[1];B[aa])",
    "side 60": b"(;SZ[60];B[aa])",
    "rectangular": b"(;SZ[19:13];B[aa])",
    "no liberties": b"(;SZ[3]AB[ba][bb][bc]AW[ca][cb][cc])",
    "both colours": b"(;SZ[9]AB[aa]AW[aa])",
    "no usual points": b"(;SZ[5]HA[9];W[aa])",
    "too many moves": b"(;SZ[9]" + b";B[];W[]" * 16_400 + b")",
    "no properties": b"(;~~~~)",
}
"""Games that are refused in a collection too."""

FILES = {
    "empty.sgf": b"",
    "blank.sgf": b" \r\n\t",
    "words.sgf": b"A game of Go, of which no one wrote the moves down.",
    "noise.sgf": bytes(range(256)) * 9,
    "picture.sgf": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(200)),
    "utf-32.sgf": GOOD.decode().encode("utf-32"),
    "ebcdic.sgf": GOOD.decode().encode("cp500"),
    "broken-off.sgf": b"(;GM[1]SZ[9]KM[6.5",
    "large.sgf": b"(;GM[1]C[" + b"x" * (1 << 21) + b"])",
    "handicap.gib": GIB.replace("INI 0 1 0", "INI 0 1 12").encode("gb18030"),
    "side.ngf": NGF.replace("\n19\n", "\n99\n").encode(),
    "no-liberties.txt": NO_LIBERTIES.encode(),
    "rectangular.txt": b"X O . .\n. . X .\nO . . .\n",
    "dots.txt": b"..\n..\n",
    "readme.md": b"A line of words.\n" * 40 + b"X O .\n. . X\nO . .\n",
    "not.zip": b"PK\x03\x04" + bytes(range(200)),
    "cut.zip": _zipped("a.sgf", GOOD)[:-30],
    "damaged.zip": _zipped("a.sgf", GOOD).replace(b"GM[1]", b"GM[2]", 1),
    "nothing.zip": _zipped("a.doc", GOOD),
    "cut.tar": b"a.sgf".ljust(600, b"x"),
    "cut.sgf.gz": gzip.compress(GOOD)[:-40],
    "cut.sgf.xz": lzma.compress(GOOD)[:-40],
} | {f"{kind.replace(' ', '-')}.sgf": data for kind, data in COLLECTED.items()}


def write_bad_records(folder: Path) -> list[Path]:
    """Write one bad record of every kind into a folder, which is made; return their paths."""
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    (folder / "folder.sgf").mkdir()
    (folder / "dead-link.sgf").symlink_to("nowhere.sgf")
    return sorted(folder.iterdir())


def among(good: list[Path], bad: list[Path]) -> list[Path]:
    """Return the paths of all records: bad ones first and last, and a good one after each few bad ones."""
    step = len(bad) // (len(good) + 1)
    parts = [[*bad[number * step : (number + 1) * step], each] for number, each in enumerate(good)]
    return [path for part in parts for path in part] + bad[len(good) * step :]
