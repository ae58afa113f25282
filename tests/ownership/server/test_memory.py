"""The memory of a server."""

import subprocess
import sys

import pytest

from game_records.game_record import GameRecord
from game_records.record_errors import RecordError
from game_records.registered_formats import parse_record
from ownership.server.kept_records import KeptRecords
from tests.support.paths import ROOT

THREADS = """
import threading, psutil
from runtime.this_process import share_heap

if {shared}:
    share_heap()
before, turns, kept = psutil.Process().memory_info().rss, threading.Barrier({threads} + 1), []

def work(number):
    turns.wait()  # all threads live, each with the heap that it has
    with turn:
        blocks = [bytearray(50_000) for _ in range(200)]
        kept.append(bytearray(5_000))  # at the end of the heap, which cannot shrink below it

turn = threading.Lock()
threads = [threading.Thread(target=work, args=[number]) for number in range({threads})]
for each in threads:
    each.start()
turns.wait()
for each in threads:
    each.join()
print((psutil.Process().memory_info().rss - before) >> 20)
"""


def kept_by_threads(shared: bool) -> int:
    """Return the MiB that 8 threads leave, each of which used and freed 10."""
    command = [sys.executable, "-c", THREADS.format(shared=shared, threads=8)]
    return int(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="concerns glibc")
def test_threads_use_what_others_freed() -> None:
    assert kept_by_threads(shared=True) < 25 < kept_by_threads(shared=False)


class Reader:
    """Counts how often a record is read."""

    def __init__(self) -> None:
        self.read = 0

    def __call__(self, data: bytes) -> GameRecord:
        self.read += 1
        return parse_record(data, "game")[0]


def test_records_that_were_read_last_are_kept_up_to_a_size() -> None:
    texts = [b"(;SZ[%d]C[%s])" % (side, b"x" * 80) for side in (5, 6, 7)]
    reader = Reader()
    kept = KeptRecords(reader, sum(map(len, texts[:2])))
    for number, times in ((0, 1), (1, 2), (0, 2), (1, 2), (0, 2), (2, 3), (0, 3), (1, 4)):
        assert kept(texts[number]).side == number + 5
        assert reader.read == times
    large = b"(;SZ[9]C[%s])" % (b"x" * 300)
    assert kept(large).side == kept(large).side == 9
    assert reader.read == 6
    with pytest.raises(RecordError):
        kept(b"(;SZ[99])")
