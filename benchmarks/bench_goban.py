"""Whole games replayed by the kernels, by `Position.play`, and by sgfmill's board, in moves a second of one core.

    python -m benchmarks.bench_goban [FOLDER OR FILE ...]

The default is the folder of real games beside the repository, else the examples.
"""

import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

from sgfmill.boards import Board

from goban.kernels import replay_to
from preprocessing.records.game import GameRecord
from preprocessing.records.sources import read_games

ROOT = Path(__file__).parents[1]
REAL_GAMES = ROOT.parent / "shared" / "games" / "tygem-counted-2009-05.zip"
MOST_GAMES = 300
ROUNDS = 5


def main(arguments: Sequence[str] = ()) -> int:
    """Print the speeds and their ratios; return 2 if there is no game to replay."""
    default = REAL_GAMES if REAL_GAMES.exists() else ROOT / "examples"
    games = [game for game in islice(read_games(arguments or [default]), MOST_GAMES) if isinstance(game, GameRecord)]
    if not games:
        print(f"expected game records. Received: none in {' '.join(arguments)}", file=sys.stderr)
        return 2
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
    sys.exit(main(sys.argv[1:]))
