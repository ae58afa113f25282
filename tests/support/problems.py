"""Tactical problems: positions with their best moves, in text files, and which of them a player solves.

A file holds blocks with an empty line between them. A block is a line `KIND TARGET: ANSWERS, COLOUR to move`, then a
diagram:

```
ladder, catch B6: C4, Black to move
. . . . . . . . .
O O X O O . . . .
```
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from goban import text_diagram
from goban.coords import BLACK, WHITE, colour_name, gtp_name, parse_gtp
from goban.errors import InputError, shown
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.players.gtp_client import GtpClient
from ownership.players.player_interface import Player, Turn

_TO_MOVE: Final = {"Black to move": BLACK, "White to move": WHITE}
_KOMI: Final = 6.5


@dataclass(frozen=True)
class Problem:
    """A position in which some moves catch or save a chain.

    Attributes:
        kind: the theme and the goal, such as "ladder, catch".
        target: flat index of a stone of the chain.
        answers: flat indices of all moves that reach the goal.
        position: the position, with the side to move.
    """

    kind: str
    target: int
    answers: tuple[int, ...]
    position: Position

    @property
    def title(self) -> str:
        """The first line of the problem in a file."""
        side = self.position.side
        answers = " ".join(gtp_name(point, side) for point in self.answers)
        return f"{self.kind} {gtp_name(self.target, side)}: {answers}, {colour_name(self.position.to_move)} to move"

    def __str__(self) -> str:
        """Return the problem as it stands in a file, with an empty line after it."""
        return f"{self.title}\n{text_diagram.render_text(self.position.stones, coordinates=False).rstrip()}\n"


def read_problems(path: Path) -> Iterator[Problem]:
    """Yield the problems of a file; raise InputError for a block that is none."""
    for block in path.read_text("utf-8").strip().split("\n\n"):
        title, _, rows = block.partition("\n")
        try:
            yield _problem(title, rows)
        except (KeyError, ValueError) as error:
            expected = "expected KIND TARGET: ANSWERS, COLOUR to move, then a diagram"
            raise InputError(f"{path}: {expected}. Received: {shown(title)} ({error})") from error


def _problem(title: str, rows: str) -> Problem:
    head, _, rest = title.partition(": ")
    answers, _, colour = rest.partition(", ")
    kind, _, target = head.rpartition(" ")
    position = Position.from_diagram(rows, _TO_MOVE[colour])
    points = tuple(parse_gtp(vertex, position.side) for vertex in answers.split())
    return Problem(kind, parse_gtp(target, position.side), points, position)


def solves(player: Player, problem: Problem) -> bool:
    """Return whether a player, by Chinese rules, plays one of the answers."""
    game = Game((problem.position,), ruleset=RULESETS["chinese"], komi=_KOMI)
    return player.choose(Turn(game), lambda: False) in problem.answers


def set_up(program: GtpClient, position: Position) -> None:
    """Set up a position in a GTP program; it does not learn about a ko."""
    side, stones = position.side, position.stones.ravel()
    program.ask(f"boardsize {side}")
    program.ask("clear_board")
    for point in np.flatnonzero(stones).tolist():
        program.ask(f"play {colour_name(int(stones[point]))} {gtp_name(point, side)}")


def gnugo_confirms(gnugo: GtpClient, position: Position, move: int, target: int, reading: str = "") -> bool:
    """Return whether GNU Go finds that a legal move saves a chain of the mover, or catches one of the other side.

    Args:
        gnugo: GNU Go, in which the position has been set up.
        position: the position before the move.
        move: flat index.
        target: flat index of a stone of the chain.
        reading: "" for captures alone, "owl_" for life and death.
    """
    side, own = position.side, position.stones.flat[target] == position.to_move
    if not position.play(move).stones.flat[target]:
        return True
    gnugo.ask(f"play {colour_name(position.to_move)} {gtp_name(move, side)}")
    answer = gnugo.ask(f"{reading}{'attack' if own else 'defend'} {gtp_name(target, side)}")
    gnugo.ask("undo")
    return answer.startswith("0")
