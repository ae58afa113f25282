"""Write the weights of bundled models again: python tools/export_bundled.py [NAME ...].

model.tflite follows from best.keras, and has the same bytes each time. bulk.tflite, which depends on positions that the
model was trained on, stays as it is. model.json gets the digests of both, and how far they are from Keras on positions
of the example games.
"""

import json
import sys
from pathlib import Path
from typing import Final

import keras

from game_records.record_sources import read_game
from ownership.export.model_export import Difference, Exported, difference_from_keras, exact_weights, write_export
from ownership.inference.litert_network import NamedArrays
from ownership.inference.model_catalogue import BUNDLED, bundled_models
from ownership.inference.model_files import DESCRIPTION, read_model_files
from ownership.inference.network_config import NetworkConfig
from ownership.training.saved_networks import load_trained, trained_config
from ownership.training.training_games import trained_path
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes_and_chains

_EXAMPLES: Final = Path(__file__).parents[1] / "examples"
_EVERY: Final = 4  # positions of a game


def main(names: list[str]) -> int:
    """Export the models with these names, or all; print how far they are from Keras."""
    for name in names or bundled_models():
        for difference in export_again(BUNDLED / name):
            print(f"{name}: {difference}")
    return 0


def export_again(directory: Path) -> list[Difference]:
    """Write model.tflite and model.json of a model directory; return how far its weights are from Keras."""
    files = read_model_files(directory)
    config = trained_config(files)
    keras.utils.clear_session()  # the names of layers do not depend on other networks
    network, check = load_trained(trained_path(files), config), checked_inputs(config)
    exact, bulk = exact_weights(network, config, check, directory), None
    if files.bulk:
        content = files.bulk.read_bytes()
        bulk = Exported(content, difference_from_keras(network, config, content, check, "int8"))
    write_export(directory, exact, bulk, json.loads((directory / DESCRIPTION).read_text("utf-8")))
    return [each.difference for each in (exact, bulk) if each]


def checked_inputs(config: NetworkConfig) -> list[NamedArrays]:
    """Return the inputs of a network for positions of each example game."""
    inputs: list[NamedArrays] = []
    for path in sorted(_EXAMPLES.glob("*.sgf")):
        positions = list(read_game(path).positions())[::_EVERY]
        planes, chains = planes_and_chains(positions, parse_feature_set(config.feature_set))
        inputs.append({"planes": planes} | ({"chains": chains} if config.reads_chains else {}))
    return inputs


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
