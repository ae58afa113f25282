"""Tactical positions with their right answers, and how many of them a player solves.

    python -m tests.ownership.tactics MODEL [PLAYER ...] [--problems FILE]

tells how many each player solves with that model.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from goban import diagram
from goban.coords import BLACK, EMPTY, WHITE, colour_name, gtp_name, parse_gtp
from goban.kernels import liberties
from goban.ladders import ladders
from goban.position import Position
from goban.regions import pass_alive
from goban.scoring import RULESETS
from ownership.evaluator import Evaluator
from ownership.gtp_client import GtpClient
from ownership.players import Player, Situation
from ownership.players.registry import make_player
from ownership.search.evaluation import Leaf
from ownership.search.survey import ATARIS, CAPTURES, SAVES, survey

PROBLEMS = Path(__file__).with_name("tactics.txt")
PLAYERS = (
    "policy:resign=0",
    "ownership1:resign=0,candidates=0",
    "alphabeta:resign=0,evaluations=400,nodes=8000",
    "alphabeta:resign=0,evaluations=1000,nodes=20000",
)
_CAUGHT, _LIVING, _LADDER, _MOST_LIBERTIES = 40.0, 20.0, 5.0, 5
_NEAR, _FAR, _WEAK = 0.3, 0.002, 3

Board = NDArray[np.bool_]


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

    def situation(self) -> Situation:
        """The problem as a player sees it."""
        earlier = frozenset({self.position.hash})
        return Situation(self.position, earlier, 30, RULESETS["chinese"], 6.5, 0)


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


class Goal:
    """An evaluation that wants one chain caught or saved; it knows its liberties, ladders and pass-alive shapes."""

    def __init__(self, problem: Problem) -> None:
        self._target = problem.target
        self._colour = int(problem.position.stones.flat[problem.target])

    def evaluate(self, positions: Sequence[Position]) -> list[Leaf]:
        """Return how well the chain does, and a policy that prefers what happens around it."""
        return [Leaf(self.count(position), self._policy(position)) for position in positions]

    def count(self, position: Position) -> float:
        """Return how well the chain does, for Black."""
        if position.stones.flat[self._target] != self._colour:
            return -_CAUGHT * self._colour
        if pass_alive(position.side, position.stones.ravel().copy())[self._target] == self._colour:
            return _LIVING * self._colour
        left = int((_beside(self._chain(position)) & (position.stones == EMPTY)).sum())
        moves_first = position.to_move == (self._colour if left == 1 else -self._colour)
        if left <= 2 and moves_first:
            caught = ladders(position.side, position.stones.ravel().copy(), self._colour)[0]
            if caught[self._target]:
                return (_LADDER - _CAUGHT) * self._colour
        return float(min(_MOST_LIBERTIES, left) * self._colour)

    def _chain(self, position: Position) -> Board:
        ids = position.chain_ids()
        chain: Board = ids == ids.flat[self._target]
        return chain

    def _policy(self, position: Position) -> NDArray[np.float32]:
        side = position.side
        marks = survey(side, position.stones.ravel().copy(), position.to_move)
        chances = np.full(side * side + 1, _FAR, np.float32)
        if position.stones.flat[self._target] == self._colour:
            chances[:-1][self._around(position).ravel()] += _NEAR
        for kind, chance in ((ATARIS, 0.05), (SAVES, 0.1), (CAPTURES, 0.2)):
            chances[:-1][(marks & kind) != 0] += chance
        chances *= position.legal_moves()
        chances /= chances.sum()
        return chances

    def _around(self, position: Position) -> Board:
        """Return the liberties of the chain and of weak chains beside it, and the points next to these."""
        ids, target = position.chain_ids(), self._chain(position)
        left = liberties(position.side, position.stones.ravel().copy(), ids.ravel()).reshape(ids.shape)
        weak = target | np.isin(ids, ids[_beside(target) & (position.stones != EMPTY) & (left <= _WEAK)])
        near: Board = _beside(weak) & (position.stones == EMPTY)
        return np.logical_or(near, _beside(near))


def _beside(points: Board) -> Board:
    """Return the points next to some points, bool (N, N)."""
    framed = np.pad(points, 1)
    beside: Board = (framed[:-2, 1:-1] | framed[2:, 1:-1] | framed[1:-1, :-2] | framed[1:-1, 2:]) & ~points
    return beside


def solved(player: Player, problem: Problem) -> bool:
    """Return whether a player finds an answer."""
    return player.choose(problem.situation(), lambda: False) in problem.answers


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
