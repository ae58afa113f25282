"""Files, collections, folders and archives, whole and broken."""

import bz2
import gzip
import io
import lzma
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from game_records.record_errors import BadRecord
from game_records.record_sources import read_games
from game_records.sgf_collection import MAX_GAME
from tests.support.archives import CUT, MEMBERS, ONE, TWO, make_tar, make_zip, seen
from tests.support.memory import peak

OTHER_USER = 65534


FILES = [
    (ONE, ["a.sgf: one"]),
    (b"\xef\xbb\xbf" + ONE + b"\n\x1a", ["a.sgf: one"]),
    (ONE + b"\nsome text, even ) and ]\n" + TWO, ["a.sgf#1: one", "a.sgf#2: two"]),
    (b"((;GM[1]PB[x])(;GM[1]PB[y]))", ["a.sgf#1: x", "a.sgf#2: y"]),
    ("(;GM[1]PB[棋])(;GM[1]PB[y])".encode("utf-16"), ["a.sgf#1: 棋", "a.sgf#2: y"]),
    (b"\xfe\xff" + "(;GM[1]PB[棋])".encode("utf-16-be"), ["a.sgf: 棋"]),
    (b"", ["a.sgf: empty"]),
    (b"nothing to see", ["a.sgf: not SGF"]),
    (b"\x89PNG\r\n\x1a\n\0\0" + b"(;\x01(;x" * 30_000 + ONE, ["a.sgf: not SGF"]),
    (b"\x1b$B4{Kn\x1b(B\n" + ONE, ["a.sgf: one"]),
    (CUT, ["a.sgf: cut"]),
    (CUT + ONE, ["a.sgf#1: cut", "a.sgf#2: one"]),
    (CUT + b" \r\n( ;FF[4]PB[x])", ["a.sgf#1: cut", "a.sgf#2: x"]),
    (ONE + b"(;GM[2])" + TWO, ["a.sgf#1: one", "a.sgf#2: not Go", "a.sgf#3: two"]),
    (b";GM[1]FF[4]PB[x];B[aa](;W[bb])(;W[cc])", ["a.sgf: x"]),
    (b"(\r\nPB[x]\r\n;B[aa])", ["a.sgf: x"]),
    (
        "(;GM[1]PB[申真ソ];B[aa])(;PB[江鋳久]C[表])(;GM[1]PB[y])".encode("cp932"),
        ["a.sgf#1: 申真ソ", "a.sgf#2: 江鋳久", "a.sgf#3: y"],
    ),
    ("(;PB[許功蓋]C[許功蓋)](;B[aa]))(;PB[y])".encode("big5"), ["a.sgf#1: 許功蓋", "a.sgf#2: y"]),
    ("(;PB[珅]C[哰]PW[x])(;PB[y])(;PB[常昊]C[漒])".encode("gb18030"), ["a.sgf#1: 珅", "a.sgf#2: y", "a.sgf#3: 常昊"]),
    (ONE + b"(;C[" + b"x" * (2 * MAX_GAME) + b"])" + TWO, ["a.sgf#1: one", "a.sgf#2: too large", "a.sgf#3: two"]),
    (b"(;GM[1]C[" + b"x" * (2 * MAX_GAME), ["a.sgf: too large"]),
    (b"(;GM[1]" + b" " * (2 * MAX_GAME), ["a.sgf: too large"]),
    (ONE * 10_000, [f"a.sgf#{number}: one" for number in range(1, 10_001)]),
]


@pytest.mark.parametrize(("data", "expected"), FILES, ids=range(len(FILES)))
def test_one_file(tmp_path: Path, data: bytes, expected: list[str]) -> None:
    path = tmp_path / "a.sgf"
    path.write_bytes(data)
    assert seen(path) == expected


def test_a_named_file_is_read_with_any_extension(tmp_path: Path) -> None:
    (tmp_path / "game.txt").write_bytes(ONE)
    assert seen(tmp_path / "game.txt") == ["game.txt: one"]


def test_a_folder_is_read_in_the_order_of_its_names(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "b" / "deep").mkdir(parents=True)
    (folder / "c.SGF").write_bytes(ONE)
    (folder / "a.sgf").write_bytes(TWO)
    (folder / "b" / "deep" / "x.sgf").write_bytes(ONE + TWO)
    (folder / "readme.txt").write_bytes(ONE)
    make_zip(folder / "b" / "z.zip", {"in.sgf": ONE})
    (folder / "b" / "loop").symlink_to(folder)
    assert seen(folder) == [
        "games/a.sgf: two",
        "games/b/deep/x.sgf#1: one",
        "games/b/deep/x.sgf#2: two",
        "games/b/z.zip/in.sgf: one",
        "games/c.SGF: one",
    ]


EXPECTED = ["b/2.sgf: two", "a.SGF#1: one", "a.SGF#2: two", "cut.sgf: cut"]


@pytest.mark.parametrize("name", ["g.zip", "g.ZIP", "g.tar", "g.tgz", "g.tar.gz", "g.tar.bz2", "g.tar.xz"])
def test_archives_are_read_in_their_own_order(tmp_path: Path, name: str) -> None:
    make = make_zip if name.lower().endswith("zip") else make_tar
    assert seen(make(tmp_path / name, MEMBERS)) == [f"{name}/{line}" for line in EXPECTED]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(ONE + TWO)))
    assert seen("-") == ["-#1: one", "-#2: two"]


def test_standard_input_that_is_closed_is_one_bad_record() -> None:
    script = "from game_records.record_sources import read_games; print(*read_games(['-']))"
    command = ["sh", "-c", '"$0" -c "$1" <&-', sys.executable, script]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout == "-: unreadable: standard input is closed\n"


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz", "a.tar.xz"])
def test_what_is_no_archive_or_an_empty_one_is_one_bad_record(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"not an archive at all" * 100)
    assert seen(tmp_path / name) == [f"{name}: unreadable"]
    make = make_zip if name.endswith("zip") else make_tar
    assert seen(make(tmp_path / name, {"readme.txt": ONE})) == [f"{name}: empty"]


def test_an_empty_folder_is_one_bad_record(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    assert seen(tmp_path / "folder") == ["folder: empty"]


def test_what_is_no_file_in_a_folder_costs_a_line_each(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    (folder / "folder.sgf").mkdir(parents=True)
    (folder / "good.sgf").write_bytes(ONE)
    (folder / "link.sgf").symlink_to(folder / "good.sgf")
    (folder / "dead.sgf").symlink_to(folder / "gone.sgf")
    (folder / "self.zip").symlink_to(folder / "self.zip")
    (folder / "up.sgf").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe.tar")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket.sgf"))
        assert (
            seen(folder)
            == seen(f"local://{folder}")
            == [
                "games/dead.sgf: unreadable",
                "games/folder.sgf: unreadable",
                "games/good.sgf: one",
                "games/link.sgf: one",
                "games/pipe.tar: unreadable",
                "games/self.zip: unreadable",
                "games/socket.sgf: unreadable",
                "games/up.sgf: unreadable",
            ]
        )


@pytest.fixture
def unprivileged() -> Iterator[Path]:
    """A folder, while this process is a user who may not read everything."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        (Path(folder) / "a.sgf").write_bytes(ONE)
        assert seen(folder)  # Compiles what is needed while that may be stored.
        user = os.geteuid()
        yield Path(folder)
        os.seteuid(user)


def test_what_may_not_be_read_costs_a_line_each(unprivileged: Path) -> None:
    for name in ("closed", "listed"):
        (unprivileged / name).mkdir()
        (unprivileged / name / "x.sgf").write_bytes(ONE)
    (unprivileged / "secret.sgf").write_bytes(ONE)
    make_zip(unprivileged / "secret.zip", {"x.sgf": ONE})
    (unprivileged / "z.sgf").write_bytes(TWO)
    for name, mode in {"closed": 0, "listed": 0o444, "secret.sgf": 0, "secret.zip": 0}.items():
        (unprivileged / name).chmod(mode)
    if os.geteuid() == 0:
        os.seteuid(OTHER_USER)
    place = unprivileged.name
    assert seen(unprivileged, unprivileged / "closed" / "x.sgf") == [
        f"{place}/a.sgf: one",
        f"{place}/closed: unreadable",
        f"{place}/listed/x.sgf: unreadable",
        f"{place}/secret.sgf: unreadable",
        f"{place}/secret.zip: unreadable",
        f"{place}/z.sgf: two",
        f"{place}/closed/x.sgf: unreadable",
    ]


@pytest.mark.parametrize("name", ["a\0b.sgf", "x" * 5000, "\ud800"])
def test_what_cannot_be_the_name_of_a_file_is_one_bad_record(name: str) -> None:
    (record,) = read_games([name])
    assert isinstance(record, BadRecord) and record.reason == "unreadable" and str(record).isprintable()


def test_a_name_of_any_bytes_can_be_shown(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\x1b[31m.sgf"
    Path(os.fsdecode(path)).write_bytes(CUT)
    (record,) = read_games([tmp_path])
    assert record.source.isprintable() and record.source.encode()


def quickly(data: bytes) -> bytes:
    """Return data as .xz, packed in a third of the time that the usual preset takes."""
    return lzma.compress(data, preset=0)


@pytest.mark.parametrize(("suffix", "compress"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", quickly)])
def test_compressed_records(suffix: str, compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    name = f"a.sgf.{suffix}"
    (tmp_path / name).write_bytes(compress(ONE + TWO))
    assert seen(tmp_path / name) == [f"{name}#1: one", f"{name}#2: two"]
    assert seen(tmp_path) == [f"{tmp_path.name}/{name}#1: one", f"{tmp_path.name}/{name}#2: two"]
    (tmp_path / name).write_bytes(compress(ONE)[:-10])
    assert seen(tmp_path / name) == [f"{name}: unreadable"]
    (tmp_path / name).write_bytes(ONE)
    assert seen(tmp_path / name) == [f"{name}: one"]
    (tmp_path / name).write_bytes(compress(b" " * (80 << 20)))
    assert peak(str(record).encode() for record in read_games([tmp_path / name])) < 40 << 20
    assert seen(tmp_path / name) == [f"{name}: too large"]
