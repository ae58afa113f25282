"""From a network file of KataGo to a model directory."""

from pathlib import Path
from typing import Final

import keras
import numpy as np

from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.export.check_positions import positions_of_all_stages
from ownership.export.model_export import Difference, export
from ownership.inference.katago_config import KataGoConfig
from ownership.inference.litert_network import NamedArrays
from ownership.katago_networks.build_katago_network import build_katago_network
from ownership.katago_networks.find_networks import digest_of
from ownership.katago_networks.katago_file import NetworkFile
from ownership.katago_networks.network_licences import licence_of
from ownership.katago_networks.network_parts import KataGoModel
from ownership.katago_networks.weights_parser import KataGoFileError
from planes.katago_inputs import katago_numbers, katago_planes

_SIDE: Final = 9  # of the board whose answers must be numbers
_TERMS: Final = (Terms(RULESETS["chinese"], 7.5), Terms(RULESETS["japanese"], 6.5))


def import_network(model: KataGoModel, file: NetworkFile, directory: Path) -> Difference:
    """Write the model directory of a network, whose weights are float16 ones if these answer as the network does.

    Args:
        model: the network, from `read_model`.
        file: where it was read, which the description names.
        directory: where to; made if missing.

    Returns:
        how far the written model is from the network.

    Raises:
        OSError: the file cannot be read, or the directory not be written.
        KataGoFileError: the network answers with NaN or infinity.
        ExportError: the model answers otherwise with float32 weights, too; nothing is written then.
    """
    network = build_katago_network(model)
    answering = keras.Model(network.input, {head: network.output[head] for head in KataGoConfig.heads}, name="katago")
    _check_answers(answering, model.strict_pass_alive, file)
    config = KataGoConfig(model.version, model.planes.kernel.shape[3], len(model.blocks), model.strict_pass_alive)
    check = _checked_inputs(model.strict_pass_alive)
    description = {
        "name": model.name,
        "source": {"file": file.name, "sha256": digest_of(file), "version": model.version},
        "licence": licence_of(model),
    }
    return export(answering, config, directory, check, description)


def _check_answers(answering: keras.Model, strict: bool, file: NetworkFile) -> None:
    """Raise KataGoFileError for a network whose answers for an empty board are no numbers, before it is exported."""
    empty = [Position.empty(_SIDE)]
    inputs = {"planes": katago_planes(empty, _TERMS[:1], strict), "globals": katago_numbers(empty, _TERMS[:1])}
    answers = answering.predict_on_batch(inputs)
    if not all(np.isfinite(answer).all() for answer in answers.values()):
        raise KataGoFileError(f"{file}: expected a network that answers with numbers. Received: NaN or infinity")


def _checked_inputs(strict: bool) -> list[NamedArrays]:
    """Return the inputs of a network of KataGo for positions of all stages."""
    inputs: list[NamedArrays] = []
    for positions in positions_of_all_stages():
        terms = [_TERMS[index % len(_TERMS)] for index in range(len(positions))]
        planes, numbers = katago_planes(positions, terms, strict), katago_numbers(positions, terms)
        inputs.append({"planes": planes, "globals": numbers})
    return inputs
