"""python -m benchmarks.bench_search [MODEL]

The alpha-beta search: its speed compared with the evaluator, and the time that it takes to stop after an interrupt. A
search cannot evaluate faster than the evaluator does in batches of the same size; both take turns, without a cache.
Another thread interrupts running searches, and GTP's `# interrupt` the searches of an engine in its own process.
"""

import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.command import exit_with, parser_of
from benchmarks.engine import Engine
from benchmarks.games import MIDDLEGAME, SMALL, position_of
from goban.move_effects import sensible_moves
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import Evaluator
from ownership.search.alphabeta.alphabeta_options import AlphaBetaOptions
from ownership.search.alphabeta.alphabeta_search import AlphaBetaSearch
from ownership.search.leaf_evaluation import NetworkLeaves
from ownership.search.search_limits import Limits

PLACES = ((SMALL, 16), (MIDDLEGAME, 60))  # games, and moves played
SECONDS = 2.0
ROUNDS = 3
STOPS = 10
THINKING = 0.3  # seconds before a search is interrupted


def main() -> int:
    """Print speeds and latencies on both boards."""
    parser = parser_of("benchmarks.bench_search", __doc__)
    parser.add_argument("model", nargs="?", default="default", help="bundled model or directory (default: %(default)s)")
    model = parser.parse_args().model
    evaluator = Evaluator.load(model, cached=0)
    print(f"{'board':7} {'nodes/s':>8} {'evaluations/s':>14} {'evaluator alone':>16} {'ratio':>6}")
    for path, plies in PLACES:
        print(_speeds(evaluator, position_of(path, plies)), flush=True)
    print(f"\nseconds to stop, of {STOPS}    median   worst")
    for path, plies in PLACES:
        position = position_of(path, plies)
        board = f"{position.side}x{position.side}"
        print(_latencies(board, [seconds_to_stop(evaluator, position, 1) for _ in range(STOPS)]))
        print(_latencies(f"{board}, 8 symmetries", [seconds_to_stop(evaluator, position, 8) for _ in range(STOPS)]))
        print(_latencies(f"{board}, ownership-gtp", gtp_seconds_to_stop(path, plies, model)), flush=True)
    return 0


def _speeds(evaluator: Evaluator, position: Position) -> str:
    rounds = [(search_speed(evaluator, position), evaluator_speed(evaluator, position)) for _ in range(ROUNDS)]
    nodes = median(speed[0] for speed, _ in rounds)
    evaluations = median(speed[1] for speed, _ in rounds)
    alone = median(speed for _, speed in rounds)
    side = position.side
    return f"{f'{side}x{side}':7} {nodes:>8,.0f} {evaluations:>14,.0f} {alone:>16,.0f} {evaluations / alone:>6.2f}"


def search_speed(evaluator: Evaluator, position: Position) -> tuple[float, float]:
    """Return the nodes and evaluations a second of a search."""
    *_, last = _search(evaluator, Limits(seconds=SECONDS)).run(position)
    return last.nodes / last.seconds, last.evaluations / last.seconds


def _search(
    evaluator: Evaluator, limits: Limits, symmetries: int = 1, wanted: threading.Event | None = None
) -> AlphaBetaSearch:
    network = NetworkLeaves(evaluator, RULESETS["chinese"], 7.5, symmetries)
    interrupted = wanted.is_set if wanted else lambda: False
    return AlphaBetaSearch(network.evaluate, network.count, AlphaBetaOptions(), limits, interrupted)


def evaluator_speed(evaluator: Evaluator, position: Position) -> float:
    """Return how many positions a second the evaluator evaluates in batches of the size that a search uses."""
    moves, size, answered = sensible_moves(position), AlphaBetaOptions().batch, 0
    siblings = [position.play(move) for move in moves[:size]]
    began = time.monotonic()
    while (seconds := time.monotonic() - began) < SECONDS:
        answered += len(evaluator.evaluate(siblings))
    return answered / seconds


def seconds_to_stop(evaluator: Evaluator, position: Position, symmetries: int) -> float:
    """Return the seconds from an interrupt by another thread to the end of the search."""
    wanted, told = threading.Event(), list[float]()

    def interrupt() -> None:
        told.append(time.monotonic())
        wanted.set()

    threading.Timer(THINKING, interrupt).start()
    list(_search(evaluator, Limits(), symmetries, wanted).run(position))
    return time.monotonic() - told[0]


def gtp_seconds_to_stop(path: Path, plies: int, model: str) -> list[float]:
    """Return the seconds from `# interrupt` to the move that `ownership-gtp` answers, several times."""
    engine = Engine(["--player", "alphabeta", "--time", "60", "--model", model])
    engine.seconds(f"loadsgf {path} {plies + 1}")
    found = [engine.seconds_to_stop("reg_genmove b", "# interrupt", after=THINKING) for _ in range(STOPS)]
    engine.close()
    return found


def _latencies(way: str, seconds: Sequence[float]) -> str:
    return f"{way:24} {median(seconds):>8.3f} {max(seconds):>7.3f}"


if __name__ == "__main__":
    exit_with(main)
