"""python -m benchmarks.bench_tree [MODEL]

The tree search: its speed compared with the evaluator, with the evaluator's fastest batch size and with the default
one; and the time that it takes to stop after an interrupt. The second ratio compares evaluations for each second of
processor time: other programs on the machine hardly change it.
"""

import threading
import time
from collections.abc import Sequence

import numpy as np

from benchmarks.bench_search import PLACES, ROUNDS, SECONDS, STOPS, THINKING
from benchmarks.command import exit_with, parser_of
from benchmarks.games import position_of
from goban.game import Game
from goban.move_effects import sensible_moves
from goban.position import Position
from goban.rulesets import RULESETS
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.search.leaf_evaluation import LeafValue, NetworkLeaves
from ownership.search.mcts.tree_options import TreeOptions
from ownership.search.mcts.tree_search import TreeSearch
from ownership.search.search_limits import Limits

WORKERS = TreeOptions(threads=3, batch=16, waiting=1)  # the fastest


def main() -> int:
    """Print speeds and latencies on both boards."""
    parser = parser_of("benchmarks.bench_tree", __doc__)
    parser.add_argument("model", nargs="?", default="default", help="bundled model or directory (default: %(default)s)")
    evaluator = Evaluator.load(parser.parse_args().model, cached=0)
    print(f"{'board':16} {'evaluations/s':>14} {'evaluator alone':>16} {'ratio':>6} {'by processor time':>18}")
    for path, plies in PLACES:
        print(_speeds(evaluator, position_of(path, plies), WORKERS, ""), flush=True)
        print(_speeds(evaluator, position_of(path, plies), TreeOptions(), "default"), flush=True)
    print(f"\nmilliseconds to stop, of {STOPS}    median   worst   after the last batch: median   worst")
    for path, plies in PLACES:
        print(_stops(evaluator, position_of(path, plies)), flush=True)
    return 0


class _TimedLeaves(NetworkLeaves):
    """Leaves that remember when the last batch ended."""

    last = 0.0

    def evaluate(self, positions: Sequence[Position]) -> list[LeafValue]:
        leaves = super().evaluate(positions)
        self.last = time.monotonic()
        return leaves


def _speeds(evaluator: Evaluator, position: Position, options: TreeOptions, name: str) -> str:
    rounds = [(search_speed(evaluator, position, options), evaluator_speed(evaluator, position)) for _ in range(ROUNDS)]
    searched, alone = np.median(rounds, axis=0)
    ratio, by_processor = searched / alone
    board = f"{position.side}x{position.side} {name}"
    return f"{board:16} {searched[0]:>14,.0f} {alone[0]:>16,.0f} {ratio:>6.2f} {by_processor:>18.2f}"


def _stops(evaluator: Evaluator, position: Position) -> str:
    stops = 1000 * np.array([seconds_to_stop(evaluator, position) for _ in range(STOPS)])
    (middle, middle_after), (worst, worst_after) = np.median(stops, axis=0), stops.max(axis=0)
    board = f"{position.side}x{position.side}"
    return f"{board:26} {middle:>8.1f} {worst:>7.1f} {middle_after:>29.1f} {worst_after:>7.1f}"


def _leaves(evaluator: Evaluator) -> _TimedLeaves:
    return _TimedLeaves(evaluator, RULESETS["chinese"], 7.5, seed=0)


def _search(leaves: NetworkLeaves, options: TreeOptions) -> TreeSearch:
    return TreeSearch(leaves, RULESETS["chinese"], options)


def search_speed(evaluator: Evaluator, position: Position, options: TreeOptions) -> tuple[float, float]:
    """Return the evaluations of a search for each second, and for each second of processor time."""
    search, began = _search(_leaves(evaluator), options), time.process_time()
    for _ in search.run(Game((position,)), Limits(seconds=SECONDS)):
        pass
    used, result = time.process_time() - began, search.result()
    return result.evaluations / result.seconds, result.evaluations / used


def evaluator_speed(evaluator: Evaluator, position: Position) -> tuple[float, float]:
    """Return the positions that the evaluator evaluates for each second, and for each second of processor time."""
    after, evaluated = [position.play(move) for move in sensible_moves(position)][:MAX_BATCH], 0
    began, used = time.monotonic(), time.process_time()
    while (seconds := time.monotonic() - began) < SECONDS:
        evaluated += len(evaluator.evaluate(after))
    return evaluated / seconds, evaluated / (time.process_time() - used)


def seconds_to_stop(evaluator: Evaluator, position: Position) -> tuple[float, float]:
    """Return the seconds from an interrupt to the end of the search, and from its last batch to the end."""
    wanted, times = threading.Event(), list[float]()

    def interrupt() -> None:
        times.append(time.monotonic())
        wanted.set()

    threading.Timer(THINKING, interrupt).start()
    leaves = _leaves(evaluator)
    for _ in _search(leaves, WORKERS).run(Game((position,)), Limits(), wanted.is_set):
        pass
    ended = time.monotonic()
    return ended - times[0], ended - max(times[0], leaves.last)


if __name__ == "__main__":
    exit_with(main)
