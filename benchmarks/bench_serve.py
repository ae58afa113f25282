"""python -m benchmarks.bench_serve [MODEL] [--users 50] [--seconds 10]

How long users of `ownership serve` wait for a position of a 19x19 game of their own, all at the same time: with a
position a second each, and without pause; for one symmetry of the board, which the page shows first, and for all eight.
"""

import http.client
import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import numpy as np
import psutil
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban.game import Game

_MOVES = 200


def main() -> int:
    """Print a line for each way of asking."""
    parser = parser_of("benchmarks.bench_serve", __doc__)
    parser.add_argument("model", nargs="?", default="default", help="bundled model or directory (default: %(default)s)")
    parser.add_argument("--users", type=int, default=50, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, metavar="S", help="of each kind (default: %(default)s)")
    arguments = parser.parse_args()
    command = [sys.executable, "-m", "ownership", "serve", "--no-browser", "--port", "0", "--model", arguments.model]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = urlsplit(server.stderr.readline().split()[1]).netloc
        try:
            _ask(address, _random_game(0), 0, 3, 8)  # compiled code and networks are loaded
            for number, (pause, symmetries) in enumerate(((1.0, 1), (1.0, 8), (0.0, 1), (0.0, 8)), 1):
                games = [_random_game(1000 * number + user) for user in range(arguments.users)]
                before = _processor_seconds(server.pid)
                waits = _measure(address, games, arguments.seconds, pause, symmetries)
                used = 1000 * (_processor_seconds(server.pid) - before) / len(waits)
                median, most = np.percentile(waits, (50, 95))
                paced = "a position a second each" if pause else "without pause"
                print(f"{arguments.users} users, {paced}, symmetries {symmetries}:", flush=True)
                print(f"    {len(waits) / arguments.seconds:.0f}/s, median {median:.0f} ms, 95% within {most:.0f} ms")
                print(f"    processor time {used:.1f} ms a position")
        finally:
            server.terminate()
    return 0


def _measure(address: str, games: list[str], seconds: float, pause: float, symmetries: int) -> NDArray[np.float64]:
    """Return the milliseconds that each answer took."""
    starts = [pause * number / len(games) for number in range(len(games))]
    with ThreadPoolExecutor(len(games)) as pool:
        waits = pool.map(lambda game, start: _ask(address, game, start, seconds, symmetries, pause), games, starts)
    return 1000 * np.concatenate(list(waits))


def _ask(address: str, game: str, start: float, seconds: float, symmetries: int, pause: float = 0.0) -> list[float]:
    """Return how many seconds each answer took to a user who goes through a game, beginning after `start` seconds."""
    connection = http.client.HTTPConnection(address)
    waits: list[float] = []
    end = time.perf_counter() + seconds
    time.sleep(start)
    while (asked := time.perf_counter()) < end:
        body = json.dumps({"sgf": game, "move": len(waits) % _MOVES, "symmetries": symmetries})
        connection.request("POST", "/score", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        assert answer.status == 200
        waits.append(time.perf_counter() - asked)
        time.sleep(max(0.0, pause - waits[-1]))
    return waits


def _random_game(seed: int) -> str:
    """Return a game of random moves, so that no position is in the evaluator's cache."""
    random, game = np.random.default_rng(seed), Game.empty(19)
    for _ in range(_MOVES):
        game = game.play(int(random.choice(np.flatnonzero(game.position.legal_points()[:-1]))), superko=False)
    return GameRecord.of_game(game, "random", parse_result("")).to_sgf().decode()


def _processor_seconds(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


if __name__ == "__main__":
    exit_with(main)
