"""Exported networks behind LiteRT, without TensorFlow."""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from ownership.inference.files import ModelError
from ownership.inference.silence import silenced_stderr

Arrays = Mapping[str, NDArray[Any]]


class Network(Protocol):
    """A network as a function of named arrays, for one thread at a time."""

    def __call__(self, **inputs: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
        """Return the outputs by name, arrays of their own."""
        ...


_loading = threading.Lock()  # file descriptors are the whole process's: messages are dropped by one thread at a time


def load_network(weights: Path, threads: int) -> Network:
    """Return the network of a .tflite file, which will run on so many threads.

    Raises ModelError if the file is none, InputError if no runtime is installed.
    """
    interpreter_class = _interpreter_class()
    with _loading, silenced_stderr():
        try:
            interpreter = interpreter_class(model_path=str(weights), num_threads=threads)
            interpreter.allocate_tensors()
            network: Network = interpreter.get_signature_runner("serving_default")
        except (ValueError, RuntimeError) as error:
            reason = str(error).splitlines()[0] if str(error) else "unknown reason"
            raise ModelError(f"{weights}: expected a model of `ownership train`. Received: {reason}") from None
    return network


def _interpreter_class() -> Any:
    """Return LiteRT's Interpreter, or TensorFlow's own where LiteRT has no wheel for the platform."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ModuleNotFoundError:
        try:
            import tensorflow
        except ModuleNotFoundError:
            raise InputError(
                "expected LiteRT or TensorFlow to run the model, found neither: "
                "`pip install ai-edge-litert`, or `pip install tensorflow` where it has no wheel"
            ) from None
        return tensorflow.lite.Interpreter
    return Interpreter
