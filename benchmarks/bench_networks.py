"""Exported LiteRT int8 networks beside TensorFlow float32 on the same weights: positions a second on 19x19.

    python -m benchmarks.bench_networks

Weights are random, which changes no speed; positions come from random games. Both run in turns, on all processors.
"""

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from ownership.inference.config import NetworkConfig
from ownership.inference.silence import silenced_stderr
from preprocessing.dataset.sampler import Sampler
from preprocessing.features.planes import parse_feature_set
from tests.support.random_games import game_table, random_game

SIDE = 19
GAMES = 4
BATCHES = (1, 64)
ROUNDS = 3
ROUND_SECONDS = 1.0
NETWORKS = (
    NetworkConfig("classic5", "classic8"),
    NetworkConfig("classic5", "classic8", chain_pooling="max"),
    NetworkConfig("residual", "standard"),
    NetworkConfig("residual", "standard", chain_pooling="max"),
)

Inputs = dict[str, Any]
Run = Callable[[Inputs], object]
Call = Callable[[], object]


def main() -> int:
    """Print a line for each network and batch size."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    print(f"{'network':32} {'batch':>5} {'LiteRT int8':>12} {'TensorFlow float32':>19} {'ratio':>6}   positions/s")
    for config in NETWORKS:
        name = f"{config.architecture}, {config.feature_set}{', chains' if config.reads_chains else ''}"
        with silenced_stderr():
            exported, original = runners(config)
        for batch in BATCHES:
            given = inputs(config, batch)
            fast, slow = speeds(partial(exported, given), partial(original, given), batch)
            print(f"{name:32} {batch:>5} {fast:>12,.0f} {slow:>19,.0f} {fast / slow:>6.1f}", flush=True)
    return 0


def runners(config: NetworkConfig) -> tuple[Run, Run]:
    """Return the exported network and the original, as functions of their inputs."""
    from ai_edge_litert.interpreter import Interpreter

    from ownership.training.export import convert
    from ownership.training.networks import build_network

    model = build_network(config)
    interpreter = Interpreter(model_content=convert(model), num_threads=os.cpu_count())
    exported = interpreter.get_signature_runner("serving_default")
    return lambda given: exported(**given), tensorflow_runner(model)


def tensorflow_network(config: NetworkConfig) -> Run:
    """Return a network of TensorFlow with random weights, as a function of its inputs."""
    from ownership.training.networks import build_network

    return tensorflow_runner(build_network(config))


def tensorflow_runner(model: Any) -> Run:
    """Return a Keras model as a function of its inputs."""
    import tensorflow as tf

    original = tf.function(lambda given: model(given, training=False), reduce_retracing=True)
    return lambda given: {name: output.numpy() for name, output in original(given).items()}


def inputs(config: NetworkConfig, batch: int) -> Inputs:
    """Return what the network reads for positions of random games."""
    table = game_table([random_game(SIDE, seed, 200) for seed in range(GAMES)])
    drawn = Sampler(table, parse_feature_set(config.feature_set), batch, seed=1, chains=config.reads_chains).batch(0)
    return {"planes": drawn.planes} | ({} if drawn.chains is None else {"chains": drawn.chains})


def speeds(first: Call, second: Call, positions: int) -> tuple[float, float]:
    """Return positions a second of calls that answer so many, the best of some rounds in turns."""
    first(), second()
    rounds = [(speed(first, positions), speed(second, positions)) for _ in range(ROUNDS)]
    return max(one for one, _ in rounds), max(other for _, other in rounds)


def speed(call: Call, positions: int) -> float:
    """Return positions a second over one round."""
    start, calls = time.perf_counter(), 0
    while time.perf_counter() - start < ROUND_SECONDS:
        call()
        calls += 1
    return calls * positions / (time.perf_counter() - start)


if __name__ == "__main__":
    sys.exit(main())
