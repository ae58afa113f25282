"""A model directory from a network of Keras that was built elsewhere and takes planes of this project."""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final
from zipfile import is_zipfile

import keras
import numpy as np
from keras import layers, ops
from numpy.typing import NDArray

from goban.errors import InputError, cut
from goban.position import Position
from ownership.export.check_positions import SIDES, positions_of_all_stages
from ownership.export.keras_answers import check_answers, heads_of, shape_text
from ownership.export.litert_conversion import ExportError
from ownership.export.model_export import Difference, export
from ownership.inference.keras_config import KerasConfig
from ownership.inference.litert_network import NamedArrays
from ownership.inference.model_files import ModelError
from ownership.networks.build_network import build_network
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes_and_chains

_REGISTERED: Final = build_network  # this import registers the layers of this project, which a file may hold
_CAUSE: Final = "Exception encountered: "  # in Keras's messages


def read_keras(path: Path) -> keras.Model:
    """Return the network of a .keras file, not compiled; raise ModelError for another file.

    Layers that are neither of Keras nor of this project have to be registered by the program that calls it.
    """
    if not is_zipfile(path):
        found = "another file" if path.is_file() else "no such file"
        raise ModelError(f"{path}: expected a network that Keras saved, a .keras file. Received: {found}")
    try:
        return keras.saving.load_model(path, compile=False)
    except Exception as error:  # whatever the code of a layer raises
        raise ModelError(f"{path}: expected a network that Keras can load. Received: {_reason(error)}") from None


def export_keras(
    network: keras.Model, directory: Path | str, features: str, source: Path | str = "network"
) -> Difference:
    """Write the model directory of a network of Keras.

    Args:
        network: it reads the planes of a feature set, float32 (B, N, N, C), and if it has a second input of the name
            `chains`, chain ids, int32 (B, N, N). Its outputs are named `ownership`, `policy`, `score`, `resign` and
            `margin`, as far as it has these, and are as `build_network` describes them; other names are known by the
            shapes of an ownership or a policy. A policy may lack the pass. N is any side or a fixed one.
        directory: where to; made if missing.
        features: name of the planes, as of `ownership train --features`.
        source: the file that it is from, or what error messages call it.

    Returns:
        how far the written model is from the network.

    Raises:
        ModelError: other inputs or outputs, or answers out of range.
        ExportError: LiteRT cannot run the network, or answers otherwise; nothing is written then.
    """
    own = _OwnNetwork(network, features, str(source))
    check = [own.inputs(positions) for positions in positions_of_all_stages([own.side] if own.side else SIDES)]
    answers = [_as_arrays(own(inputs)) for inputs in check]
    side = check[0]["planes"].shape[1]
    heads = heads_of(answers[0], side, own.name)
    for each in answers:
        check_answers({head: each[output] for head, output in heads.items()}, own.name)
    passes = "policy" not in heads or answers[0][heads["policy"]][0].size > side * side
    config = KerasConfig(features, tuple(heads), own.side, passes, own.reads_chains)
    description = {"name": Path(directory).resolve().name, "source": _source(Path(source))}
    try:
        return export(own.named(heads, config), config, Path(directory), check, description)
    except (InputError, OSError):
        raise
    except Exception as error:  # the converter has errors of its own
        raise ExportError(f"{source}: expected a network that LiteRT can run. Received: {_reason(error)}") from None


class _OwnNetwork:
    """A network that takes planes, called with named inputs, for outputs by name.

    Attributes:
        name: for error messages.
        reads_chains: whether it has a second input, the chain ids.
        side: the only board side that it takes, None for any.

    Raises:
        ModelError: other inputs.
    """

    def __init__(self, network: keras.Model, features: str, name: str) -> None:
        self._network, self._features, self.name = network, parse_feature_set(features), name
        found = list(getattr(network, "inputs", None) or ())
        planes = [each for each in found if each.name != "chains"]
        self.reads_chains = len(planes) < len(found)
        shape = tuple(planes[0].shape) if len(planes) == 1 else ()
        channels = len(self._features.planes)
        if len(shape) != 4 or shape[1] != shape[2] or shape[3] != channels:
            shapes = " and ".join(shape_text(each.shape[1:]) for each in found)
            raise ModelError(
                f"{name}: expected an input of shape (B, N, N, {channels}), the planes {features}. "
                f"Received: {shapes or 'no input of a known shape'}; --features names other planes"
            )
        self.side: int | None = shape[1]

    def __call__(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outputs by name, for arrays or Keras tensors."""
        given: Any = inputs["planes"]
        if not isinstance(self._network, keras.Sequential):
            given = keras.tree.map_structure(
                lambda each: inputs["chains" if each.name == "chains" else "planes"], self._network.input
            )
        answers = self._network(given, training=False)
        if isinstance(answers, dict):
            return answers
        if isinstance(answers, list | tuple):
            return dict(zip(self._network.output_names, answers, strict=True))
        return {getattr(self._network, "output_names", ["output"])[0]: answers}

    def inputs(self, positions: Sequence[Position]) -> NamedArrays:
        """Return what it reads of positions of one board side."""
        planes, chains = planes_and_chains(positions, self._features)
        return {"planes": planes, "chains": chains} if self.reads_chains else {"planes": planes}

    def named(self, heads: Mapping[str, str], config: KerasConfig) -> keras.Model:
        """Return the network with inputs and outputs as `build_network` has them."""
        board = (self.side, self.side)
        inputs = {"planes": keras.Input((*board, config.channels), name="planes", dtype="float32")}
        if self.reads_chains:
            inputs["chains"] = keras.Input(board, name="chains", dtype="int32")
        answers = self(inputs)
        outputs = {head: ops.cast(answers[output], "float32") for head, output in heads.items()}
        if "ownership" in outputs and len(outputs["ownership"].shape) == 4:
            outputs["ownership"] = ops.squeeze(outputs["ownership"], axis=-1)
        if "policy" in outputs:
            policy = layers.Reshape((-1,), dtype="float32")(outputs["policy"])
            outputs["policy"] = policy if config.passes else ops.pad(policy, ((0, 0), (0, 1)))
        return keras.Model(inputs, outputs, name="own")


def _as_arrays(outputs: Mapping[str, Any]) -> dict[str, NDArray[Any]]:
    return {output: np.asarray(ops.convert_to_numpy(values)) for output, values in outputs.items()}


def _source(path: Path) -> dict[str, str]:
    """Return what names the file of a network: its name and, where it is there, its SHA-256."""
    return {"file": path.name} | ({"sha256": sha256(path.read_bytes()).hexdigest()} if path.is_file() else {})


def _reason(error: Exception) -> str:
    """Return the cause in a message of Keras or the converter, in one line."""
    return cut(" ".join(str(error).split()).rpartition(_CAUSE)[2].partition(". ")[0])
