"""A model directory from a Keras model: LiteRT file and `model.json`, once both models are seen to answer alike."""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import keras
import numpy as np

from ownership.export.litert_conversion import ExportError, convert, convert_rounded
from ownership.export.rounding_corrections import in_two_parts, last_layers
from ownership.inference.katago_config import KataGoConfig
from ownership.inference.litert_network import NamedArrays, open_network
from ownership.inference.model_files import DESCRIPTION, DIGEST, SHA256, WEIGHTS, ModelFiles, description_digest
from ownership.inference.network_config import NetworkConfig
from runtime.safe_writing import replacing

MEAN_LIMIT = 0.005
RARE_LIMIT = 0.08
_RARE = 0.999  # of all points differ less


@dataclass(frozen=True)
class Difference:
    """How far the probabilities of the exported model's first head lie from Keras's, 0..1.

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
    check: Sequence[NamedArrays],
    description: Mapping[str, Any],
) -> Difference:
    """Write model.tflite and model.json, after comparing the first with Keras.

    Weights are int8 if the model answers as the Keras model does, if necessary with the last layers in two parts, else
    float32.

    Inputs and outputs are float32 (`chains` int32); activations are not quantized beforehand.

    Args:
        model: a trained float32 network of `config`.
        config: its configuration, written to model.json.
        directory: where to; made if missing.
        check: inputs of real positions, 200 or so in all, one board side each.
        description: more entries for model.json, JSON values: name, metrics, how it was trained.

    Returns:
        the difference measured on `check`.

    Raises:
        ExportError: with float32 weights, too, probabilities differ by more than `MEAN_LIMIT` on average, or by more
            than `RARE_LIMIT` at more than one point in a thousand; nothing is written then.
    """
    content, difference = _converted(model, config, check)
    if not difference.is_small():
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


def _converted(
    model: keras.Model, config: NetworkConfig | KataGoConfig, check: Sequence[NamedArrays]
) -> tuple[bytes, Difference]:
    """Return the first LiteRT file that answers as Keras does, else the last one, and its difference."""
    wide = last_layers(model, config)
    for quantized, parted in ((True, []), *([(True, wide)] if wide else []), (False, [])):
        with in_two_parts(parted):
            content = convert_rounded(model, check, parted) if quantized else convert(model, quantized=False)
        difference = difference_from_keras(model, config, content, check, quantized=quantized)
        if difference.is_small():
            break
    return content, difference


def difference_from_keras(
    model: keras.Model,
    config: NetworkConfig | KataGoConfig,
    content: bytes,
    check: Sequence[NamedArrays],
    *,
    quantized: bool = True,
) -> Difference:
    """Return how far an exported model's probabilities are from the Keras model's.

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
        files = ModelFiles("exported", Path(folder) / WEIGHTS, config)
        files.weights.write_bytes(content)
        exported, head = open_network(files, os.cpu_count() or 1), config.heads[0]
        differences = np.concatenate(
            [np.abs(exported(**inputs)[head] - model.predict_on_batch(dict(inputs))[head]).ravel() for inputs in check]
        )
    positions = sum(len(inputs["planes"]) for inputs in check)
    mean, rare = float(differences.mean()), float(np.quantile(differences, _RARE))
    return Difference(mean, rare, positions, "int8" if quantized else "float32")
