"""The files of a model directory: `model.json`, read and checked, and the digests of the weights."""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from goban.errors import InputError, check_number, naming, parse_object, shown
from ownership.inference.katago_config import KATAGO, KataGoConfig
from ownership.inference.keras_config import KERAS, KerasConfig
from ownership.inference.network_config import NetworkConfig
from ownership.inference.own_config import OwnConfig
from ownership.inference.score_calibration import CalibrationBySide, calibration_values, parse_calibration
from runtime.safe_writing import replacing

WEIGHTS: Final = "model.tflite"
BULK: Final = "bulk.tflite"
DESCRIPTION: Final = "model.json"
SHA256: Final = "weights_sha256"  # the field of `model.json`
BULK_SHA256: Final = "bulk_sha256"  # the same of the int8 weights, where there are some
DIGEST: Final = "description_sha256"  # a field of `model.json`, too
CALIBRATION: Final = "calibration"  # a field of `model.json`, which may be missing
ROLLOUT_SHARE: Final = 0.2  # for networks of this project; KataGo's do not gain by rollouts


ModelConfig = NetworkConfig | KataGoConfig | KerasConfig


class ModelError(InputError):
    """A model that is not there or cannot be used."""


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model directory, `model.json` read and checked.

    Attributes:
        name: the model's own name.
        weights: path of the LiteRT file that answers as the trained network does.
        network: how the network is built and what its planes are; or an evaluator of a user's own, which has no files.
        calibration: factors on what the network answers about the score, by board side.
        rollout_share: share of rollouts in judging the stones of finished boards, 0..1.
        sha256: of the LiteRT file, 64 hexadecimal digits; None where `model.json` has none.
        bulk: path of the LiteRT file with int8 weights, None without one; see `bulk_weights`.
        bulk_sha256: of this file.
    """

    name: str
    weights: Path
    network: ModelConfig | OwnConfig
    calibration: CalibrationBySide = field(default_factory=dict)
    rollout_share: float = ROLLOUT_SHARE
    sha256: str | None = None
    bulk: Path | None = None
    bulk_sha256: str | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is an evaluator of a user's own, without files."""
        return isinstance(self.network, OwnConfig)

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the model, of `ownership.inference.network_config.HEADS`."""
        return self.network.heads

    def require_head(self, head: str, what: str) -> None:
        """Raise InputError, naming the user of the head, if the model lacks a head of `network_config.HEADS`."""
        if head not in self.heads:
            heads = ", ".join(self.heads)
            raise InputError(f"{what} needs a model with the head {head}. Received: {self.name}, with {heads} only")

    def require_side(self, side: int) -> None:
        """Raise InputError if the model does not know boards of a side."""
        only = self.network.side
        if only is not None and only != side:
            raise InputError(f"{self.name} plays on boards of side {only} only. Received: side {side}")


def read_model_files(directory: Path) -> ModelFiles:
    """Return the model in a directory; raise ModelError for a `model.json` that is not there or that is at fault."""
    path = directory / DESCRIPTION
    if not is_file(path):
        raise ModelError(f"{path}: expected the description of a model, a file beside {WEIGHTS}. Received: none")
    try:
        return _model_files(directory, _read(path))
    except InputError as error:
        raise ModelError(f"{path}: {error}") from None


def check_weights(model: ModelFiles) -> None:
    """Raise ModelError for weights that do not match their digest in `model.json`, if it has one."""
    try:
        found = hashlib.sha256(model.weights.read_bytes()).hexdigest() if model.sha256 else None
    except OSError as error:
        raise ModelError(f"{model.weights}: expected the weights of a model. Received: {error.strerror}") from None
    if found != model.sha256:
        raise ModelError(
            f"{model.weights}: expected the weights that {DESCRIPTION} describes, with SHA-256 {model.sha256}. "
            f"Received: a changed or damaged file, with {found}"
        )


def description_of(model: ModelFiles) -> Mapping[str, Any]:
    """Return the values of the `model.json` of a model, {} for an evaluator of a user's own.

    Raises:
        ModelError: it cannot be read.
    """
    return {} if model.is_own else _read(model.weights.parent / DESCRIPTION)


def metrics_of(model: ModelFiles) -> dict[str, float]:
    """Return the figures that the training of a model left in its `model.json`, such as `validation_accuracy`.

    Raises:
        ModelError: its `model.json` cannot be read.
    """
    found = description_of(model).get("metrics")
    figures = found.items() if isinstance(found, dict) else ()
    return {name: float(value) for name, value in figures if isinstance(value, int | float)}


def training_of(model: ModelFiles) -> tuple[str, int]:
    """Return the origin of a model's training, as JSON, and its seed; "" and 0 if its `model.json` lacks them.

    Models for which the first is the same are trainings of one recipe.

    Raises:
        ModelError: its `model.json` cannot be read.
    """
    found = description_of(model)
    trained = found.get("trained")
    if not isinstance(trained, dict) or not isinstance(trained.get("options"), dict):
        return "", 0
    recipe = {name: trained.get(name) for name in ("datasets", "games", "initial_weights", "soft")}
    options = {name: value for name, value in trained["options"].items() if name != "seed"}
    return json.dumps([found.get("network"), recipe, options], sort_keys=True), trained["options"].get("seed", 0)


def is_file(path: Path) -> bool:
    """Return whether a file is there and may be looked at."""
    try:
        return path.is_file()
    except OSError:  # a name that is too long, or a folder that may not be looked into
        return False


def _read(path: Path) -> Mapping[str, Any]:
    try:
        return parse_object(path.read_bytes())
    except OSError as error:
        raise ModelError(f"expected the description of a model. Received: {error.strerror or error}") from None


def _model_files(directory: Path, description: Mapping[str, Any]) -> ModelFiles:
    """Return the model that a description in a directory gives; raise InputError naming the field at fault."""
    if "network" not in description:
        raise ModelError("expected the field network. Received: none; export the model again with `ownership train`")
    network = _network(description["network"])
    name = description.get("name", directory.name)
    if not isinstance(name, str) or not name.isprintable():
        raise ModelError(f"name must be one line of text. Received: {shown(name)}")
    with naming(CALIBRATION):
        calibration = parse_calibration(description.get(CALIBRATION, {}))
    share, sha256 = _rollout_share(description, network), _sha256(description, SHA256)
    bulk_sha256 = _sha256(description, BULK_SHA256)
    _check_digest(description)
    bulk = directory / BULK if bulk_sha256 else None
    return ModelFiles(name, directory / WEIGHTS, network, calibration, share, sha256, bulk, bulk_sha256)


def _network(values: object) -> ModelConfig:
    """Return the configuration that a `to_dict` wrote; raise as `NetworkConfig.from_dict` does."""
    if isinstance(values, Mapping) and values.get("architecture") == KATAGO:
        return KataGoConfig.from_dict(values)
    if isinstance(values, Mapping) and values.get("architecture") == KERAS:
        return KerasConfig.from_dict(values)
    return NetworkConfig.from_dict(values)


def write_calibration(model: ModelFiles, calibration: CalibrationBySide) -> None:
    """Replace the calibration in the `model.json` of a model, and its digest.

    Raises:
        ModelError: the file cannot be read.
        OSError: it cannot be written.
    """
    path = model.weights.with_name(DESCRIPTION)
    values = {name: value for name, value in _read(path).items() if name != DIGEST}
    values[CALIBRATION] = calibration_values(calibration)
    values[DIGEST] = description_digest(values)
    with replacing(path) as partial:
        partial.write_text(json.dumps(values, indent=2) + "\n", encoding="utf-8")


def description_digest(description: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a `model.json`, of its values but for the digest: 64 hexadecimal digits."""
    values = {name: value for name, value in description.items() if name != DIGEST}
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()


def _check_digest(description: Mapping[str, Any]) -> None:
    """Raise ModelError for a description that is not the one of its digest, where it has one."""
    if DIGEST in description and description[DIGEST] != (found := description_digest(description)):
        raise ModelError(
            f"expected values with the {DIGEST} {shown(description[DIGEST])}. Received: changed or damaged ones, "
            f"with {found}; if you changed them, remove {DIGEST}"
        )


def _sha256(description: Mapping[str, Any], field: str) -> str | None:
    digest = description.get(field)
    if digest is None or (isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest)):
        return digest
    raise ModelError(f"{field} must be 64 hexadecimal digits. Received: {shown(digest)}")


def _rollout_share(description: Mapping[str, Any], network: ModelConfig) -> float:
    with naming("rollout_share"):
        default = 0.0 if isinstance(network, KataGoConfig) else ROLLOUT_SHARE
        return check_number(description.get("rollout_share", default), 0, 1)
