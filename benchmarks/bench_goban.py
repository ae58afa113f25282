"""python -m benchmarks.bench_goban [FILE ...]

Whole games replayed by `Game.play`, by `Position.play`, by `GameRecord.position` in one call of a kernel, and by
sgfmill's board, in moves a second of one core. Then rollouts from the empty 19x19 board, and games of random sensible
moves by `Position.play`.
"""

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from sgfmill.boards import Board

from benchmarks.command import exit_with, parser_of
from benchmarks.games import add_games, read
from game_records.game_record import GameRecord
from goban.coords import pass_point
from goban.game import Game
from goban.move_effects import sensible_moves
from goban.position import Position
from goban.rollouts import roll_out
from goban.rulesets import RULESETS

MOST_GAMES = 300
ROLLOUTS = 1000

T = TypeVar("T")
ROUNDS = 5


def main() -> int:
    """Print the speeds and their ratios."""
    parser = parser_of("benchmarks.bench_goban", __doc__)
    add_games(parser, "tygem-counted-2009-05.zip")
    games = read(parser.parse_args().files, MOST_GAMES)
    moves = sum(len(game.move_points) for game in games)
    replays = {
        "Game.play": replay_with_game,
        "Position.play": replay_with_position,
        "GameRecord.position": replay_whole,
        "sgfmill.boards": replay_with_sgfmill,
    }
    times = dict(zip(replays, fastest(list(replays.values()), games), strict=True))
    print(f"{len(games)} games, {moves:,} moves, best of {ROUNDS} rounds, processor time of one core")
    for name, taken in times.items():
        ratio = times["sgfmill.boards"] / taken
        print(
            f"{name:<20}{moves / taken:>12,.0f} moves/s  {ratio:6.1f} x sgfmill  {1e6 * taken / moves:6.2f} us a move"
        )
    rollout, random_game = fastest([play_rollouts, play_random_game], [Position.empty(19)])
    rollout /= ROLLOUTS
    print(f"goban.rollouts      {1 / rollout:>12,.0f} games/s  {random_game / rollout:6.1f} x Position.play")
    return 0


def play_rollouts(position: Position) -> None:
    """Play rollouts with the kernels."""
    roll_out(position, ROLLOUTS)


def play_random_game(position: Position) -> None:
    """Play random sensible moves until both sides have none."""
    chance, passes = Random(0), 0
    while passes < 2:
        moves = sensible_moves(position)
        passes = 0 if moves else passes + 1
        position = position.play(chance.choice(moves) if moves else pass_point(position.side))


def fastest(replays: Sequence[Callable[[T], object]], games: Sequence[T]) -> list[float]:
    """Return for each way to replay the least processor time, in seconds, that all games took; rounds alternate."""
    for replay in replays:
        replay(games[0])
    times = [[seconds(replay, games) for replay in replays] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*times, strict=True)]


def seconds(replay: Callable[[T], object], games: Sequence[T]) -> float:
    """Return the processor time, in seconds, of replaying all games."""
    start = time.process_time()
    for game in games:
        replay(game)
    return time.process_time() - start


def replay_with_game(record: GameRecord) -> None:
    """Replay move by move as a game in progress, which looks for repetitions."""
    game = Game((record.position(0),), ruleset=RULESETS["tromp-taylor"])
    for point, colour in zip(record.move_points.tolist(), record.move_colours.tolist(), strict=True):
        game = game.play(point, colour)


def replay_whole(game: GameRecord) -> None:
    """Replay to the last position of the record."""
    game.position()


def replay_with_position(game: GameRecord) -> None:
    """Replay move by move, keeping the positions immutable."""
    position = game.position(0)
    for point, colour in zip(game.move_points.tolist(), game.move_colours.tolist(), strict=True):
        position = position.play(point, colour, suicide=True)


def replay_with_sgfmill(game: GameRecord) -> None:
    """Replay on sgfmill's board."""
    board, side = Board(game.side), game.side
    stones = game.setup.tolist()
    black, white = ([divmod(p, side) for p, stone in enumerate(stones) if stone == c] for c in (1, -1))
    board.apply_setup(black, white, [])
    for point, colour in zip(game.move_points.tolist(), game.move_colours.tolist(), strict=True):
        if point != side * side:
            board.play(point // side, point % side, "b" if colour == 1 else "w")


if __name__ == "__main__":
    exit_with(main)
