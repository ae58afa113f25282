"""python -m experiments.weak_programs GAMES... --judge MODEL [--models MODEL...]

How well models know the ends of games between weak programs, as `ownership match` plays them. A strong network and GNU
Go, which plays the game on, judge every final board; games on which they differ are left out, and so are games that did
not end with two passes. This is behind "Weak programs" in docs/lab/everyday-boards.md.

The columns: finished boards on which `ownership score` is within a point of the judges, those that it calls safe, and
safe ones that are more than a point off; points right on the final boards by the network alone with its last moves; and
its Brier score at every fifth ply of the games.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with
from goban.coords import pass_point
from goban.counting.score import tromp_taylor
from ownership.inference.evaluator import Evaluator
from ownership.scoring.games import ScoredGame, ScoreOptions, score_games
from preprocessing.labels.gnugo import GnuGo, GnuGoError
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games

_EVERY = 5


class Judged(NamedTuple):
    """A game, its final owners int8 (N, N), and its score by area with komi."""

    game: GameRecord
    owner: NDArray[np.int8]
    score: float


def main() -> int:
    """Print a line for each model and board side."""
    parser = argparse.ArgumentParser(prog="python -m experiments.weak_programs", description=main.__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--judge", required=True, metavar="MODEL")
    parser.add_argument("--models", nargs="*", default=["default"], metavar="MODEL")
    arguments = parser.parse_args()
    games = [game for game in read_games(arguments.games) if isinstance(game, GameRecord) and _ended(game)]
    judged = list(_judged(games, Evaluator.load(arguments.judge, cached=0)))
    print(f"{len(judged)} of {len(games)} finished games on which the judges agree")
    print(f"{'model':24}{'side':>6}{'games':>7}{'within 1':>10}{'safe':>6}{'wrong':>7}{'points right':>14}{'Brier':>9}")
    for model in arguments.models:
        evaluator = Evaluator.load(model, cached=0)
        for side in sorted({each.game.side for each in judged}):
            chosen = [each for each in judged if each.game.side == side]
            measured = _scores(chosen, evaluator) + _network(chosen, evaluator)
            print(f"{evaluator.name[:22]:24}{side:6}{len(chosen):7}{measured}", flush=True)
    return 0


def _ended(game: GameRecord) -> bool:
    return bool((game.moves[-2:] == pass_point(game.side)).all())


def _judged(games: Sequence[GameRecord], judge: Evaluator) -> Iterator[Judged]:
    gnugo = GnuGo()
    for answer in score_games(games, judge, ScoreOptions()):
        assert isinstance(answer, ScoredGame)
        try:
            final = gnugo.finish(answer.game)
        except GnuGoError:
            continue
        score, owner = tromp_taylor(final) - answer.game.komi, answer.estimate.owner
        if abs(score - (float(owner.sum()) - answer.game.komi)) < 1:
            yield Judged(answer.game, owner, score)


def _scores(judged: Sequence[Judged], evaluator: Evaluator) -> str:
    answers = score_games([each.game for each in judged], evaluator, ScoreOptions())
    found = [answer.estimate for answer in answers if isinstance(answer, ScoredGame)]
    close = np.array([abs(one.score - each.score) <= 1 for one, each in zip(found, judged, strict=True)])
    safe = np.array([one.safe for one in found])
    return f"{close.sum():10}{safe.sum():6}{(safe & ~close).sum():7}"


def _network(judged: Sequence[Judged], evaluator: Evaluator) -> str:
    ends = evaluator.ownership([each.game.position() for each in judged])
    owners = np.stack([each.owner for each in judged])
    right = ((ends * owners) > 0)[owners != 0].mean()
    plies = [(each, ply) for each in judged for ply in range(0, len(each.game.moves) + 1, _EVERY)]
    squares = []
    for start in range(0, len(plies), 256):
        part = plies[start : start + 256]
        given = evaluator.ownership([each.game.position(ply) for each, ply in part])
        wanted = np.stack([each.owner for each, _ in part])
        squares.append(
            [(np.square(one - owner)[owner != 0] / 4).mean() for one, owner in zip(given, wanted, strict=True)]
        )
    return f"{right:14.2%}{np.mean(list(chain.from_iterable(squares))):9.4f}"


if __name__ == "__main__":
    exit_with(main)
