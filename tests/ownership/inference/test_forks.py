"""Child processes of `os.fork` evaluate, whatever the threads of their parent were doing."""

import subprocess
import sys
from itertools import count
from typing import Any, cast

import numpy as np
import pytest

from ownership.inference.batching_after_fork import ForkedBatcher
from tests.support.paths import ROOT
from tests.support.waiting import PATIENCE

# Prints the status of each child, 0 where it found the same as its parent.
FORKS = """
import os, sys, threading
from ownership import Evaluator, Position, score_position

evaluator = Evaluator.load("fast")
positions = [Position.empty(9).play(point) for point in range(81)]


def look():
    means = [round(float(each.ownership.mean()), 5) for each in evaluator.evaluate(positions[:12])]
    [single] = evaluator.evaluate(positions[40:41])
    answer = score_position(positions[3], ended=False, evaluator=evaluator)
    return means, round(float(single.ownership.mean()), 5), answer.result


def work(start):
    while True:
        evaluator.clear_cache()
        evaluator.evaluate(positions[start : start + 8])
        evaluator.evaluate(positions[start : start + 1])


expected = look()
for start in range(3):
    threading.Thread(target=work, args=(9 * start,), daemon=True).start()
children = []
for _ in range(5):
    child = os.fork()
    if not child:
        evaluator.clear_cache()
        status = int(look() != expected)
        END
    children.append(child)
    evaluator.evaluate(positions[:5])
print([os.waitpid(child, 0)[1] for child in children], flush=True)
os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no fork")
@pytest.mark.parametrize("end", ["os._exit(status)", "sys.exit(status)"])
def test_forked_children_evaluate_beside_threads(end: str) -> None:
    program = [sys.executable, "-W", "ignore", "-c", FORKS.replace("END", end)]
    found = subprocess.run(program, capture_output=True, text=True, cwd=ROOT, timeout=PATIENCE, check=True)
    assert found.stdout.strip() == str([0] * 5)


class Numbered:
    """A batcher that answers every request with its number."""

    def __init__(self, number: int) -> None:
        self._number = number

    def run(self, _: object) -> Any:
        """Return the number as a network's outputs."""
        return {"number": np.array(self._number)}


def test_each_process_opens_a_batcher_once() -> None:
    numbers, request = count(), cast(Any, None)
    batcher, found = ForkedBatcher(lambda: cast(Any, Numbered(next(numbers)))), []
    for _ in ("parent", "child", "grandchild"):
        found += [int(batcher.run(request)["number"]) for _ in range(3)]
        batcher.reset_in_child()
    assert found == [0, 0, 0, 1, 1, 1, 2, 2, 2]
