"""python -m benchmarks.bench_goban [FILE ...]

Whole games replayed by the kernels, by `Position.play`, and by sgfmill's board, in moves a second of one core. Then
rollouts from the empty 19x19 board, and games of random sensible moves by `Position.play`.
"""

import time
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from sgfmill.boards import Board

from benchmarks.command import exit_with, parser_of
from benchmarks.games import add_games, read
from goban.coords import pass_point
from goban.kernels import replay_to
from goban.move_flags import sensible_moves
from goban.position import Position
from goban.rollouts import play_out
from preprocessing.records.game import GameRecord

MOST_GAMES = 300
ROLLOUTS = 1000

T = TypeVar("T")
ROUNDS = 5


def main() -> int:
    """Print the speeds and their ratios."""
    parser = parser_of("benchmarks.bench_goban", __doc__)
    add_games(parser, "tygem-counted-2009-05.zip")
    games = read(parser.parse_args().files, MOST_GAMES)
    moves = sum(len(game.moves) for game in games)
    kernel, position, sgfmill = fastest([replay_with_kernel, replay_with_position, replay_with_sgfmill], games)
    print(f"{len(games)} games, {moves:,} moves, best of {ROUNDS} rounds, processor time of one core")
    print(f"kernels.replay_to  {moves / kernel:>12,.0f} moves/s  {sgfmill / kernel:6.1f} x sgfmill")
    print(
        f"Position.play      {moves / position:>12,.0f} moves/s  {sgfmill / position:6.1f} x sgfmill"
        f"  {1e6 * position / moves:.1f} microseconds a move"
    )
    print(f"sgfmill.boards     {moves / sgfmill:>12,.0f} moves/s")
    rollout, random_game = fastest([play_rollouts, play_random_game], [Position.empty(19)])
    rollout /= ROLLOUTS
    print(f"goban.rollouts     {1 / rollout:>12,.0f} games/s  {random_game / rollout:6.1f} x Position.play")
    return 0


def play_rollouts(position: Position) -> None:
    """Play rollouts with the kernels."""
    play_out(position, ROLLOUTS)


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


def replay_with_kernel(game: GameRecord) -> None:
    """Replay with one call of the kernel."""
    replay_to(game.side, game.setup, game.moves, game.colours, len(game.moves))


def replay_with_position(game: GameRecord) -> None:
    """Replay move by move, keeping the positions immutable."""
    position = game.position(0)
    for point, colour in zip(game.moves.tolist(), game.colours.tolist(), strict=True):
        position = position.play(point, colour, suicide=True)


def replay_with_sgfmill(game: GameRecord) -> None:
    """Replay on sgfmill's board."""
    board, side = Board(game.side), game.side
    stones = game.setup.tolist()
    black, white = ([divmod(p, side) for p, stone in enumerate(stones) if stone == c] for c in (1, -1))
    board.apply_setup(black, white, [])
    for point, colour in zip(game.moves.tolist(), game.colours.tolist(), strict=True):
        if point != side * side:
            board.play(point // side, point % side, "b" if colour == 1 else "w")


if __name__ == "__main__":
    exit_with(main)
