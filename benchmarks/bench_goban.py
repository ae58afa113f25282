"""python -m benchmarks.bench_goban [FILE ...]

Whole games replayed by the kernels, by `Position.play`, and by sgfmill's board, in moves a second of one core.
"""

import time
from collections.abc import Callable, Sequence

from sgfmill.boards import Board

from benchmarks.command import exit_with, parser_of
from benchmarks.games import add_games, read
from goban.kernels import replay_to
from preprocessing.records.game import GameRecord

MOST_GAMES = 300
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
    return 0


def fastest(replays: Sequence[Callable[[GameRecord], object]], games: Sequence[GameRecord]) -> list[float]:
    """Return for each way to replay the least processor time, in seconds, that all games took; rounds alternate."""
    for replay in replays:
        replay(games[0])
    times = [[seconds(replay, games) for replay in replays] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*times, strict=True)]


def seconds(replay: Callable[[GameRecord], object], games: Sequence[GameRecord]) -> float:
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
