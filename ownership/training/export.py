"""From a Keras model to a model directory: LiteRT file, description, and proof that both models agree."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import keras
import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from ownership.inference.config import NetworkConfig
from ownership.inference.silence import silenced_stderr
from ownership.training.checkpoints import replace_file, write_json

MEAN_LIMIT = 0.005
RARE_LIMIT = 0.08
_RARE = 0.999  # of all points differ less

Inputs = Mapping[str, NDArray[Any]]


class ExportError(InputError):
    """An exported model that does not say what the Keras model says."""


@dataclass(frozen=True)
class Difference:
    """How far the exported model's probabilities lie from those of Keras, 0..1, on how many positions.

    mean: over all points. rare: what one point in a thousand exceeds; a group on the edge may be seen as alive by one
    and as dead by the other.
    """

    mean: float
    rare: float
    positions: int


def export(
    model: keras.Model,
    config: NetworkConfig,
    directory: Path,
    check: Sequence[Inputs],
    description: Mapping[str, Any],
) -> Difference:
    """Writes model.tflite and model.json, after comparing the first with Keras.

    Args:
        model: a trained float32 network of `config`.
        config: its configuration, written to model.json.
        directory: where to; made if missing.
        check: inputs of real positions, 200 or so in all, one board side each.
        description: more entries for model.json, JSON values: name, metrics, how it was trained.

    Returns:
        the difference measured on `check`.

    Raises:
        ExportError: probabilities differ by more than `MEAN_LIMIT` on average, or by more than `RARE_LIMIT`
            at more than one point in a thousand; nothing is written then.

    Weights are int8, inputs and output float32 (`chains` int32); it does not quantize activations beforehand.
    """
    content = convert(model)
    difference = compare(model, content, check)
    if not (difference.mean <= MEAN_LIMIT and difference.rare <= RARE_LIMIT):
        raise ExportError(
            f"{directory}: expected probabilities within {MEAN_LIMIT} of Keras on average and {RARE_LIMIT} at 999 in "
            f"1000 points, found {difference.mean:.4f} and {difference.rare:.4f} on {difference.positions} positions. "
            "Train longer, or with another seed"
        )
    directory.mkdir(parents=True, exist_ok=True)
    replace_file(directory / "model.tflite", lambda partial: _write_bytes(partial, content))
    write_json(directory / "model.json", {**description, "network": config.to_dict(), "export": asdict(difference)})
    return difference


def convert(model: keras.Model) -> bytes:
    """The LiteRT file of a network: signature `serving_default`, any batch and side, dynamic-range int8 weights.

    Args:
        model: a float32 network built by `build_network`.

    Returns:
        the bytes of a .tflite file.

    It needs TensorFlow, and does not check the result: see `compare`.
    """
    import tensorflow as tf

    specs = {each.name: tf.TensorSpec(each.shape, each.dtype, each.name) for each in model.inputs}
    holder = tf.Module()
    holder.weights = [weight.value for weight in model.weights]
    serve = tf.function(lambda inputs: model(inputs, training=False), input_signature=[specs])
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(holder, folder, signatures=serve.get_concrete_function())
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        content: bytes = converter.convert()
    return content


def compare(model: keras.Model, content: bytes, check: Sequence[Inputs]) -> Difference:
    """How far an exported model's probabilities are from those of the Keras model.

    Args:
        model: the Keras model.
        content: the bytes of its .tflite file.
        check: inputs to run both on; at least one.

    Returns:
        the absolute differences over all points of all positions, summed up.

    It does not judge the difference.
    """
    from ai_edge_litert.interpreter import Interpreter

    with silenced_stderr():
        interpreter = Interpreter(model_content=content)
        interpreter.allocate_tensors()
        run = interpreter.get_signature_runner("serving_default")
    differences = np.concatenate(
        [
            np.abs(run(**inputs)["ownership"] - model.predict_on_batch(dict(inputs))["ownership"]).ravel()
            for inputs in check
        ]
    )
    positions = sum(len(inputs["planes"]) for inputs in check)
    return Difference(float(differences.mean()), float(np.quantile(differences, _RARE)), positions)


def _write_bytes(path: Path, content: bytes) -> None:
    path.write_bytes(content)
