"""A model directory from a Keras model: LiteRT files and `model.json`, once they are seen to answer as the model."""

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import Any, Final

import keras
import numpy as np
from numpy.typing import NDArray

from goban.errors import plural
from ownership.export.litert_conversion import ExportError, Weights, convert, convert_rounded
from ownership.export.rounding_corrections import in_two_parts, last_layers
from ownership.inference.litert_network import NamedArrays, open_network
from ownership.inference.model_files import (
    BULK,
    BULK_SHA256,
    DESCRIPTION,
    DIGEST,
    SHA256,
    WEIGHTS,
    ModelConfig,
    ModelFiles,
    description_digest,
)
from runtime.safe_writing import replacing

_RARE: Final = 0.999  # of all points differ less
_LEADS: Final = ("margin", "score")  # the heads that answer one, the better first
_EXACT_WEIGHTS: Final[tuple[Weights, ...]] = ("float16", "float32")


@dataclass(frozen=True)
class ExportLimits:
    """How far an exported model may lie from Keras's; see `Difference`."""

    mean: float
    rare: float
    lead: float
    most: float


EXACT: Final = ExportLimits(0.0005, 0.005, 0.05, 0.3)
BULK_LIMITS: Final = ExportLimits(0.005, 0.08, inf, inf)


@dataclass(frozen=True)
class Difference:
    """How far the answers of an exported model lie from those of Keras.

    Attributes:
        mean: of the probabilities of its first head, 0..1, over all points.
        rare: what one point in a thousand exceeds; a group on the edge may live by one and be dead by the other.
        lead: mean of the lead over the positions, in points; 0 for a network that answers no score.
        most: the largest of the lead.
        positions: how many were compared.
        weights: of the exported model.
    """

    mean: float
    rare: float
    lead: float
    most: float
    positions: int
    weights: Weights

    def is_within(self, limits: ExportLimits) -> bool:
        """Return whether the exported model may stand for that of Keras."""
        return (
            self.mean <= limits.mean
            and self.rare <= limits.rare
            and self.lead <= limits.lead
            and self.most <= limits.most
        )


@dataclass(frozen=True)
class Exported:
    """A LiteRT file and how far it is from Keras."""

    content: bytes
    difference: Difference


def export(
    model: keras.Model,
    config: ModelConfig,
    directory: Path,
    check: Sequence[NamedArrays],
    description: Mapping[str, Any],
) -> Difference:
    """Write model.tflite, bulk.tflite and model.json, after comparing the first two with Keras.

    Inputs and outputs are float32 (`chains` int32); activations are not quantized beforehand. A network that int8
    weights change too much gets no bulk.tflite.

    Args:
        model: a trained float32 network of `config`.
        config: its configuration, written to model.json.
        directory: where to; made if missing.
        check: inputs of real positions, 200 or so in all, one board side each.
        description: more entries for model.json, JSON values: name, metrics, how it was trained.

    Returns:
        the difference of model.tflite measured on `check`.

    Raises:
        ExportError: model.tflite is not `EXACT`; nothing is written then.
    """
    exact, bulk = exact_weights(model, config, check, directory), bulk_weights(model, config, check)
    write_export(directory, exact, bulk, {**description, "network": config.to_dict()})
    return exact.difference


def exact_weights(model: keras.Model, config: ModelConfig, check: Sequence[NamedArrays], directory: Path) -> Exported:
    """Return the network with float16 weights if these are `EXACT`, else with float32 ones.

    Raises:
        ExportError: neither are; it names the directory.
    """
    for weights in _EXACT_WEIGHTS:
        content = convert(model, weights)
        found = difference_from_keras(model, config, content, check, weights)
        if found.is_within(EXACT):
            return Exported(content, found)
    raise ExportError(
        f"{directory}: expected probabilities within {EXACT.mean} of Keras on average and {EXACT.rare} at 999 in 1000 "
        f"points, and leads within {EXACT.lead} points on average and {EXACT.most} at most. Received: {found.mean:.4f} "
        f"and {found.rare:.4f}, {found.lead:.3f} and {found.most:.3f} on {plural(found.positions, 'position')}. "
        "Train longer, or with another seed"
    )


def bulk_weights(model: keras.Model, config: ModelConfig, check: Sequence[NamedArrays]) -> Exported | None:
    """Return the network with int8 weights, the last layers in two parts if necessary; None if it is far off."""
    wide = last_layers(model, config)
    for parted in ([], *([wide] if wide else ())):
        with in_two_parts(parted):
            content = convert_rounded(model, check, parted)
        found = difference_from_keras(model, config, content, check, "int8")
        if found.is_within(BULK_LIMITS):
            return Exported(content, found)
    return None


def write_export(directory: Path, exact: Exported, bulk: Exported | None, description: Mapping[str, Any]) -> None:
    """Write the files of a model directory.

    Args:
        directory: where to; made if missing.
        exact: for model.tflite.
        bulk: for bulk.tflite, which is removed for None.
        description: the other entries of model.json.
    """
    values = {**description, SHA256: _digest(exact), "export": asdict(exact.difference)}
    if bulk:
        values |= {BULK_SHA256: _digest(bulk), "bulk_export": asdict(bulk.difference)}
    text = json.dumps({**values, DIGEST: description_digest(values)}, indent=2) + "\n"
    directory.mkdir(parents=True, exist_ok=True)
    with ExitStack() as written:
        for name, content in (
            (WEIGHTS, exact.content),
            *([(BULK, bulk.content)] if bulk else ()),
            (DESCRIPTION, text.encode()),
        ):
            written.enter_context(replacing(directory / name)).write_bytes(content)
    if not bulk:
        (directory / BULK).unlink(missing_ok=True)


def _digest(exported: Exported) -> str:
    return sha256(exported.content).hexdigest()


def difference_from_keras(
    model: keras.Model,
    config: ModelConfig,
    content: bytes,
    check: Sequence[NamedArrays],
    weights: Weights,
) -> Difference:
    """Return how far an exported model's answers are from the Keras model's.

    Args:
        model: the Keras model.
        config: its configuration.
        content: the bytes of its .tflite file.
        check: inputs to run both on; at least one.
        weights: of the file.
    """
    with tempfile.TemporaryDirectory() as folder:
        files = ModelFiles("exported", Path(folder) / WEIGHTS, config)
        files.weights.write_bytes(content)
        exported = open_network(files, os.cpu_count() or 1)
        pairs = [(exported(**inputs), model.predict_on_batch(dict(inputs))) for inputs in check]
    head = config.heads[0]
    points = np.concatenate([np.abs(ours[head] - theirs[head]).ravel() for ours, theirs in pairs])
    leads = np.concatenate([_lead_differences(ours, theirs) for ours, theirs in pairs])
    return Difference(
        float(points.mean()),
        float(np.quantile(points, _RARE)),
        float(leads.mean()),
        float(leads.max()),
        len(leads),
        weights,
    )


def _lead_differences(ours: NamedArrays, theirs: NamedArrays) -> NDArray[np.float32]:
    """Return by how many points the lead of each position differs, (B,)."""
    head = next((each for each in _LEADS if each in ours), None)
    if head is None:
        return np.zeros(len(next(iter(ours.values()))), np.float32)
    difference: NDArray[np.float32] = np.abs(ours[head][:, 0] - theirs[head][:, 0])
    return difference
