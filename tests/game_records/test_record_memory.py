"""The memory and time that reading records takes, however large they are."""

import resource
import subprocess
import sys
import zipfile
from itertools import islice
from pathlib import Path

import pytest

from game_records.record_sources import read_games
from game_records.sgf_collection import split_games
from tests.support.archives import ONE, TWO, make_tar, make_zip
from tests.support.memory import peak


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
        (tmp_path / name).write_bytes(head + unit * ((60 << 20) // len(unit)) + b"])")
    lines, memory = read_apart(*(tmp_path / name for name in HUGE))
    assert lines == [f"{tmp_path.name}/{name}: {reason}" for name, (_, _, reason) in HUGE.items()]
    assert memory < 150


@needs_proc
@pytest.mark.slow
def test_an_archive_bomb_costs_one_line_and_little_memory(tmp_path: Path) -> None:
    blanks = b" " * (128 << 20)
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
    assert memory < 200
