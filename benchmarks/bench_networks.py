"""python -m benchmarks.bench_networks

Exported LiteRT networks with float16 weights compared with TensorFlow float32: positions a second on 19x19, from planes
to answers. Weights are random, which changes no speed. Both run in turns, on all processors.
"""

import os
from functools import partial

from benchmarks.command import exit_with, parser_of
from benchmarks.games import last_positions
from benchmarks.tensorflow_networks import Inputs, Run, tensorflow_runner
from benchmarks.timing import speeds
from ownership.inference.network_config import NetworkConfig
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes_and_chains
from runtime.standard_streams import silenced_stderr
from runtime.this_process import quiet_tensorflow

BATCHES = (1, 64)
NETWORKS = (
    NetworkConfig("classic5", "classic8"),
    NetworkConfig("classic5", "classic8", chain_pooling="max"),
    NetworkConfig("residual", "standard"),
    NetworkConfig("residual", "standard", chain_pooling="max"),
)


def main() -> int:
    """Print a line for each network and batch size."""
    parser_of("benchmarks.bench_networks", __doc__).parse_args()
    quiet_tensorflow()
    print(f"{'network':32} {'batch':>5} {'LiteRT float16':>14} {'TensorFlow float32':>19} {'ratio':>6}   positions/s")
    for config in NETWORKS:
        name = f"{config.architecture}, {config.feature_set}{', chains' if config.reads_chains else ''}"
        with silenced_stderr():
            exported, original = runners(config)
        for batch in BATCHES:
            given = inputs(config, batch)
            fast, slow = speeds([partial(exported, given), partial(original, given)], batch)
            print(f"{name:32} {batch:>5} {fast:>14,.0f} {slow:>19,.0f} {fast / slow:>6.1f}", flush=True)
    return 0


def runners(config: NetworkConfig) -> tuple[Run, Run]:
    """Return the exported network and the original, as functions of their inputs."""
    from ai_edge_litert.interpreter import Interpreter

    from ownership.export.litert_conversion import convert
    from ownership.networks.build_network import build_network

    model = build_network(config)
    interpreter = Interpreter(model_content=convert(model, "float16"), num_threads=os.cpu_count())
    exported = interpreter.get_signature_runner("serving_default")
    return lambda given: exported(**given), tensorflow_runner(model)


def inputs(config: NetworkConfig, batch: int) -> Inputs:
    """Return what the network reads for the last positions of a game."""
    planes, chains = planes_and_chains(last_positions(batch), parse_feature_set(config.feature_set))
    return {"planes": planes} | ({"chains": chains} if config.reads_chains else {})


if __name__ == "__main__":
    exit_with(main)
