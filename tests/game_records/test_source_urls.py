"""Games at URLs: read like files, and their errors."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from game_records.record_errors import BadRecord
from game_records.record_sources import read_games
from tests.support.archives import MEMBERS, ONE, TWO, make_tar, make_zip, seen


@pytest.fixture
def memory() -> Iterator[str]:
    """The URL of a folder in memory."""
    fsspec = pytest.importorskip("fsspec")
    yield "memory://games"
    store = fsspec.filesystem("memory")
    store.rm("/games", recursive=True)


def upload(folder: Path, url: str) -> None:
    store = pytest.importorskip("fsspec").filesystem("memory")
    for path in folder.rglob("*"):
        if path.is_file():
            store.pipe_file(f"{url}/{path.relative_to(folder)}", path.read_bytes())


def test_a_url_is_read_like_a_path(tmp_path: Path, memory: str) -> None:
    folder = tmp_path / "games"
    (folder / "b" / "deep").mkdir(parents=True)
    (folder / "b" / "deep" / "x.sgf").write_bytes(ONE + TWO)
    (folder / "b" / "readme.txt").write_bytes(ONE)
    (folder / "a[1]*.SGF").write_bytes(TWO)
    make_zip(folder / "b" / "z.zip", MEMBERS)
    make_tar(folder / "c.tar.xz", MEMBERS)
    (folder / "d.zip").write_bytes(b"damaged")
    upload(folder, memory)
    expected = seen(folder)
    assert len(expected) == 12
    for url in (memory, f"{memory}/", f"file://{folder}", f"local://{folder}"):
        assert seen(url) == expected
    for name in ("a[1]*.SGF", "b/z.zip", "c.tar.xz", "d.zip", "b", "b/readme.txt"):
        assert seen(f"{memory}/{name}") == seen(folder / name)


def test_the_source_of_a_game_is_its_url(tmp_path: Path, memory: str) -> None:
    make_zip(tmp_path / "a.zip", {"in.sgf": ONE + TWO})
    upload(tmp_path, memory)
    for place in (memory, f"{memory}/a.zip"):
        assert [record.source for record in read_games([place])] == [f"memory://games/a.zip/in.sgf#{n}" for n in (1, 2)]


def test_a_url_may_end_in_a_query(tmp_path: Path, memory: str) -> None:
    make_zip(tmp_path / "a.zip?key=1", {"in.sgf": ONE})
    upload(tmp_path, memory)
    assert seen(f"{memory}/a.zip?key=1") == ["a.zip?key=1/in.sgf: one"]


BAD_URLS = [
    ("memory://none/a.sgf", "No such file or directory"),
    ("memory://none", "No such file or directory"),
    ("ftp://127.0.0.1:1/a.sgf", "Connection refused"),
    ("nosuch://a.sgf", "nosuch:// cannot be used: Protocol not known: nosuch"),
    ("github://a.sgf", "github:// cannot be used"),
]


@pytest.mark.parametrize(("url", "detail"), BAD_URLS)
def test_a_url_that_cannot_be_read_is_one_bad_record(url: str, detail: str) -> None:
    pytest.importorskip("fsspec")
    (record,) = read_games([url])
    assert str(record).startswith(f"{url}: unreadable: {detail}")


@pytest.mark.skipif(find_spec("s3fs") is not None, reason="s3fs is installed")
def test_a_url_whose_package_is_missing_names_it() -> None:
    pytest.importorskip("fsspec")
    (record,) = read_games(["s3://bucket/a.zip"])
    assert str(record) == "s3://bucket/a.zip: unreadable: s3:// cannot be used: Install s3fs to access S3"


def test_a_url_shows_no_password() -> None:
    pytest.importorskip("fsspec")
    (record,) = read_games(["ftp://me:secret@127.0.0.1:1/a.sgf"])
    assert record.source == "ftp://me@127.0.0.1:1/a.sgf" and "secret" not in str(record)


def test_what_goes_wrong_while_a_url_is_read_is_one_bad_record(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    path = make_zip(tmp_path / "a.zip", {"in.sgf": ONE * 50})
    url = f"zip://in.sgf::local://{path}"
    assert len(seen(url)) == 50
    data = bytearray(path.read_bytes())
    data[data.index(b"in.sgf") + 10] ^= 0xFF
    path.write_bytes(data)
    assert [record.reason for record in read_games([url]) if isinstance(record, BadRecord)] == ["unreadable"]


WITHOUT = """
import sys
sys.modules["fsspec"] = None
from game_records.record_sources import read_games
url, game = read_games(["memory://games", sys.argv[1]])
print(url, game.black, sep="\\n")
"""


def test_without_fsspec_paths_are_read_and_urls_name_the_package(tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(ONE)
    command = [sys.executable, "-c", WITHOUT, str(tmp_path / "a.sgf")]
    url, player = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert url.startswith("memory://games: unreadable: ") and "pip install -e '.[train]'" in url
    assert player == "one"
