"""python -m experiments.foresight GAMES... --player alphabeta [--models MODEL...]

Whether models predict which of its games a player is going to win. This is behind the table "ranked right" in
docs/lab/consequences.md, "Measured".

GAMES are folders or files of records, such as those that `ownership match` keeps. A model that does not predict why
the player loses expects nearly the same score in lost games as in won ones.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with
from goban.coords import BLACK, WHITE
from ownership.inference.evaluator import Evaluator
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games

_EVERY = 3  # moves between two positions

Leads = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PlayerGame:
    """A game and the colour of the player in question."""

    record: GameRecord
    colour: int

    @property
    def won(self) -> bool:
        """Whether the player won."""
        return self.record.result.winner == self.colour


def main() -> int:
    """Print two lines for each model."""
    parser = argparse.ArgumentParser(prog="python -m experiments.foresight", description=main.__doc__)
    parser.add_argument("games", nargs="+", metavar="GAMES")
    parser.add_argument("--player", required=True, help="part of its name in the records")
    parser.add_argument("--models", nargs="*", default=["default"], metavar="MODEL")
    arguments = parser.parse_args()
    games = games_of(arguments.player, arguments.games)
    if not (any(game.won for game in games) and any(not game.won for game in games)):
        parser.error(
            f"expected games that {arguments.player} won and lost. Received: {len(games)} with it and a winner"
        )
    print(f"{len(games)} games of {arguments.player}, {sum(game.won for game in games)} won\n")
    print(f"{'points that it seems to be ahead':44}{'in games won':>14}{'lost':>8}{'ranked right':>12}")
    for model in arguments.models:
        evaluator = Evaluator.load(model, cached=0)
        halves = [(game.won, *np.array_split(leads(evaluator, game), 2)) for game in games]
        for half, title in ((1, "first half"), (2, "second half")):
            won = np.concatenate([row[half] for row in halves if row[0]])
            lost = np.concatenate([row[half] for row in halves if not row[0]])
            print(
                f"{f'{model}, {title}':44}{won.mean():+14.1f}{lost.mean():+8.1f}{ranked_right(won, lost):12.1%}",
                flush=True,
            )
    return 0


def games_of(player: str, paths: Sequence[str]) -> list[PlayerGame]:
    """Return the games with a winner in which one side alone has a name with `player` in it."""
    found = list(read_games(paths))
    for bad in found:
        if not isinstance(bad, GameRecord):
            print(bad, file=sys.stderr)
    games = [game for game in found if isinstance(game, GameRecord) and game.result.winner]
    return [
        PlayerGame(game, BLACK if player in game.black else WHITE)
        for game in games
        if (player in game.black) != (player in game.white)
    ]


def leads(evaluator: Evaluator, game: PlayerGame) -> Leads:
    """Return by how many points the player seems to be ahead by area in every third position, float64 (P,)."""
    ownership = evaluator.ownership(list(game.record.positions())[::_EVERY])
    found: Leads = game.colour * (ownership.sum(axis=(1, 2), dtype=np.float64) - game.record.komi)
    return found


def ranked_right(won: Leads, lost: Leads) -> float:
    """Return how often the player seems to be further ahead in a position of a game won than in one of a game lost."""
    return float((won[:, None] > lost).mean() + (won[:, None] == lost).mean() / 2)


if __name__ == "__main__":
    exit_with(main)
