"""python -m experiments.move_losses JUDGE PLAYER... --records RECORD... [--every 6] [--close 25]

Points that moves of players lose, in positions of games: the lead that a strong network, JUDGE, expects after each
move, beside that after the best of all their moves. This is behind "How much it explores" in docs/lab/play.md.

A difference of a tenth of a point a move, which matches of some hundred games hardly show, needs a few hundred
positions. Positions in which one side leads by more than `--close` points are left out.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.command import exit_with, parser_of
from goban.errors import InputError
from goban.game import Game
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.players.base import Player, Turn
from ownership.players.registry import make_player
from preprocessing.records.sgf import parse_game

_LOOKS = (0, 3)  # symmetries of the judge


def main() -> int:
    """Print a line for each player."""
    parser = parser_of("experiments.move_losses", __doc__)
    parser.add_argument("judge")
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--records", nargs="+", type=Path, required=True, metavar="RECORD")
    parser.add_argument("--every", type=int, default=6, metavar="N", help="moves between positions (%(default)s)")
    parser.add_argument("--close", type=float, default=25, metavar="POINTS", help="largest lead (%(default)s)")
    arguments = parser.parse_args()
    judge, load = Evaluator.load(arguments.judge), cache(lambda name: Evaluator.load(name, threads=1))
    players = [make_player(name, load) for name in arguments.players]
    records = progress_bar(arguments.records, total=len(arguments.records), unit="game")
    rows = [
        _leads(judge, game, players)
        for path in records
        for game in _games(path, arguments.every)
        if abs(_lead(judge, game)) <= arguments.close
    ]
    if not rows:
        raise InputError(f"expected positions with a lead of at most {arguments.close:g} points. Found none")
    leads = np.array(rows)
    losses = leads.max(axis=1, keepdims=True) - leads
    print(f"{len(rows)} positions\n| player | points lost a move | more than the first player |\n|---|---|---|")
    for name, lost in zip(arguments.players, losses.T, strict=True):
        more = lost - losses[:, 0]
        error = more.std() / np.sqrt(len(rows))
        print(f"| `{name}` | {lost.mean():.3f} | {more.mean():+.3f} ± {error:.3f} |")
    return 0


def _games(path: Path, every: int) -> Iterator[Game]:
    """Yield the game of a record as it stood after each `every` moves."""
    record = parse_game(path.read_bytes(), str(path))
    for plies in range(every, len(record.moves), every):
        yield record.as_game(plies)


def _leads(judge: Evaluator, game: Game, players: Sequence[Player]) -> list[float]:
    """Return the lead of the side to move after the move of each player."""
    moves = [player.choose(Turn(game), lambda: False) for player in players]
    leads = {move: _lead(judge, game.play(move)) * game.position.to_move for move in set(moves)}
    return [leads[move] for move in moves]


def _lead(judge: Evaluator, game: Game) -> float:
    """Return Black's lead that the judge expects."""
    predictions = judge.evaluate([game.position] * len(_LOOKS), _LOOKS, game.terms)
    leads = [prediction.lead for prediction in predictions if prediction.lead is not None]
    if not leads:
        raise InputError(f"expected a judge that predicts leads. Received: {judge.name}")
    return float(np.mean(leads))


if __name__ == "__main__":
    exit_with(main)
