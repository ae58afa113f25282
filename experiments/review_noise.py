"""python -m experiments.review_noise GAME [--moves A-B] [--visits N]

How far the points that moves lost in a review are noise: a game is reviewed as it is and on the turned board. This is
behind docs/measured.md, "Speed".
"""

import re
from dataclasses import replace

import numpy as np

from benchmarks.command import exit_with, parser_of
from game_records.game_record import GameRecord
from game_records.record_sources import read_game
from goban.coords import pass_point
from goban.errors import plural
from ownership.inference.evaluator import Evaluator
from ownership.review.move_losses import reviewed_moves
from ownership.review.searched_positions import review
from ownership.scoring.scored_game import ScoreOptions


def turned(game: GameRecord) -> GameRecord:
    """Return the game on the board turned by a quarter."""
    points = np.append(np.rot90(np.arange(game.side**2).reshape(game.side, game.side)).ravel(), pass_point(game.side))
    places = np.argsort(points).astype(np.int16)
    return replace(game, move_points=places[game.move_points], setup=game.setup[points[:-1]])


def lost(game: GameRecord, evaluator: Evaluator, visits: int, plies: range) -> dict[int, float]:
    """Return the points that each move lost by its number."""
    found = review(game, evaluator, ScoreOptions(), visits, plies)
    return {move.number: move.lost for move in reviewed_moves(found)}


def main() -> int:
    """Print how far the losses of both searches differ."""
    parser = parser_of("experiments.review_noise", __doc__)
    parser.add_argument("game")
    parser.add_argument("--moves", default="", metavar="A-B")
    parser.add_argument("--visits", type=int, default=100)
    arguments = parser.parse_args()
    game, evaluator = read_game(arguments.game), Evaluator.load(None)
    whole = f"1-{len(game.move_points)}"
    span = re.fullmatch(r"(\d+)-(\d+)", arguments.moves or whole)
    first, last = map(int, span.groups()) if span else (0, 0)
    if not 1 <= first <= last <= len(game.move_points):
        parser.error(f"--moves must be A-B within {whole}. Received: {arguments.moves}")
    plies = range(first - 1, last + 1)  # a move lies between two positions
    straight, again = (lost(each, evaluator, arguments.visits, plies) for each in (game, turned(game)))
    differences = np.array([abs(straight[number] - again[number]) for number in straight])
    deviation = np.sqrt((differences**2).mean())
    print(
        f"{plural(len(differences), 'move')}, {arguments.visits} visits: losses differ by {deviation:.2f} points "
        f"(root mean square), nine of ten by less than {np.quantile(differences, 0.9):.2f}"
    )
    return 0


if __name__ == "__main__":
    exit_with(main)
