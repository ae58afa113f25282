"""Finished positions with known answers, drawn in `finished/*.txt`.

A block is a line `# name`, perhaps lines `# to move: O` or `# source: what the rules say`, and the rows of the
board in the marks of `ownership score`: X O living stones, x o dead ones, + an empty point of Black's,
- of White's, . neutral (dame, or an eye in seki). A * is territory that its owner has to fill once the dame are filled
(teire).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, EMPTY, WHITE
from goban.position import Position
from tests.support.paths import DATA

DIRECTORY: Final = DATA / "finished"

_TO_MOVE: Final = "to move: "
_SOURCE: Final = "source: "
_COLOUR: Final = {"X": BLACK, "x": BLACK, "O": WHITE, "o": WHITE, "+": EMPTY, "-": EMPTY, ".": EMPTY, "*": EMPTY}
_OWNER: Final = {"X": BLACK, "x": WHITE, "O": WHITE, "o": BLACK, "+": BLACK, "-": WHITE, ".": EMPTY, "*": EMPTY}
_DEAD: Final = {mark: mark in "xo" for mark in _COLOUR}


@dataclass(frozen=True, eq=False)
class FinishedPosition:
    """A position at which both players pass, and the answer.

    Attributes: `theme`, the name of its file; `name`; `position`; `dead` bool (N, N); `owner` int8 (N, N), 1 Black,
    -1 White, 0 neutral, under territory rules; `teire`
    bool (N, N), points of territory to be filled, 0 in `owner`; `source`, the article of the rules that decides, or "".
    """

    theme: str
    name: str
    position: Position
    dead: NDArray[np.bool_]
    owner: NDArray[np.int8]
    teire: NDArray[np.bool_]
    source: str

    def __str__(self) -> str:
        """Return what a test prints about it."""
        return f"{self.theme}: {self.name}"


def finished_positions() -> list[FinishedPosition]:
    """Return all positions, by theme and then as drawn."""
    return [position for path in sorted(DIRECTORY.glob("*.txt")) for position in parse(path.stem, path.read_text())]


def parse(theme: str, text: str) -> Iterator[FinishedPosition]:
    """Yield the positions drawn in a text; raise ValueError for one that is drawn wrongly."""
    for block in text.strip().split("\n\n"):
        lines = block.splitlines()
        comments = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
        rows = [line.split(" ") for line in lines if not line.startswith("# ")]
        try:
            yield _finished_position(theme, comments, rows)
        except (KeyError, ValueError) as error:
            raise ValueError(f"expected a name and N rows of N marks. Received ({error!r}):\n{block}") from error


def _finished_position(theme: str, comments: list[str], rows: list[list[str]]) -> FinishedPosition:
    name, *rest = comments
    movers = [text.removeprefix(_TO_MOVE) for text in rest if text.startswith(_TO_MOVE)]
    sources = [text.removeprefix(_SOURCE) for text in rest if text.startswith(_SOURCE)]
    if len(movers) + len(sources) < len(rest):
        raise ValueError(f"expected '{_TO_MOVE}' or '{_SOURCE}'")
    to_move = {"X": BLACK, "O": WHITE}[movers[0]] if movers else BLACK
    stones = np.array([[_COLOUR[mark] for mark in row] for row in rows], np.int8)
    dead = np.array([[_DEAD[mark] for mark in row] for row in rows], np.bool_)
    owner = np.array([[_OWNER[mark] for mark in row] for row in rows], np.int8)
    teire = np.array([[mark == "*" for mark in row] for row in rows], np.bool_)
    position = Position.from_stones(stones, to_move)
    return FinishedPosition(theme, name, position, dead, owner, teire, "".join(sources))
