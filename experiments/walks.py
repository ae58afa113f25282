"""python -m experiments.walks [NAME ...]

Which files of the project a program walks through: those with a function that Python enters while the program works.
Functions that are called while modules are imported do not count, nor do kernels, which numba has compiled. Prints for
each walk the number of files and of their lines, then the files; by default for all walks. This is behind
docs/lab/tests.md, "The files of a walk".
"""

import io
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from types import FrameType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PRODUCT: Final = ("goban", "preprocessing", "ownership", "gogui_plugin", "viz")
GAME: Final = ROOT / "examples" / "finished-19x19.sgf"
IMPORTS: Final = "<frozen importlib._bootstrap>"  # the file of the functions that import modules


class Walk(threading.local):
    """A profiler of all threads that keeps the files of the functions which are entered, but for those of imports."""

    entered: Final[set[str]] = set()
    importing = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Take note of a call, or of a return."""
        if frame.f_code.co_filename == IMPORTS:
            self.importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not self.importing:
            self.entered.add(frame.f_code.co_filename)

    def files(self) -> list[Path]:
        """Return the files of the project among them, relative to its root and sorted."""
        inside = (Path(name).relative_to(ROOT) for name in self.entered if name.startswith(f"{ROOT}/"))
        return sorted(path for path in inside if path.parts[0] in PRODUCT)


@contextmanager
def walking(walk: Walk) -> Iterator[None]:
    """Let a walk see what this thread calls, and those that begin in the block."""
    threading.setprofile(walk)
    sys.setprofile(walk)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def score(walk: Walk) -> None:
    """Walk through `ownership score`."""
    from ownership.cli import main

    with walking(walk), redirect_stdout(io.StringIO()):
        main(["score", str(GAME)])


def post_score(walk: Walk) -> None:
    """Walk through the answer to POST /score, the start of the server left out."""
    from starlette.testclient import TestClient

    from ownership.inference.evaluator import Evaluator
    from ownership.server.app import create_app

    app = create_app(Evaluator.load())
    with walking(walk):
        answer = TestClient(app, base_url="http://localhost").post("/score", json={"sgf": GAME.read_text()})
    answer.raise_for_status()


def kata_analyze(walk: Walk) -> None:
    """Walk through `ownership-gtp`, from its start to the first lines of kata-analyze."""
    from tests.support.gtp import Inside

    with walking(walk):
        engine = Inside()
        engine.value(f"loadsgf {GAME}")
        engine.value("undo")
        engine.value("undo")
        engine.send("kata-analyze 10\n")
        while not engine.read(b"\n").startswith("info"):
            pass
        engine.ask("quit")
        engine.close()


def train(walk: Walk) -> None:
    """Walk through `ownership train`, for 64 positions of one game."""
    from ownership.cli import main
    from preprocessing.dataset.shards import write_shard
    from preprocessing.storage import Folder
    from tests.support.datasets import rows_of, write_dataset

    with tempfile.TemporaryDirectory() as folder:
        data, output = write_dataset(Path(folder) / "data"), Path(folder) / "model"
        write_shard(Folder(data), 1, [row | {"split": "validation", "id": "0" * 16} for row in rows_of(data)])
        small = ("--filters", "8", "--blocks", "1", "--batch-size", "16", "--samples", "64")
        with walking(walk), redirect_stdout(io.StringIO()):
            main(["train", str(data), "--output", str(output), *small])


WALKS: Final[dict[str, Callable[[Walk], None]]] = {
    "score": score,
    "POST /score": post_score,
    "kata-analyze": kata_analyze,
    "train": train,
}


def main() -> int:
    """Print the walks, each from a process of its own, in which nothing is cached."""
    names = sys.argv[1:] or list(WALKS)
    if len(names) > 1:
        return max(subprocess.run([sys.executable, "-m", "experiments.walks", name]).returncode for name in names)
    walk = Walk()
    WALKS[names[0]](walk)
    lines = {path: len((ROOT / path).read_text().splitlines()) for path in walk.files()}
    print(f"{names[0]}: {len(lines)} files, {sum(lines.values()):,} lines")
    for folder in sorted({path.parent for path in lines}):
        inside = [path for path in lines if path.parent == folder]
        print(f"  {folder}, {len(inside)}: {', '.join(f'{path.stem} {lines[path]}' for path in inside)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
