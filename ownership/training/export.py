"""From a Keras model to a model directory: LiteRT file, description, and proof that both models agree."""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from game_datasets.sampler import Batch
from goban.counting.expected_score import INTERVAL
from goban.errors import InputError
from ownership.inference.model_files import (
    DESCRIPTION,
    DIGEST,
    LEARNED,
    SHA256,
    WEIGHTS,
    ModelFiles,
    description_digest,
    open_network,
)
from ownership.inference.network_config import KataGoConfig, NetworkConfig
from ownership.training.checkpoints import Progress
from ownership.training.int8_rounding import OWNER, in_two_parts, is_rounded, last_layers, mean_errors, owner_kept
from ownership.training.losses import network_inputs
from ownership.training.training_options import TrainingOptions
from ownership.training.validation import HeldOut
from runtime.storage import replacing

MEAN_LIMIT = 0.005
RARE_LIMIT = 0.08
_RARE = 0.999  # of all points differ less

Inputs = Mapping[str, NDArray[Any]]
_COVERAGE = 0.9
_LEAST_POSITIONS = 100


class ExportError(InputError):
    """An exported model whose outputs differ from those of the Keras model."""


@dataclass(frozen=True)
class Difference:
    """How far the exported model's probabilities, those of its first head, lie from those of Keras, 0..1.

    Attributes:
        mean: over all points.
        rare: what one point in a thousand exceeds; a group on the edge may live by one and be dead by the other.
        positions: how many were compared.
        weights: of the exported model, "int8" or "float32".
    """

    mean: float
    rare: float
    positions: int
    weights: str

    def is_small(self) -> bool:
        """Return whether the exported model may stand for that of Keras."""
        return self.mean <= MEAN_LIMIT and self.rare <= RARE_LIMIT


def export(
    model: keras.Model,
    config: NetworkConfig | KataGoConfig,
    directory: Path,
    check: Sequence[Inputs],
    description: Mapping[str, Any],
    *,
    shifted: bool = True,
) -> Difference:
    """Write model.tflite and model.json, after comparing the first with Keras.

    Weights are int8 if the model answers as that of Keras does, if need be with the last layers in two parts, else
    float32.

    Inputs and outputs are float32 (`chains` int32); activations are not quantized beforehand.

    Args:
        model: a trained float32 network of `config`.
        config: its configuration, written to model.json.
        directory: where to; made if missing.
        check: inputs of real positions, 200 or so in all, one board side each.
        description: more entries for model.json, JSON values: name, metrics, how it was trained.
        shifted: whether int8 convolutions are shifted by what they lose on average, see `convert_rounded`.

    Returns:
        the difference measured on `check`.

    Raises:
        ExportError: with float32 weights, too, probabilities differ by more than `MEAN_LIMIT` on average, or by more
            than `RARE_LIMIT` at more than one point in a thousand; nothing is written then.
    """
    wide = last_layers(model, config)
    for quantized, parted in ((True, []), *([(True, wide)] if wide else []), (False, [])):
        with in_two_parts(parted):
            shifts = quantized and shifted
            content = convert_rounded(model, check, parted) if shifts else convert(model, quantized=quantized)
        difference = compare(model, config, content, check, quantized=quantized)
        if difference.is_small():
            break
    else:
        raise ExportError(
            f"{directory}: expected probabilities within {MEAN_LIMIT} of Keras on average and {RARE_LIMIT} at 999 in "
            f"1000 points, found {difference.mean:.4f} and {difference.rare:.4f} on {difference.positions} positions. "
            "Train longer, or with another seed"
        )
    directory.mkdir(parents=True, exist_ok=True)
    network = {SHA256: sha256(content).hexdigest(), "network": config.to_dict(), "export": asdict(difference)}
    values = {**description, **network}
    text = json.dumps({**values, DIGEST: description_digest(values)}, indent=2) + "\n"
    with replacing(directory / WEIGHTS) as weights, replacing(directory / DESCRIPTION) as described:
        weights.write_bytes(content)
        described.write_text(text, encoding="utf-8")
    return difference


def write_learned(directory: Path, openings: Sequence[NDArray[np.uint64]]) -> None:
    """Write the openings of the games that a model learned from, and of those that it was made from."""
    with replacing(directory / LEARNED) as partial:
        partial.write_bytes(np.unique(np.concatenate(openings)).astype("<u8").tobytes())


def convert_rounded(model: keras.Model, check: Sequence[Inputs], parted: Sequence[Any] = ()) -> bytes:
    """Return the LiteRT file of a network with int8 weights, without the bias that their rounding has on average.

    Each channel of a convolution is shifted by the mean of what it loses (Nagel and others: Data-Free Quantization
    Through Weight Equalization and Bias Correction, 2019).

    Args:
        model: as for `convert`; it is left as it was.
        check: inputs of real positions.
        parted: layers that are not shifted, because they lose nothing, see `in_two_parts`.
    """
    rounded = [each for each in model.layers if isinstance(each, keras.layers.Conv2D) and is_rounded(each)]
    shifted = [each for each in rounded if each.use_bias and each.name != OWNER and each not in parted]
    biases = [each.bias.numpy() for each in shifted]
    errors = mean_errors(model, shifted, check)
    try:
        for layer, bias, error in zip(shifted, biases, errors, strict=True):
            layer.bias.assign(bias + error)
        return convert(model)
    finally:
        for layer, bias in zip(shifted, biases, strict=True):
            layer.bias.assign(bias)


def convert(model: keras.Model, *, quantized: bool = True) -> bytes:
    """Return the LiteRT file of a network: signature `serving_default`, any batch and side.

    It needs TensorFlow, and does not check the result: see `compare`.

    Args:
        model: a float32 network built by `build_network`.
        quantized: whether weights are dynamic-range int8 but those of the ownership head, else float32.

    Returns:
        the bytes of a .tflite file.

    Raises:
        ExportError: the folder of temporary files, which TMPDIR names, has no room.
    """
    import tensorflow as tf

    specs = {each.name: tf.TensorSpec(each.shape, each.dtype, each.name) for each in model.inputs}
    holder = tf.Module()
    holder.weights = [weight.value for weight in model.weights]
    serve = tf.function(lambda inputs: model(inputs, training=False), input_signature=[specs])
    with tempfile.TemporaryDirectory() as folder:
        try:
            with owner_kept(model):
                tf.saved_model.save(holder, folder, signatures=serve.get_concrete_function())
        except tf.errors.OpError as error:
            reason = error.message.partition("\n")[0]
            raise ExportError(f"{folder}: expected room for a copy of the network. Received: {reason}") from None
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        if quantized:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
        content: bytes = converter.convert()
    return content


def compare(
    model: keras.Model,
    config: NetworkConfig | KataGoConfig,
    content: bytes,
    check: Sequence[Inputs],
    *,
    quantized: bool = True,
) -> Difference:
    """Return how far an exported model's probabilities are from those of the Keras model.

    Args:
        model: the Keras model.
        config: its configuration.
        content: the bytes of its .tflite file.
        check: inputs to run both on; at least one.
        quantized: whether its weights are int8, else float32.

    Returns:
        the absolute differences over all points of all positions, summed up.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = ModelFiles("exported", Path(folder) / WEIGHTS, config, deviation_scale=1.0)
        files.weights.write_bytes(content)
        exported, head = open_network(files, os.cpu_count() or 1), config.heads[0]
        differences = np.concatenate(
            [np.abs(exported(**inputs)[head] - model.predict_on_batch(dict(inputs))[head]).ravel() for inputs in check]
        )
    positions = sum(len(inputs["planes"]) for inputs in check)
    mean, rare = float(differences.mean()), float(np.quantile(differences, _RARE))
    return Difference(mean, rare, positions, "int8" if quantized else "float32")


def describe_training(
    config: NetworkConfig, options: TrainingOptions, progress: Progress, origin: Mapping[str, Any]
) -> dict[str, Any]:
    """Return metrics and origin of the best network of a training, as JSON values.

    Args:
        config: the network.
        options: how it was trained.
        progress: how far, with at least one validation.
        origin: what `Trainer.export` takes.
    """
    record = progress.best
    return {
        "metrics": {name: value for name, value in record.items() if name.startswith("validation_")},
        "trained": {
            "date": date.today().isoformat(),
            "version": version("go-ownership"),
            **origin,
            "samples": record["samples"],
            "seconds": progress.seconds,
            "options": asdict(options.settled_for(config)),
        },
    }


def deviation_scales(model: keras.Model, held_out: HeldOut, positions: int) -> dict[str, Any]:
    """Return the factor of standard deviations with which 90% of the final scores lie in their 90% interval.

    The interval is around the mean of a head of margins, if there is one.

    Args:
        model: a network with a score head.
        held_out: labelled games that it was not trained on.
        positions: the most that are used, in all and of each board side.

    Returns:
        `deviation_scale`, over all positions, and `deviation_scales` by board side, where there are enough positions.
    """
    by_side = {side: _distances_of(model, batches) for side, batches in held_out.batches_by_side(positions).items()}
    return {
        "deviation_scale": _scale(_distances_of(model, held_out.batches(positions))),
        "deviation_scales": {
            str(side): _scale(distances) for side, distances in by_side.items() if len(distances) >= _LEAST_POSITIONS
        },
    }


def _scale(distances: NDArray[np.float64]) -> float:
    return float(np.quantile(distances, _COVERAGE)) / INTERVAL


def _distances_of(model: keras.Model, batches: Iterable[Batch]) -> NDArray[np.float64]:
    return np.concatenate([_distances(model.predict_on_batch(network_inputs(batch)), batch) for batch in batches])


def _distances(answers: Mapping[str, Any], batch: Batch) -> NDArray[np.float64]:
    """Return how many standard deviations the final scores are from the expected ones, (B,)."""
    expected = ops.convert_to_numpy(answers["margin" if "margin" in answers else "score"])[:, 0].astype(np.float64)
    deviation = ops.convert_to_numpy(answers["score"])[:, 1]
    distances: NDArray[np.float64] = np.abs(batch.target.sum(axis=(1, 2)) - expected) / deviation
    return distances
