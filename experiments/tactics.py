"""Tactical positions with their right answers, and how many of them a player solves.

    python -m experiments.tactics MODEL [PLAYER ...] [--problems FILE]

tells how many each player solves with that model.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from goban import diagram
from goban.coords import BLACK, WHITE, colour_name, gtp_name, parse_gtp
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.players import Player, Turn
from ownership.players.gtp_client import GtpClient
from ownership.players.registry import make_player

PROBLEMS = Path(__file__).parents[1] / "tests" / "data" / "tactics.txt"
PLAYERS = (
    "policy:resign=0",
    "greedy:resign=0,candidates=0",
    "alphabeta:resign=0,evaluations=400,nodes=8000",
    "alphabeta:resign=0,evaluations=1000,nodes=20000",
)


@dataclass(frozen=True)
class Problem:
    """A position in which the right move catches or saves the chain at `target`; `answers` are all that do."""

    kind: str
    target: int
    answers: tuple[int, ...]
    position: Position

    @property
    def name(self) -> str:
        """What it is about, for messages."""
        side = self.position.side
        return f"{self.kind} {gtp_name(self.target, side)}\n{diagram.render(self.position.stones)}"

    def turn(self) -> Turn:
        """The problem as a player sees it."""
        return Turn(Game((self.position,), ruleset=RULESETS["chinese"]))


def problems(file: Path = PROBLEMS) -> Iterator[Problem]:
    """Yield all problems of a file: a line `KIND TARGET: ANSWERS, COLOUR to move`, then a diagram."""
    for block in file.read_text("utf-8").strip().split("\n\n"):
        head, _, rows = block.partition("\n")
        title, _, rest = head.partition(": ")
        answers, _, colour = rest.partition(", ")
        kind, _, target = title.rpartition(" ")
        position = Position.from_diagram(rows, {"Black to move": BLACK, "White to move": WHITE}[colour])
        points = tuple(parse_gtp(vertex, position.side) for vertex in answers.split())
        yield Problem(kind, parse_gtp(target, position.side), points, position)


def text_of(problem: Problem) -> str:
    """Return a problem as it stands in a file, with an empty line after it."""
    position, side = problem.position, problem.position.side
    answers = " ".join(gtp_name(point, side) for point in problem.answers)
    title = f"{problem.kind} {gtp_name(problem.target, side)}: {answers}, {colour_name(position.to_move)} to move"
    return f"{title}\n{diagram.render(position.stones, coordinates=False).rstrip()}\n"


def show(gnugo: GtpClient, position: Position) -> None:
    """Set up a position in GNU Go."""
    side, stones = position.side, position.stones.ravel()
    gnugo.ask(f"boardsize {side}")
    gnugo.ask("clear_board")
    for point in np.flatnonzero(stones).tolist():
        gnugo.ask(f"play {colour_name(int(stones[point]))} {gtp_name(point, side)}")


def reads_to(gnugo: GtpClient, position: Position, move: int, target: int, reading: str = "") -> bool:
    """Return whether GNU Go, shown a position, finds the chain at `target` saved, or caught, after a legal move.

    Args: `reading`, "" for captures alone, "owl_" for life and death.
    """
    side, own = position.side, position.stones.flat[target] == position.to_move
    if not position.play(move).stones.flat[target]:
        return True
    gnugo.ask(f"play {colour_name(position.to_move)} {gtp_name(move, side)}")
    answer = gnugo.ask(f"{reading}{'attack' if own else 'defend'} {gtp_name(target, side)}")
    gnugo.ask("undo")
    return answer.startswith("0")


def solved(player: Player, problem: Problem) -> bool:
    """Return whether a player finds an answer."""
    return player.choose(problem.turn(), lambda: False) in problem.answers


def main() -> int:
    """Print how many problems each player solves with a model."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("model")
    parser.add_argument("players", nargs="*", default=PLAYERS, metavar="PLAYER")
    parser.add_argument("--problems", type=Path, default=PROBLEMS, metavar="FILE")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model)
    load: Callable[[str | None], Evaluator] = lambda _: evaluator  # noqa: E731
    found = list(problems(arguments.problems))
    for name in arguments.players:
        player = make_player(name, load)
        right = [solved(player, problem) for problem in found]
        kinds = {problem.kind: [0, 0] for problem in found}
        for problem, each in zip(found, right, strict=True):
            kinds[problem.kind][0] += each
            kinds[problem.kind][1] += 1
        parts = ", ".join(f"{kind} {some} of {many}" for kind, (some, many) in kinds.items())
        print(f"{name}: {sum(right)} of {len(found)} ({parts})", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
