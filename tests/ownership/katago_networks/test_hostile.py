"""Networks that are made to do harm end in one line, and little of them is read."""

import gzip
import os
import resource
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from goban.errors import InputError
from ownership.cli import main
from ownership.katago_networks.find_networks import find_network
from ownership.katago_networks.katago_file import NetworkFile, read_model
from ownership.katago_networks.weights_parser import KataGoFileError
from tests.support.katago_files import Writer, network_bytes, places_of_blocks, write_network
from tests.support.memory import refused
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE


def nested(depth: int, count: int = 1) -> bytes:
    """Return a file whose trunk begins with blocks inside of each other, `count` announced in each."""
    writer = Writer(True, np.random.default_rng(0), 8)
    writer.words("small", 8, 22, 19, "trunk", 1, 8, 8, 4, 8, 4)
    writer.convolution(3, 22, 8)
    writer.matrix(19, 8)
    for _ in range(depth):
        writer.words("nested_bottleneck_block", "nested", count)
        writer.norm(8)
        writer.convolution(1, 8, 8)
    return b"".join(writer.parts)


def of_claims(*claims: bytes) -> bytes:
    """Return the beginning of a file with other sizes in its trunk and first convolution."""
    content = network_bytes()
    for old, new in zip((b"trunk 3 8", b"conv 3 3 22 8"), claims, strict=True):
        content = content.replace(old, new, 1)
    return content


def with_variance(value: float) -> bytes:
    content = bytearray(network_bytes())
    place = content.find(b"norm 8")
    [_, variance, *_] = (each for each in places_of_blocks(bytes(content)) if each > place)
    content[variance + 5 : variance + 9] = np.array([value], "<f4").tobytes()
    return bytes(content)


HOSTILE = {
    "blocks nested 2,000 deep": (nested(2000), "inside of at most 4 others. Received: blocks inside of 5"),
    "a million tiny blocks": (nested(3, 500), "at most 512 blocks. Received: 1001 or more"),
    "a trunk of a million blocks": (of_claims(b"trunk 1000000 8", b"conv 3 3 22 8"), "a whole number 1..512"),
    "a negative variance": (with_variance(-1), "variances of 0 or more. Received: -1"),
    "more weights than a file of this size can hold": (
        of_claims(b"trunk 3 16384", b"conv 99 99 22 16384") + bytes(50_000_000),
        "at most 4194304 weights in a file of this size. Received: 3532",
    ),
    "a name with control characters": (
        network_bytes(name="\x1b[31mred\x1b]0;title\x07"),
        r"a word that can be printed. Received: '\x1b[31mred\x1b]0;title\x07'",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_network_is_refused_in_a_line(name: str, tmp_path: Path) -> None:
    content, message = HOSTILE[name]
    path = write_network(tmp_path / "net.bin.gz", content)
    with pytest.raises(KataGoFileError) as raised:
        read_model(path)
    assert str(raised.value).startswith(f"{path}: expected a network of KataGo")
    assert message in str(raised.value)
    assert str(raised.value).isprintable()


def damaged_archive(path: Path, method: int, header: int) -> Path:
    """Write an archive of one network whose packed data are damaged after the first bytes of the method."""
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("net.bin.gz", gzip.compress(network_bytes()))
        [info] = archive.infolist()
    content = bytearray(path.read_bytes())
    start = info.header_offset + 30 + len(info.filename) + header
    content[start : start + 200] = b"\xa5" * 200
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("method", "header"),
    [
        (zipfile.ZIP_LZMA, 0),
        (zipfile.ZIP_LZMA, 20),
        (zipfile.ZIP_BZIP2, 0),
        (zipfile.ZIP_BZIP2, 20),
        (zipfile.ZIP_DEFLATED, 0),
    ],
)
def test_damaged_data_of_an_archive(method: int, header: int, tmp_path: Path) -> None:
    path = damaged_archive(tmp_path / "nets.zip", method, header)
    with pytest.raises(InputError, match=r"nets\.zip: net\.bin\.gz: expected") as raised:
        read_model(find_network(path))
    assert str(raised.value).isprintable()


def test_the_names_of_members_are_printed_as_they_can_be(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "nets.zip", "w") as archive:
        archive.writestr("\x1b[2Jnet.bin.gz", b"nothing")
    with pytest.raises(InputError) as raised:
        find_network(tmp_path / "nets.zip")
    assert "\ufffd[2Jnet.bin.gz: expected" in str(raised.value)
    assert str(raised.value).isprintable()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.bin.gz")
    with pytest.raises(KataGoFileError, match=r"expected a file or a folder\. Received: a pipe or a device"):
        find_network(tmp_path / "a.bin.gz")
    write_network(tmp_path / "b.bin.gz", network_bytes())
    assert find_network(tmp_path) == NetworkFile(tmp_path / "b.bin.gz")


def imported(place: Path, output: Path, *limits: tuple[int, int]) -> "subprocess.CompletedProcess[str]":
    """Run `ownership import` in a process with limits of its resources."""

    def limit() -> None:
        for kind, most in limits:
            resource.setrlimit(kind, (most, most))

    command = [sys.executable, "-m", "ownership", "import", str(place), "-o", str(output)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured on Linux")
@pytest.mark.parametrize("name", HOSTILE)
def test_the_command_takes_little_memory_and_time(name: str, tmp_path: Path) -> None:
    content, message = HOSTILE[name]
    path = write_network(tmp_path / "net.bin.gz", content)
    assert message in refused("import", path, "-o", tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_a_folder_of_temporary_files_without_room_is_found_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_network(tmp_path / "net.bin", network_bytes())
    size = path.stat().st_size
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=size - 1))
    monkeypatch.setitem(sys.modules, "ownership.katago_networks.import_network", None)
    assert main(["import", str(path), "-o", str(tmp_path / "model")]) == 2
    message = f"expected room for a copy of the network, {size:,} bytes. Received: {size - 1:,}"
    assert capsys.readouterr().err == f"ownership: error: {tempfile.gettempdir()}: {message}\n"
    assert not (tmp_path / "model").exists()


@pytest.mark.long
def test_a_full_folder_of_temporary_files_ends_in_a_line(tmp_path: Path) -> None:
    """The limit on the size of files stands for a full disk: no network fits a file of so few bytes."""
    pytest.importorskip("tensorflow", reason="making a model needs the train extra")
    path = write_network(tmp_path / "net.bin.gz", network_bytes(14))
    found = imported(path, tmp_path / "model", (resource.RLIMIT_FSIZE, 2000))
    [line] = found.stderr.splitlines()
    assert (found.returncode, found.stdout) == (2, "")
    assert line.startswith("ownership: error: /tmp") and "expected room for a copy of the network" in line
    assert not (tmp_path / "model").exists()


@pytest.mark.long
def test_answers_that_are_no_numbers_are_found_before_the_export(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow", reason="making a model needs the train extra")
    content = bytearray(network_bytes())
    for place in places_of_blocks(bytes(content)):
        content[place + 5 : place + 9] = np.array([3e38], "<f4").tobytes()
    found = imported(write_network(tmp_path / "net.bin", bytes(content)), tmp_path / "model")
    [line] = found.stderr.splitlines()
    assert line.startswith(f"ownership: error: {tmp_path}/net.bin: expected a network that answers with numbers")
