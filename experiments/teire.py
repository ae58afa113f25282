"""python -m experiments.teire RECORDS... [--limit N] [--model NAME|DIR] [--program COMMAND] [--played-on 40]

How often counted games end with protective moves (teire) left, and what the recorded scores make of them. This is
behind docs/lab/scoring.md, "Teire are named, not deducted".

With `--program`, a GTP program that plays by area rules, where a protective move costs nothing, plays the first of
these games on until both sides pass, once with Black and once with White to move first. Printed is at how many of the
named points their owner plays.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from benchmarks.command import exit_with
from experiments.final_scores import counted_games
from goban.coords import BLACK, WHITE, colour_letter, gtp_name, gtp_names
from goban.counting.estimate import Estimate
from ownership.inference.evaluator import Evaluator
from ownership.players.gtp_client import GtpClient, program
from ownership.scoring.games import ScoredGame, ScoreOptions, score_games

_MOST_MOVES = 200


def main() -> int:
    """Print the counts, and with --program the moves of each game that is played on."""
    parser = argparse.ArgumentParser(prog="python -m experiments.teire", description=main.__doc__)
    parser.add_argument("records", nargs="+")
    parser.add_argument("--limit", type=int, metavar="N", help="counted games of each file or folder (all)")
    parser.add_argument("--model", metavar="NAME|DIR")
    parser.add_argument("--program", metavar="COMMAND", help="plays on")
    parser.add_argument("--played-on", type=int, default=40, metavar="N", help="games (%(default)s)")
    arguments = parser.parse_args()
    evaluator = Evaluator.load(arguments.model, cached=0)
    games = counted_games(arguments.records, arguments.limit)
    answers = [each for each in score_games(games, evaluator, ScoreOptions()) if isinstance(each, ScoredGame)]
    found = [each for each in answers if each.estimate.teire.any()]
    deducted = np.array([_with_protective_moves(each.estimate) - (each.game.result.score or 0) for each in found])
    errors = deducted + [(each.estimate.teire * each.estimate.owner).sum() for each in found]
    print(f"{len(found)} of {len(answers)} games have protective moves left")
    print(f"{(errors == 0).sum()} have the recorded score as they stand, {(deducted == 0).sum()} less these points")
    if arguments.program:
        _play_on(found[: arguments.played_on], program(arguments.program))
    return 0


def _with_protective_moves(estimate: Estimate) -> float:
    return estimate.score - estimate.protective_points


def _play_on(games: Sequence[ScoredGame], command: Sequence[str]) -> None:
    """Print for each game, and for all, how many of the named points their owner plays at."""
    named = played = 0
    with GtpClient(command) as client:
        for each in games:
            teire = set(gtp_names(each.estimate.teire))
            for first in (BLACK, WHITE):
                filled = teire & _moves_after(each, client, first)
                named, played = named + len(teire), played + len(filled)
                print(f"{each.game.source}, {colour_letter(first)} first: {len(filled)} of {len(teire)}", flush=True)
    print(f"{client.name} plays at {played} of {named} named points")


def _moves_after(scored: ScoredGame, client: GtpClient, mover: int) -> set[str]:
    """Return the points of their own that both sides play at until they pass."""
    side = scored.game.side
    for command in (f"boardsize {side}", "clear_board", f"komi {scored.game.komi}"):
        client.ask(command)
    for point, colour in enumerate(scored.position.stones.flat):
        if colour:
            client.ask(f"play {colour_letter(int(colour))} {gtp_name(point, side)}")
    played = set[str]()
    passes = 0
    for _ in range(_MOST_MOVES):
        move = client.ask(f"genmove {colour_letter(mover)}").upper()
        passes = passes + 1 if move in ("PASS", "RESIGN") else 0
        if passes == 2:
            break
        owns = scored.estimate.owner == mover
        played |= {move} & set(gtp_names(owns))
        mover = -mover
    return played


if __name__ == "__main__":
    exit_with(main)
