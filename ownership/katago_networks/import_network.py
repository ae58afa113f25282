"""From a network file of KataGo to a model directory."""

from pathlib import Path
from typing import Final

import keras
import numpy as np

from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.export.model_export import Difference, export
from ownership.inference.evaluator import Evaluator
from ownership.inference.katago_config import KataGoConfig
from ownership.inference.litert_network import NamedArrays
from ownership.inference.model_catalogue import DEFAULT
from ownership.katago_networks.build_katago_network import build_katago_network
from ownership.katago_networks.find_networks import digest_of, licence_of
from ownership.katago_networks.katago_file import NetworkFile
from ownership.katago_networks.katago_model import KataGoModel
from ownership.katago_networks.weights_parser import KataGoFileError
from planes.katago_inputs import katago_numbers, katago_planes

_SIDES: Final = (9, 13, 19)
_GAMES: Final = 8  # of each side
_SHOWN: Final = 8  # positions of each game
_LENGTH: Final = 0.8  # moves of a game for each point of the board
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
    empty = [Position.empty(_SIDES[0])]
    inputs = {"planes": katago_planes(empty, _TERMS[:1], strict), "globals": katago_numbers(empty, _TERMS[:1])}
    answers = answering.predict_on_batch(inputs)
    if not all(np.isfinite(answer).all() for answer in answers.values()):
        raise KataGoFileError(f"{file}: expected a network that answers with numbers. Received: NaN or infinity")


def _checked_inputs(strict: bool) -> list[NamedArrays]:
    """Return the inputs of a network of KataGo for positions of all stages, in games by a bundled model's policy."""
    evaluator = Evaluator.load(DEFAULT)
    random = np.random.default_rng(0)
    inputs: list[NamedArrays] = []
    for side in _SIDES:
        positions = [Position.empty(side)] * _GAMES
        length = int(_LENGTH * side * side)
        shown = set(np.linspace(1, length, _SHOWN).astype(int).tolist())
        for ply in range(1, length + 1):
            predictions = evaluator.evaluate(positions)
            policies = [np.asarray(each.policy, np.float64) for each in predictions]
            points = [int(random.choice(len(each), p=each / each.sum())) for each in policies]
            positions = [position.play(point) for position, point in zip(positions, points, strict=True)]
            if ply in shown:
                terms = [_TERMS[index % len(_TERMS)] for index in range(_GAMES)]
                planes, numbers = katago_planes(positions, terms, strict), katago_numbers(positions, terms)
                inputs.append({"planes": planes, "globals": numbers})
    return inputs
