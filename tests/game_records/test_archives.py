"""Archives: damaged and encrypted ones, and the limits of their expanded size."""

import io
import os
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records.archives import zip_members
from game_records.game_record import GameRecord
from game_records.record_errors import RECORD_REASONS
from game_records.record_sources import read_games
from tests.support.archives import ONE, TWO, make_tar, make_zip, seen


def test_an_encrypted_or_damaged_member_costs_no_other(tmp_path: Path) -> None:
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
