"""python -m experiments.move_losses JUDGE PLAYER... --records RECORD... [--every 6] [--close 0.47]

What moves of players lose, in positions of games: the lead and the chance to win that a strong network, JUDGE, expects
after each move, beside those after the best of all their moves. This is behind "How much it explores" in
docs/lab/play.md.

A difference of a tenth of a point a move, which matches of some hundred games hardly show, needs a few hundred
positions. Positions that JUDGE takes for decided are left out; the tables are of those in which the side to move is
ahead, with a chance to win above 0.8, of even ones, of those in which it is behind, and of all.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from goban.errors import InputError
from goban.game import Game
from ownership.commands.progress import progress_bar
from ownership.inference.evaluator import Evaluator
from ownership.players.base import Player, Turn
from ownership.players.registry import make_player
from preprocessing.records.sgf import parse_game

_LOOKS = (0, 3)  # symmetries of the judge
_STANDINGS = (("ahead", 0.8, 1.0), ("even", 0.2, 0.8), ("behind", 0.0, 0.2), ("all", 0.0, 1.0))


def main() -> int:
    """Print a line for each player."""
    parser = parser_of("experiments.move_losses", __doc__)
    parser.add_argument("judge")
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--records", nargs="+", type=Path, required=True, metavar="RECORD")
    parser.add_argument("--every", type=int, default=6, metavar="N", help="moves between positions (%(default)s)")
    parser.add_argument(
        "--close", type=float, default=0.47, metavar="C", help="largest distance of the chance from 1/2 (%(default)s)"
    )
    arguments = parser.parse_args()
    judge, load = Evaluator.load(arguments.judge), cache(lambda name: Evaluator.load(name, threads=1))
    players = [make_player(name, load) for name in arguments.players]
    records = progress_bar(arguments.records, total=len(arguments.records), unit="game")
    rows = []
    for game in chain.from_iterable(_games(path, arguments.every) for path in records):
        _, chance = _worth(judge, game, game.position.to_move)
        if abs(chance - 0.5) <= arguments.close:
            rows.append((chance, _worth_after(judge, game, players)))
    if not rows:
        raise InputError(f"expected positions with a chance to win within {arguments.close:g} of 1/2. Found none")
    chances, worth = np.array([chance for chance, _ in rows]), np.array([each for _, each in rows])
    for name, least, most in _STANDINGS:
        chosen = worth[(chances >= least) & (chances <= most)]
        if len(chosen):
            _print_losses(f"{name}, {len(chosen)} positions", arguments.players, chosen)
    return 0


def _print_losses(title: str, players: Sequence[str], worth: NDArray[np.float64]) -> None:
    """Print a table, given what the move of each player is worth, (positions, players, 2)."""
    lost = worth.max(axis=1, keepdims=True) - worth
    more = lost - lost[:, :1]
    errors = more.std(axis=0) / np.sqrt(len(worth))
    print(
        f"\n{title}\n| player | points lost a move | more than the first | chance to win lost | more than the first |"
    )
    print("|---|---|---|---|---|")
    for name, mean, above, error in zip(players, lost.mean(0), more.mean(0), errors, strict=True):
        points, chance = f"{above[0]:+.3f} ± {error[0]:.3f}", f"{above[1]:+.2%} ± {error[1]:.2%}"
        print(f"| `{name}` | {mean[0]:.3f} | {points} | {mean[1]:.2%} | {chance} |")


def _games(path: Path, every: int) -> Iterator[Game]:
    """Yield the game of a record as it stood after each `every` moves."""
    record = parse_game(path.read_bytes(), str(path))
    for plies in range(every, len(record.moves), every):
        yield record.as_game(plies)


def _worth_after(judge: Evaluator, game: Game, players: Sequence[Player]) -> list[NDArray[np.float64]]:
    """Return what the move of each player is worth to the side to move."""
    moves = [player.choose(Turn(game), lambda: False) for player in players]
    worth = {move: _worth(judge, game.play(move), game.position.to_move) for move in set(moves)}
    return [worth[move] for move in moves]


def _worth(judge: Evaluator, game: Game, colour: int) -> NDArray[np.float64]:
    """Return the lead and the chance to win of a colour that the judge expects, float64 (2,)."""
    worth = np.zeros(2)
    for prediction in judge.evaluate([game.position] * len(_LOOKS), _LOOKS, game.terms):
        if prediction.lead is None or prediction.win_rate is None:
            raise InputError(f"expected a judge that predicts leads and chances to win. Received: {judge.name}")
        worth += prediction.lead * colour, 0.5 + (prediction.win_rate - 0.5) * colour
    return worth / len(_LOOKS)


if __name__ == "__main__":
    exit_with(main)
