"""python -m benchmarks.bench_evaluator

The evaluator compared with its int8 weights for bulk work and with TensorFlow: positions a second on 19x19, from a
position to the answer. Every bundled model answers one position at a time, 64 together, and one for each of four
threads; the last line leaves the planes out. TensorFlow gets the same planes and runs a network of the same
configuration in float32, with random weights, which changes no speed. All take turns, without a cache. Ratios are of
the evaluator to the figure before.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from benchmarks.command import exit_with, parser_of
from benchmarks.games import last_positions
from benchmarks.tensorflow_networks import Inputs, tensorflow_network
from benchmarks.timing import Call, speeds
from goban.position import Position
from ownership.inference.bulk_weights import in_bulk
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import bundled_models
from ownership.inference.network_config import NetworkConfig
from planes.position_planes import planes_and_chains
from runtime.standard_streams import silenced_stderr
from runtime.this_process import quiet_tensorflow

POSITIONS = 64
THREADS = 4
PLANES_GIVEN = f"{POSITIONS} at a time, planes given"


def main() -> int:
    """Print a line for each bundled model and way to call it."""
    parser_of("benchmarks.bench_evaluator", __doc__).parse_args()
    quiet_tensorflow()
    positions = last_positions(POSITIONS)
    print(f"{'model':10} {'called with':28} {'evaluator':>9} {'int8':>7} ratio {'TensorFlow':>10} ratio   positions/s")
    for name in bundled_models():
        evaluator = Evaluator.load(name, cached=0)
        rounded = Evaluator(in_bulk(evaluator.files, int8_products=True), cached=0)
        ours, theirs = ways_of_evaluator(evaluator, positions), ways_of_tensorflow(evaluator, positions)
        int8 = ways_of_evaluator(rounded, positions)
        for way in ours:
            found, bulk, slow = speeds([ours[way], int8[way], theirs[way]], len(positions))
            ratios = f"{bulk:>7,.0f} {found / bulk:>5.2f} {slow:>10,.0f} {found / slow:>5.2f}"
            print(f"{name:10} {way:28} {found:>9,.0f} {ratios}", flush=True)
    return 0


def ways_of_evaluator(evaluator: Evaluator, positions: Sequence[Position]) -> dict[str, Call]:
    """Return calls of the evaluator that answer all positions, by name."""
    planes, chains = planes_and_chains(positions, evaluator.feature_set)
    return ways_to_ask(evaluator.evaluate, positions) | {PLANES_GIVEN: lambda: evaluator.predict(planes, chains)}


def ways_of_tensorflow(evaluator: Evaluator, positions: Sequence[Position]) -> dict[str, Call]:
    """Return calls of TensorFlow that answer all positions, by name."""

    def inputs(asked: Sequence[Position]) -> Inputs:
        planes, chains = planes_and_chains(asked, evaluator.feature_set)
        return {"planes": planes} | ({"chains": chains} if evaluator.files.network.reads_chains else {})

    with silenced_stderr():
        assert isinstance(evaluator.files.network, NetworkConfig)
        network = tensorflow_network(evaluator.files.network)
    given = inputs(positions)
    return ways_to_ask(lambda asked: network(inputs(asked)), positions) | {PLANES_GIVEN: lambda: network(given)}


def ways_to_ask(ask: Callable[[Sequence[Position]], object], positions: Sequence[Position]) -> dict[str, Call]:
    """Return calls that ask for an answer to all positions, by name."""
    threads = ThreadPoolExecutor(THREADS)
    return {
        "1 at a time": lambda: [ask([position]) for position in positions],
        f"{POSITIONS} at a time": lambda: ask(positions),
        f"1 at a time by {THREADS} threads": lambda: list(threads.map(lambda position: ask([position]), positions)),
    }


if __name__ == "__main__":
    exit_with(main)
