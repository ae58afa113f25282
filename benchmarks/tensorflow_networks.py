"""Networks that TensorFlow runs, as peers of the exported ones."""

from collections.abc import Callable
from typing import Any

from ownership.inference.network_config import NetworkConfig

Inputs = dict[str, Any]
Run = Callable[[Inputs], object]


def tensorflow_network(config: NetworkConfig) -> Run:
    """Return a network of TensorFlow with random weights, as a function of its inputs."""
    from ownership.networks.build_network import build_network

    return tensorflow_runner(build_network(config))


def tensorflow_runner(model: Any) -> Run:
    """Return a Keras model as a function of its inputs."""
    import tensorflow as tf

    original = tf.function(lambda given: model(given, training=False), reduce_retracing=True)
    return lambda given: {name: output.numpy() for name, output in original(given).items()}
