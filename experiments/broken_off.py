"""python -m experiments.broken_off RECORDS... [--games N] [--cuts N...] [--model NAME|DIR]

How often records that break off are called safe to count, and how often their count is more than a point off the
result of the whole game. The records are those of counted games, without their last moves and result; a cut of 0 leaves
them whole. This is behind the table in docs/lab/scoring.md, "Games that break off".
"""

import argparse
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from benchmarks.command import exit_with
from ownership.inference.evaluator import Evaluator
from ownership.scoring.games import ScoredGame, ScoreOptions, score_games
from preprocessing.records.game import GameRecord
from preprocessing.records.properties import parse_result
from preprocessing.records.sources import read_games

_SHORTEST = 150  # moves


def main() -> int:
    """Print a line for each number of moves that are cut off."""
    parser = argparse.ArgumentParser(prog="python -m experiments.broken_off", description=main.__doc__)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--cuts", type=int, nargs="+", default=[0, 20, 40, 60, 80], metavar="N")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args()
    games = list(islice(_counted(arguments.records), arguments.games))
    evaluator = Evaluator.load(arguments.model)
    print(f"{len(games)} games\nmoves cut off  counted   safe  safe, but more than 1 point off")
    for cut in arguments.cuts:
        found = score_games([_without(game, cut) for game in games], evaluator, ScoreOptions())
        pairs = zip(games, found, strict=True)
        scored = [(game, each.estimate) for game, each in pairs if isinstance(each, ScoredGame)]
        counted = sum(answer.finished for _, answer in scored)
        errors = [answer.score - (game.result.score or 0.0) for game, answer in scored if answer.safe]
        print(f"{cut:>13} {counted:>8} {len(errors):>6} {sum(abs(error) > 1 for error in errors):>32}", flush=True)
    return 0


def _counted(paths: list[str]) -> Iterator[GameRecord]:
    for game in read_games(paths):
        if isinstance(game, GameRecord) and game.result.score is not None and len(game.moves) > _SHORTEST:
            yield game


def _without(game: GameRecord, cut: int) -> GameRecord:
    """Return the record without its last moves, its result and its territory."""
    if not cut:
        return game
    moves, colours = game.moves[:-cut], game.colours[:-cut]
    return replace(game, moves=moves, colours=colours, result=parse_result(""), territory=None)


if __name__ == "__main__":
    exit_with(main)
