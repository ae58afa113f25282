"""A folder behaves alike on disk and at URLs, and never shows half a file."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from goban.errors import InputError
from runtime.folders import Folder
from runtime.safe_writing import check_writable, one_writer, replacing

fsspec = pytest.importorskip("fsspec")
PLACES = {
    "disk": "{folder}/deep/data",
    "disk by its URL": "file://{folder}/deep/data/",
    "disk by fsspec": "local://{folder}/deep/data",
    "memory": "memory://{folder}/deep/data",
    "memory, a name with wildcards": "memory://{folder}/run[1]*/a b",
}


@pytest.fixture(params=PLACES)
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Folder]:
    """A folder that does not exist yet."""
    yield Folder(PLACES[request.param].format(folder=tmp_path))
    store = fsspec.filesystem("memory")
    if store.exists(str(tmp_path)):
        store.rm(str(tmp_path), recursive=True)


def test_a_folder_has_one_writer_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new"
    script = (
        f"from runtime.safe_writing import one_writer\nwith one_writer({str(folder)!r}): print(flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        with pytest.raises(InputError, match=f"^{folder}: another command writes there"), one_writer(folder):
            pass
        process.kill()
    with one_writer(folder):
        pass
    with one_writer("memory://one-writer"), one_writer("memory://one-writer"):
        pass


def test_files_are_written_listed_read_replaced_and_removed(folder: Folder) -> None:
    assert folder.names() == []
    folder.write("b.bin", b"two")
    folder.write("a.bin", b"\0" * 100_000)
    assert folder.names() == ["a.bin", "b.bin"]
    assert folder.read("a.bin") == b"\0" * 100_000 and folder.size("a.bin") == 100_000
    folder.write("a.bin", b"")
    assert folder.read("a.bin") == b"" and folder.size("a.bin") == 0
    folder.remove("a.bin")
    folder.remove("a.bin")
    assert folder.names() == ["b.bin"]


def test_a_file_can_be_read_in_any_order(folder: Folder) -> None:
    folder.write("a.bin", bytes(range(256)) * 1000)
    with folder.open("a.bin") as stream:
        assert stream.seek(-2, 2) == 255_998
        assert stream.read() == b"\xfe\xff"
        stream.seek(1)
        assert stream.tell() == 1 and stream.read(3) == b"\1\2\3"


def test_only_the_files_directly_inside_are_listed(folder: Folder) -> None:
    folder.write("a.bin", b"a")
    Folder(f"{folder}/inner").write("b.bin", b"b")
    assert folder.names() == ["a.bin"]


def test_what_a_killed_writer_left_is_not_listed_and_is_replaced(folder: Folder) -> None:
    folder.write("a.bin.partial", b"hal")
    assert folder.names() == []
    folder.write("a.bin", b"whole")
    assert folder.names() == ["a.bin"] and folder.read("a.bin") == b"whole"


def test_a_missing_file_is_named(folder: Folder) -> None:
    folder.write("a.bin", b"a")
    for ask in (folder.read, folder.size, folder.open):
        with pytest.raises(FileNotFoundError, match=r"gone\.bin"):
            ask("gone.bin")


def test_a_file_is_no_folder(folder: Folder) -> None:
    folder.write("a.bin", b"a")
    file = Folder(str(folder).rstrip("/") + "/a.bin")
    with pytest.raises(NotADirectoryError):
        file.names()
    with pytest.raises(OSError, match=r"a\.bin"):
        file.write("b.bin", b"b")


def test_a_folder_is_a_value(folder: Folder) -> None:
    assert pickle.loads(pickle.dumps(folder)) == folder == Folder(folder.place)
    assert folder != Folder("elsewhere") and len({folder, Folder(folder.place)}) == 1


@pytest.mark.parametrize("place", ["data", "data/", "memory://data", "s3://bucket/data/"])
def test_a_folder_is_called_what_the_user_called_it(place: str) -> None:
    assert str(Folder(place)) == place


FULL = """
import resource, sys
from runtime.safe_writing import check_writable, one_writer, replacing
from runtime.folders import Folder
folder = Folder(sys.argv[1])
folder.write("old.bin", b"old")
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
for name in ("new.bin", "old.bin"):
    try:
        folder.write(name, bytes(1_000_000))
    except OSError as error:
        print(error.strerror)
"""


@pytest.mark.parametrize("scheme", ["", "file://", "local://"])
def test_a_full_disk_leaves_the_old_file_and_nothing_half_written(tmp_path: Path, scheme: str) -> None:
    command = [sys.executable, "-c", FULL, f"{scheme}{tmp_path}"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout == "File too large\n" * 2
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("old.bin", b"old")]


KILLED = """
import resource, signal, sys
from runtime.safe_writing import check_writable, one_writer, replacing
from runtime.folders import Folder
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
Folder(sys.argv[1]).write("a.bin", bytes(1_000_000))
"""


def test_a_writer_that_is_killed_half_way_shows_no_file(tmp_path: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, tmp_path], capture_output=True)
    assert killed.returncode == -signal.SIGXFSZ and any(tmp_path.iterdir())
    assert Folder(tmp_path).names() == []


@pytest.mark.parametrize(
    ("place", "message"),
    [("nosuch://data", "nosuch:// cannot be used: Protocol not known"), ("github://data", "github:// cannot be used")],
)
def test_a_url_that_cannot_be_used(place: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Folder(place).names()


def test_a_server_that_does_not_answer_is_an_oserror() -> None:
    with pytest.raises(OSError, match=r"ftp://"):
        Folder("ftp://127.0.0.1:1/data").names()


def test_a_server_that_cannot_be_written_is_an_oserror(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"a\.bin"):
        Folder("data://").write("a.bin", b"a")


WITHOUT = """
import sys
sys.modules["fsspec"] = None
from goban.errors import InputError
from runtime.safe_writing import check_writable, one_writer, replacing
from runtime.folders import Folder
Folder(sys.argv[1]).write("a.bin", b"a")
try:
    Folder("memory://data").names()
except InputError as error:
    print(error)
"""


def test_only_urls_need_fsspec(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, str(tmp_path)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    assert answer.stdout == "memory:// needs fsspec, which is not installed: in a clone, pip install -e '.[train]'\n"
    assert (tmp_path / "a.bin").read_bytes() == b"a"


def test_a_replaced_file_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), replacing(target) as partial:
        partial.write_text("half")
        raise ZeroDivisionError
    assert target.read_text() == "old" and os.listdir(tmp_path) == ["a.csv"]
    with replacing(target) as partial:
        assert partial.suffix == ".csv"
        partial.write_text("new")
        assert target.read_text() == "old"
    assert target.read_text() == "new" and os.listdir(tmp_path) == ["a.csv"]


def test_replacing_a_link_keeps_it(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link.csv").symlink_to(Path("there") / "file.csv")
    check_writable(tmp_path / "link.csv")
    with replacing(tmp_path / "link.csv") as partial:
        partial.write_text("new")
    assert (tmp_path / "link.csv").is_symlink() and os.listdir(tmp_path / "there") == ["file.csv"]


def test_a_pipe_and_a_device_are_written_to_and_stay() -> None:
    with replacing("/dev/null") as path:
        path.write_text("gone")
    assert Path("/dev/null").is_char_device()
    reader, writer = os.pipe()
    pipe = Path(f"/dev/fd/{writer}")
    check_writable(pipe)
    with replacing(pipe) as path:
        path.write_text("new")
    os.close(writer)
    with open(reader) as stream:
        assert stream.read() == "new"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_device_is_named() -> None:
    with pytest.raises(OSError, match="No space") as error, replacing("/dev/full") as path:
        path.write_text("new")
    assert error.value.filename == "/dev/full" and Path("/dev/full").is_char_device()


def test_what_cannot_be_written_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing" / "a.csv"):
        with pytest.raises(OSError) as error:
            check_writable(path)
        assert error.value.filename == str(path)
