"""Files, collections, folders, archives and standard input, whole and broken, small and huge."""

import bz2
import gzip
import io
import lzma
import os
import resource
import socket
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records.archives import zip_members
from game_records.game_record import GameRecord
from game_records.record_errors import RECORD_REASONS, BadRecord
from game_records.record_sources import read_game, read_games
from game_records.sgf_collection import MAX_GAME, split_games
from goban.errors import InputError
from tests.support.archives import CUT, MEMBERS, ONE, TWO, make_tar, make_zip, seen
from tests.support.memory import peak

NOBODY = 65534


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


def test_arguments_are_read_in_the_given_order(tmp_path: Path) -> None:
    for name, data in {"z.sgf": ONE, "a.sgf": TWO}.items():
        (tmp_path / name).write_bytes(data)
    assert seen(tmp_path / "z.sgf", tmp_path / "a.sgf") == ["z.sgf: one", "a.sgf: two"]


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


@pytest.mark.parametrize("name", ["gone.sgf", "gone.sgf#2", "g.zip#0", "gone.zip/a.sgf", "no/such/folder.zip"])
@pytest.mark.parametrize("error", [InputError, FileNotFoundError])
def test_a_missing_file_is_an_error_before_any_game_is_read(name: str, error: type[Exception], tmp_path: Path) -> None:
    there = make_zip(tmp_path / "g.zip", MEMBERS)
    with pytest.raises(error, match=r": expected a file or folder of game records\. Received: no such file$") as raised:
        read_games(iter([there, tmp_path / name]))
    assert str(raised.value).startswith(f"{tmp_path / name}:")


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
        os.seteuid(NOBODY)
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


def test_an_encrypted_or_damaged_member_costs_itself_alone(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"1.sgf": ONE, "2.sgf": ONE * 50, "3.sgf": TWO})
    data = bytearray(path.read_bytes())
    first = data.index(b"PK\x01\x02")
    data[first + 8] |= 1
    second = data.index(b"2.sgf")
    data[second + 10] ^= 0xFF
    path.write_bytes(data)
    records = seen(path)
    assert records[0] == "a.zip/1.sgf: unreadable" and records[-1] == "a.zip/3.sgf: two"
    assert "a.zip/2.sgf: unreadable" in records


def test_a_member_without_a_name_is_passed_over(tmp_path: Path) -> None:
    path = make_zip(tmp_path / "a.zip", {"?": b"", "2.sgf": TWO})
    path.write_bytes(path.read_bytes().replace(b"?", b"\0"))
    assert seen(path) == ["a.zip/2.sgf: two"]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_member_that_zipfile_cannot_expand_in_steps_is_refused(tmp_path: Path, method: int) -> None:
    path = make_zip(tmp_path / "a.zip", {"1.sgf": ONE})
    with zipfile.ZipFile(path, "a", method) as archive:
        archive.writestr("2.sgf", TWO)
    assert seen(path) == ["a.zip/1.sgf: one", "a.zip/2.sgf: unreadable"]


class Broken(io.BytesIO):
    """A file whose size is known, and no more."""

    def read(self, size: int | None = -1) -> bytes:
        raise OSError("the cable is cut")


def test_a_zip_file_that_cannot_be_read_is_not_called_damaged() -> None:
    with pytest.raises(OSError, match="the cable is cut"):
        next(zip_members(io.BufferedReader(Broken(bytes(1000)))))


def test_a_tar_file_that_is_damaged_half_way_is_reported(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "a.tar", {"1.sgf": ONE, "2.sgf": TWO})
    data = bytearray(path.read_bytes())
    data[data.index(b"2.sgf")] ^= 1
    path.write_bytes(data)
    assert seen(path) == ["a.tar/1.sgf: one", "a.tar: unreadable"]


def test_a_tar_file_with_a_name_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    path = make_tar(tmp_path / "a.tgz", {"1.sgf": ONE, "x" * (2 << 20) + ".sgf": TWO})
    assert seen(path) == ["a.tgz/1.sgf: one", "a.tgz: unreadable"]


def test_a_name_of_any_bytes_can_be_shown(tmp_path: Path) -> None:
    path = os.fsencode(tmp_path) + b"/\xff\x1b[31m.sgf"
    Path(os.fsdecode(path)).write_bytes(CUT)
    (record,) = read_games([tmp_path])
    assert record.source.isprintable() and record.source.encode()


def test_reading_is_lazy_and_holds_one_game_at_a_time(tmp_path: Path) -> None:
    game = b"(;GM[1]SZ[19]" + b";B[];W[]" * 200 + b")\n"
    path = make_zip(tmp_path / "a.zip", {"many.sgf": game * 5_000})
    assert sum(1 for _ in islice(read_games([path]), 5)) == 5
    with zipfile.ZipFile(path) as archive, archive.open("many.sgf") as stream:
        chunks = iter(lambda: stream.read(1 << 16), b"")
        assert peak(split_games(chunks)) < 2 << 20


APART = """
import sys
from game_records.record_sources import BadRecord, read_games
for record in read_games(sys.argv[1:]):
    place = "/".join(record.source.split("/")[-2:])
    print(place, record.reason if isinstance(record, BadRecord) else record.black, sep=": ")
print(*(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
needs_proc = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to measure memory")


def read_apart(*paths: Path) -> tuple[list[str], int]:
    """What a process of its own reads, as `seen`, and the most MiB of memory that it had; it has 30 s of processor."""
    command = [sys.executable, "-c", APART, *map(str, paths)]
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 30))  # noqa: E731
    answer = subprocess.run(command, capture_output=True, text=True, check=True, preexec_fn=limit)
    *lines, memory = answer.stdout.splitlines()
    return lines, int(memory) >> 10


HUGE = {
    "game": (b"(;GM[1]", b";B[aa];W[bb]", "too large"),
    "comment": (b"(;GM[1]C[", b"x", "too large"),
    "parentheses": (b"", b"(", "not SGF"),
    "brackets": (b"", b"[", "not SGF"),
}


@needs_proc
@pytest.mark.slow
def test_a_huge_file_costs_one_line_and_little_memory(tmp_path: Path) -> None:
    for name, (head, unit, _) in HUGE.items():
        (tmp_path / name).write_bytes(head + unit * ((100 << 20) // len(unit)) + b"])")
    lines, memory = read_apart(*(tmp_path / name for name in HUGE))
    assert lines == [f"{tmp_path.name}/{name}: {reason}" for name, (_, _, reason) in HUGE.items()]
    assert memory < 300


@needs_proc
@pytest.mark.slow
def test_an_archive_bomb_costs_one_line_and_little_memory(tmp_path: Path) -> None:
    blanks = b" " * (300 << 20)
    flat = make_zip(tmp_path / "flat.zip", {"1.sgf": ONE, "2.sgf": blanks, "3.sgf": TWO})
    bombs = [
        flat,
        make_zip(tmp_path / "nested.zip", {"flat.zip": flat.read_bytes(), "x.sgf": ONE}),
        make_tar(tmp_path / "games.tar.xz", {"1.sgf": blanks, "2.sgf": TWO}),
        make_tar(tmp_path / "other.tgz", {"readme.txt": blanks, "2.sgf": TWO}),
    ]
    lines, memory = read_apart(*bombs)
    assert lines == [
        "flat.zip/1.sgf: one",
        "flat.zip/2.sgf: too large",
        "flat.zip/3.sgf: two",
        "nested.zip/x.sgf: one",
        f"{tmp_path.name}/games.tar.xz: too large",
        f"{tmp_path.name}/other.tgz: too large",
    ]
    assert memory < 300


@pytest.mark.parametrize(("entries", "size"), [(300, 60 << 20), (40, 2 << 20)])
def test_entries_that_name_one_member_are_bounded_by_their_sum(entries: int, size: int, tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.sgf", b"(;GM[1])" + b" " * size)
        archive.filelist *= entries
    assert [str(record) for record in read_games(path)] == [
        f"{path}: too large: expected at most 64 MiB, or 200 times the compressed size. Received: more"
    ]


def test_many_entries_that_hold_little_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(10):
            archive.writestr(f"{number}.sgf", b"(;GM[1]C[" + b" " * (1 << 18) + b"];B[aa])")
    assert len(list(read_games(path))) == 10


@pytest.mark.parametrize("name", ["a.zip", "a.tgz", "a.tar.bz2", "a.tar.xz"])
def test_what_expands_a_little_or_to_little_is_no_bomb(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    make = make_zip if name.endswith("zip") else make_tar
    monkeypatch.setattr("game_records.archives.MAX_EXPANDED", 1 << 20)
    text = os.urandom(1 << 19).hex().encode()
    assert seen(make(tmp_path / name, {"1.sgf": text + ONE, "2.sgf": TWO}))[-1] == f"{name}/2.sgf: two"
    blanks = b" " * ((1 << 20) - 65_536)
    assert seen(make(tmp_path / name, {"1.sgf": ONE + blanks})) == [f"{name}/1.sgf: one"]
    records = seen(make(tmp_path / name, {"1.sgf": ONE + blanks * 2}))
    assert [record.rpartition(": ")[2] for record in records] == ["too large"]


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz"])
@given(at=st.integers(0, 10_000), byte=st.integers(0, 255), keep=st.integers(0, 10_000))
@settings(max_examples=30)
def test_a_damaged_archive_gives_games_and_reasons_only(
    tmp_path: Path, name: str, at: int, byte: int, keep: int
) -> None:
    make = make_zip if name.endswith("zip") else make_tar
    data = bytearray(make(tmp_path / name, {"1.sgf": ONE, "2.sgf": TWO}).read_bytes())
    data[at % len(data)] = byte
    (tmp_path / name).write_bytes(data[: keep % len(data) or None])
    for record in read_games([tmp_path / name]):
        assert isinstance(record, GameRecord) or record.reason in RECORD_REASONS


def test_the_only_game_of_a_place(tmp_path: Path) -> None:
    (tmp_path / "one.sgf").write_bytes(ONE)
    make_zip(tmp_path / "one.zip", {"a.sgf": ONE})
    (tmp_path / "two.sgf").write_bytes(ONE + TWO)
    assert [read_game(tmp_path / name).black for name in ("one.sgf", "one.zip")] == ["one", "one"]
    for name, message in (("two.sgf", "expected one game. Received: several"), ("none.sgf", "Received: no such file")):
        with pytest.raises(InputError, match=f"{name}: .*{message}"):
            read_game(tmp_path / name)


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


def read(*paths: Path | str) -> list[tuple[str, str]]:
    """Source and player, or source and reason, of each record."""
    records = read_games(paths)
    return [(each.source, each.reason if isinstance(each, BadRecord) else each.black) for each in records]


@pytest.mark.parametrize("ending", ["zip", "tgz"])
def test_the_source_of_a_record_names_it_alone(tmp_path: Path, ending: str) -> None:
    make = make_zip if ending == "zip" else make_tar
    make(tmp_path / f"z.{ending}", MEMBERS | {"deep/in.zip/c.sgf": TWO})
    (tmp_path / "collection.sgf").write_bytes(ONE + CUT + TWO)
    (tmp_path / "hash#2").write_bytes(ONE)
    (tmp_path / "folder.zip").mkdir()
    (tmp_path / "folder.zip" / "one.sgf").write_bytes(ONE)
    found = read(*(tmp_path / name for name in (f"z.{ending}", "collection.sgf", "hash#2", "folder.zip/one.sgf")))
    assert len(found) == 5 + 3 + 2
    for source, player in found:
        assert read(source) == [(source, player)]
        assert read(f"file://{source}")[0][1] == player
        if source != str(tmp_path / "hash#2"):
            assert read(f"local://{source}")[0][1] == player


def test_a_number_chooses_a_record_of_a_file_folder_or_archive(tmp_path: Path) -> None:
    archive = make_zip(tmp_path / "g.zip", MEMBERS)
    assert seen(f"{archive}#2") == ["g.zip/a.SGF#1: one"]
    assert seen(f"{tmp_path}#3", f"{archive}/b/2.sgf#1")[1].endswith("g.zip/b/2.sgf: two")
    assert seen(f"{archive}/a.SGF") == ["a.SGF#1: one", "a.SGF#2: two"]


WRONG = [
    ("g.zip/c.sgf", "unreadable: expected the name of a record in the archive. Received: another name"),
    ("g.zip#9", "unreadable: expected the number of a game, 1..4. Received: 9"),
    ("g.zip/a.SGF#3", "unreadable: expected the number of a game, 1..2. Received: 3"),
]


@pytest.mark.parametrize(("name", "message"), WRONG)
def test_a_name_of_no_record_is_one_bad_record(tmp_path: Path, name: str, message: str) -> None:
    make_zip(tmp_path / "g.zip", MEMBERS)
    [bad] = read_games([tmp_path / name])
    assert str(bad).endswith(f": {message}")


def test_one_game_of_several_has_to_be_named(tmp_path: Path) -> None:
    path = tmp_path / "two.sgf"
    path.write_bytes(ONE + TWO)
    with pytest.raises(InputError, match=r"expected one game\. Received: several; name one, such as .*/two\.sgf#1$"):
        read_game(path)
    assert read_game(f"{path}#2").black == "two"
