"""The networks of models as functions of arrays, which LiteRT runs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from ownership.inference.model_files import ModelConfig, ModelError, ModelFiles
from ownership.inference.own_config import OwnConfig
from runtime.standard_streams import silenced_stderr

NamedArrays = Mapping[str, NDArray[Any]]


class Network(Protocol):
    """A network as a function of named arrays, for one thread at a time."""

    def __call__(self, **inputs: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
        """Return the outputs by name, arrays of their own."""
        ...


def open_network(files: ModelFiles, threads: int) -> Network:
    """Return the network of a model, which runs on `threads` processors.

    Raises:
        ModelError: the weights cannot be read, or belong to another network than `model.json` describes.
        InputError: no runtime is installed.
    """
    interpreter_class = _interpreter_class()
    with silenced_stderr():
        try:
            interpreter = interpreter_class(model_path=str(files.weights), num_threads=threads)
            interpreter.allocate_tensors()
            runner = interpreter.get_signature_runner("serving_default")
        except (ValueError, RuntimeError, OSError) as error:
            reason = next(iter(str(error).splitlines()), "unknown reason")
            raise ModelError(f"{files.weights}: expected a model of `ownership train`. Received: {reason}") from None
        assert not isinstance(files.network, OwnConfig)
        _check_signature(files.weights, files.network, runner)
    network: Network = runner
    return network


def runtime_name() -> str:
    """Return the name of the runtime that `open_network` uses; raise InputError if none is installed."""
    return "LiteRT" if _interpreter_class().__module__.startswith("ai_edge_litert") else "TensorFlow"


def _check_signature(weights: Path, network: ModelConfig, runner: Any) -> None:
    """Raise ModelError unless a file has the inputs and outputs of its configuration."""
    inputs, outputs = runner.get_input_details(), runner.get_output_details()
    for kind, expected, found in (
        ("inputs", set(network.inputs), set(inputs)),
        ("outputs", set(network.heads), set(outputs)),
    ):
        if expected != found:
            raise ModelError(
                f"{weights}: expected the {kind} {', '.join(sorted(expected))} of model.json. "
                f"Received: {', '.join(sorted(found))}"
            )
    shape = inputs["planes"]["shape_signature"].tolist()
    if len(shape) != 4 or shape[-1] != network.channels:
        raise ModelError(
            f"{weights}: expected {network.channels} planes, those of the feature set {network.feature_set} in "
            f"model.json. Received: an input of shape {shape}"
        )


def _interpreter_class() -> Any:
    """Return LiteRT's Interpreter, or TensorFlow's own where LiteRT has no wheel for the platform."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ModuleNotFoundError:
        try:
            import tensorflow
        except ModuleNotFoundError:
            raise InputError(
                "expected LiteRT or TensorFlow to run the model. Received: neither; `pip install ai-edge-litert`, or "
                "`pip install tensorflow` where it has no wheel"
            ) from None
        return tensorflow.lite.Interpreter
    return Interpreter
