"""Where models lie on disk and what their `model.json` says; reads no weights."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goban.errors import InputError
from ownership.inference.config import NetworkConfig

BUNDLED = Path(__file__).parents[1] / "models"
DEFAULT = "default"
WEIGHTS = "model.tflite"
DESCRIPTION = "model.json"


class ModelError(InputError):
    """A model that is not there or cannot be used."""


@dataclass(frozen=True)
class ModelFiles:
    """A model directory that has been looked into.

    name: the model's own name. weights: path of the LiteRT file. network: how its planes are made.
    metrics: measurements that were stored beside the weights, by name. spread: what the network's standard deviation of
    the score is multiplied by.
    """

    name: str
    weights: Path
    network: NetworkConfig
    metrics: Mapping[str, Any]
    deviation_scale: float = 1.0


def bundled_models() -> list[str]:
    """Return the names of the models that come with the package, sorted."""
    return sorted(path.parent.name for path in BUNDLED.glob(f"*/{WEIGHTS}"))


def find_model(model: str | Path | None = None) -> ModelFiles:
    """Return the files of a bundled model (by name) or of a model directory (by path).

    Args:
        model: a name from `bundled_models`, a directory, or None for the default model. A name goes first.

    Raises:
        ModelError: no such model, or its files cannot be understood.

    It does not load the weights.
    """
    text = str(model or DEFAULT)
    bundled = text in bundled_models()
    directory = BUNDLED / text if bundled else Path(text)
    if not (directory / WEIGHTS).is_file():
        names = ", ".join(bundled_models()) or "none"
        raise ModelError(f"expected a directory with {WEIGHTS} or a bundled model ({names}). Received: {text}")
    return _read(directory)


def _read(directory: Path) -> ModelFiles:
    path = directory / DESCRIPTION
    try:
        description = json.loads(path.read_text(encoding="utf-8"))
        network = NetworkConfig.from_dict(description["network"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: expected what `ownership train` writes. Received: {error!r}") from None
    return ModelFiles(
        name=str(description.get("name", directory.name)),
        weights=directory / WEIGHTS,
        network=network,
        metrics=description.get("metrics", {}),
        deviation_scale=float(description.get("spread", 1.0)),
    )
