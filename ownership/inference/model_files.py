"""The files of models: their names, which of them is the default, `model.json`, and networks, which LiteRT runs."""

import hashlib
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goban.errors import ABOVE_ZERO, InputError, check_number, naming, parse_object, shown, suggestion
from ownership.inference.network_config import KataGoConfig, NetworkConfig, parse_config
from runtime.safe_writing import replacing
from runtime.this_process import silenced_stderr

BUNDLED: Final = Path(__file__).parents[1] / "models"
DEFAULT: Final = "default"
VARIABLE: Final = "OWNERSHIP_MODEL"
WEIGHTS: Final = "model.tflite"
DESCRIPTION: Final = "model.json"
_FOLDER: Final = "go-ownership"

MAX_DEVIATION_SCALE: Final = 1000
ROLLOUT_SHARE: Final = 0.2  # for networks of this project; those of KataGo do not gain by rollouts
LEARNED: Final = "games.bin"  # in a model directory
SHA256: Final = "weights_sha256"  # the field of `model.json`
DIGEST: Final = "description_sha256"  # likewise

Arrays = Mapping[str, NDArray[Any]]


class Choice(NamedTuple):
    """The default model: a name or a directory, and what chose it, "" for nothing."""

    model: str
    by: str


def user_folder() -> Path:
    """Return the folder of the user's data: $XDG_DATA_HOME where that is set, else where the platform keeps it."""
    home = Path(os.path.expanduser("~"))
    if os.path.isabs(given := os.environ.get("XDG_DATA_HOME", "")):
        return Path(given) / _FOLDER
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / _FOLDER
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / _FOLDER
    return home / ".local" / "share" / _FOLDER


def imported_folder() -> Path:
    """Return the folder whose model directories all commands find by name."""
    return user_folder() / "models"


def bundled_models() -> list[str]:
    """Return the names of the models that come with the package, sorted."""
    return _names(BUNDLED)


def imported_models() -> list[str]:
    """Return the names of the models in the user's folder, sorted; a bundled model goes before one of its name."""
    return [name for name in _names(imported_folder()) if name not in bundled_models()]


def named_models() -> list[str]:
    """Return the names of all models: bundled, then imported."""
    return bundled_models() + imported_models()


def _directory_of(model: str) -> Path:
    """Return the directory of a model with a name, else the path that is given, which may not be there."""
    if model in bundled_models():
        return BUNDLED / model
    return imported_folder() / model if model in imported_models() else Path(model)


def name_of(directory: Path) -> str | None:
    """Return the name of the model in a directory, None if it has none."""
    if directory.parent not in (BUNDLED, imported_folder()):
        return None
    return directory.name if _directory_of(directory.name) == directory else None


def default_model() -> Choice:
    """Return the model that commands use where none is given: of OWNERSHIP_MODEL, of `choose_default`, or bundled."""
    if given := os.environ.get(VARIABLE):
        return Choice(given, VARIABLE)
    with suppress(OSError, UnicodeDecodeError):
        if chosen := _choice_file().read_text("utf-8").strip():
            return Choice(chosen, "`ownership models use`")
    return Choice(DEFAULT, "")


def default_note() -> str:
    """Return a line that names the default model and what chose it, "" where it is the bundled one."""
    model, by = default_model()
    return f"model: {model}, chosen by {by}" if by else ""


def choose_default(model: str) -> None:
    """Make a model, by name or directory, the default of this user; `default` goes back to the bundled one.

    Raises:
        OSError: the choice cannot be kept.
        InputError: the path has several lines.
    """
    if model == DEFAULT:
        _choice_file().unlink(missing_ok=True)
        return
    kept = model if model in named_models() else os.path.abspath(model)
    if not kept.isprintable():
        raise InputError(f"expected a name or a directory in one line. Received: {kept!r}")
    user_folder().mkdir(parents=True, exist_ok=True)
    with replacing(_choice_file()) as partial:
        partial.write_text(kept + "\n", "utf-8")


def _choice_file() -> Path:
    return user_folder() / "default-model"


def _names(folder: Path) -> list[str]:
    files = (WEIGHTS, DESCRIPTION)
    with suppress(OSError):
        return sorted(each.name for each in folder.iterdir() if all((each / name).is_file() for name in files))
    return []


class ModelError(InputError):
    """A model that is not there or cannot be used."""


@dataclass(frozen=True)
class ModelFiles:
    """The files of a model directory, `model.json` read and checked.

    Attributes:
        name: the model's own name.
        weights: path of the LiteRT file.
        network: how the network is built and what its planes are.
        deviation_scale: factor on the network's standard deviation of the score, above 0, at most
            `MAX_DEVIATION_SCALE`.
        deviation_scales: the same by board side, for sides that have one of their own.
        rollout_share: share of rollouts in judging the stones of finished boards, 0..1.
        sha256: of the LiteRT file, 64 hexadecimal digits; None where `model.json` has none.
    """

    name: str
    weights: Path
    network: NetworkConfig | KataGoConfig
    deviation_scale: float = 1.0
    deviation_scales: Mapping[int, float] = field(default_factory=dict)
    rollout_share: float = ROLLOUT_SHARE
    sha256: str | None = None

    @property
    def heads(self) -> tuple[str, ...]:
        """What the model answers, of `ownership.inference.network_config.HEADS`."""
        return self.network.heads

    @property
    def place(self) -> str:
        """By which `find_model` finds it: the name of a bundled model, on any machine, or of an imported one, or the
        directory."""
        directory = self.weights.parent
        return name_of(directory) or str(directory)

    def require_head(self, head: str, what: str) -> None:
        """Raise InputError, naming what needs it, if the model lacks a head of `network_config.HEADS`."""
        if head not in self.heads:
            heads = ", ".join(self.heads)
            raise InputError(f"{what} needs a model with the head {head}. Received: {self.name}, with {heads} only")

    def require_side(self, side: int) -> None:
        """Raise InputError if the model does not know boards of a side."""
        only = self.network.side
        if only is not None and only != side:
            raise InputError(f"{self.name} plays on boards of side {only} only. Received: side {side}")

    def deviation_scale_on(self, side: int) -> float:
        """Return the factor on the standard deviation of the score on boards of a side."""
        return self.deviation_scales.get(side, self.deviation_scale)


def distinct_names(models: Sequence[ModelFiles]) -> list[str]:
    """Return a name for each model: its own, or where several share one as much of their paths as tells them apart."""
    count = Counter(model.name for model in models)
    directories = [model.weights.parent.resolve() for model in models]
    names = [model.name for model in models]
    for depth in range(1, max(len(each.parts) for each in directories) + 1):
        if len(set(names)) == len(set(directories)):
            break
        tails = (str(Path(*directory.parts[-depth:])) for directory in directories)
        names = [model.name if count[model.name] == 1 else tail for model, tail in zip(models, tails, strict=True)]
    return names


def find_model(model: str | Path | None = None) -> ModelFiles:
    """Return the files of a model with a name, or of a model directory.

    Args:
        model: a name from `named_models`, a directory, or None for the default model. A name goes first.

    Raises:
        ModelError: no such model, or its `model.json` cannot be read or is not what `ownership train` writes.

    It does not load the weights.
    """
    if model:
        return _found(str(model))
    name, by = default_model()
    try:
        return _found(name)
    except ModelError as error:
        if not by:
            raise
        raise ModelError(f"the default model, chosen by {by}: {error}") from None


def _found(model: str) -> ModelFiles:
    directory = _directory_of(model)
    if not _is_file(directory / WEIGHTS):
        names = named_models()
        raise ModelError(
            f"expected a directory with {WEIGHTS} or the name of a model ({', '.join(names) or 'none'}). "
            f"Received: {model}{suggestion(model, names)}"
        )
    path = directory / DESCRIPTION
    if not _is_file(path):
        raise ModelError(f"{path}: expected the description of a model, a file beside {WEIGHTS}. Received: none")
    try:
        return _model_files(directory, _read(path))
    except InputError as error:
        raise ModelError(f"{path}: {error}") from None


def check_weights(model: ModelFiles) -> None:
    """Raise ModelError for weights that are not those of `model.json`, where it has their digest."""
    try:
        found = hashlib.sha256(model.weights.read_bytes()).hexdigest() if model.sha256 else None
    except OSError as error:
        raise ModelError(f"{model.weights}: expected the weights of a model. Received: {error.strerror}") from None
    if found != model.sha256:
        raise ModelError(
            f"{model.weights}: expected the weights that {DESCRIPTION} describes, with SHA-256 {model.sha256}. "
            f"Received: a changed or damaged file, with {found}"
        )


def metrics_of(model: ModelFiles) -> dict[str, float]:
    """Return the figures that the training of a model left in its `model.json`, such as `validation_accuracy`.

    Raises:
        ModelError: its `model.json` cannot be read.
    """
    found = _read(model.weights.parent / DESCRIPTION).get("metrics")
    figures = found.items() if isinstance(found, dict) else ()
    return {name: float(value) for name, value in figures if isinstance(value, int | float)}


def training_of(model: ModelFiles) -> tuple[str, int]:
    """Return what a model was trained from, as JSON, and its seed; "" and 0 where its `model.json` does not tell.

    Models for which the first is the same are trainings of one recipe.

    Raises:
        ModelError: its `model.json` cannot be read.
    """
    found = _read(model.weights.parent / DESCRIPTION)
    trained = found.get("trained")
    if not isinstance(trained, dict) or not isinstance(trained.get("options"), dict):
        return "", 0
    recipe = {name: trained.get(name) for name in ("datasets", "games", "initial_weights", "soft")}
    options = {name: value for name, value in trained["options"].items() if name != "seed"}
    return json.dumps([found.get("network"), recipe, options], sort_keys=True), trained["options"].get("seed", 0)


def learned_openings(model: ModelFiles) -> NDArray[np.uint64]:
    """Return the openings of the games that a model learned from, rising; none where it does not tell.

    They are hashes as `GameRecord.opening` has them, and those of the models that its training began with are among
    them.

    Raises:
        ModelError: the file of them is damaged or cannot be read.
    """
    path = model.weights.with_name(LEARNED)
    try:
        content = path.read_bytes() if _is_file(path) else b""
    except OSError as error:
        raise ModelError(f"{path}: expected hashes of games. Received: {error.strerror or error}") from None
    if len(content) % 8:
        raise ModelError(f"{path}: expected hashes of 8 bytes. Received: {len(content)} bytes; remove the file")
    return np.frombuffer(content, "<u8").astype(np.uint64)


def _is_file(path: Path) -> bool:
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
    network = parse_config(description["network"])
    name = description.get("name", directory.name)
    if not isinstance(name, str) or not name.isprintable():
        raise ModelError(f"name must be one line of text. Received: {shown(name)}")
    scale, by_side = _deviation_scale(description, network), _deviation_scales(description)
    share, sha256 = _rollout_share(description, network), _sha256(description)
    _check_digest(description)
    return ModelFiles(name, directory / WEIGHTS, network, scale, by_side, share, sha256)


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


def _sha256(description: Mapping[str, Any]) -> str | None:
    digest = description.get(SHA256)
    if digest is None or (isinstance(digest, str) and re.fullmatch("[0-9a-f]{64}", digest)):
        return digest
    raise ModelError(f"{SHA256} must be 64 hexadecimal digits. Received: {shown(digest)}")


def _deviation_scale(description: Mapping[str, Any], network: NetworkConfig | KataGoConfig) -> float:
    return _scale("deviation_scale", description.get("deviation_scale", None if "score" in network.heads else 1.0))


def _rollout_share(description: Mapping[str, Any], network: NetworkConfig | KataGoConfig) -> float:
    with naming("rollout_share"):
        default = 0.0 if isinstance(network, KataGoConfig) else ROLLOUT_SHARE
        return check_number(description.get("rollout_share", default), 0, 1)


def _deviation_scales(description: Mapping[str, Any]) -> dict[int, float]:
    found = description.get("deviation_scales", {})
    if not isinstance(found, dict) or not all(side.isdecimal() for side in found):
        raise ModelError(f"deviation_scales: expected numbers by board side. Received: {shown(found)}")
    return {int(side): _scale(f"deviation_scales {side}", scale) for side, scale in found.items()}


def _scale(name: str, scale: object) -> float:
    with naming(name):
        return check_number(scale, ABOVE_ZERO, MAX_DEVIATION_SCALE)


class Network(Protocol):
    """A network as a function of named arrays, for one thread at a time."""

    def __call__(self, **inputs: NDArray[Any]) -> dict[str, NDArray[np.float32]]:
        """Return the outputs by name, arrays of their own."""
        ...


def open_network(files: ModelFiles, threads: int) -> Network:
    """Return the network of a model, which runs on `threads` processors.

    Raises:
        ModelError: the weights cannot be read, or are not those of the network that `model.json` describes.
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
        _check_signature(files.weights, files.network, runner)
    network: Network = runner
    return network


def runtime_name() -> str:
    """Return the name of the runtime that `open_network` uses; raise InputError if none is installed."""
    return "LiteRT" if _interpreter_class().__module__.startswith("ai_edge_litert") else "TensorFlow"


def _check_signature(weights: Path, network: NetworkConfig | KataGoConfig, runner: Any) -> None:
    """Raise ModelError unless the inputs and outputs of a file are those of its configuration."""
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
