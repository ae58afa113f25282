"""One model from several: the mean of their weights (Wortsman and others: Model soups, 2022).

It helps where one model was fine-tuned from another on different games: the mean keeps what each has learned and is as
fast as one of them.
"""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from game_datasets.shards import Datasets, listed
from ownership.evaluation.calibration_fit import calibrate
from ownership.export.model_export import Difference, export
from ownership.inference.learned_games import learned_openings, write_learned
from ownership.inference.model_catalogue import place_of
from ownership.inference.model_files import ModelError, ModelFiles, read_model_files
from ownership.inference.network_config import NetworkConfig
from ownership.training.saved_networks import load_trained, trained_config
from ownership.training.trainer import EXPORT_POSITIONS
from ownership.training.training_games import TRAINED, games_for, trained_path
from ownership.training.training_options import TrainingOptions
from ownership.training.training_targets import network_inputs
from ownership.training.validation import HeldOut, validate
from runtime.safe_writing import replacing


class Averaged(NamedTuple):
    """What the mean of some models measures, by figure as `validate` returns them, and the models themselves.

    Attributes:
        metrics: of the mean.
        members: of each model.
        difference: how far the exported mean is from Keras.
    """

    metrics: dict[str, float]
    members: list[dict[str, float]]
    difference: Difference


def average(models: Sequence[ModelFiles], datasets: Datasets, directory: Path) -> Averaged:
    """Write a model directory with the mean of the weights of some models.

    Args:
        models: two or more of one network, each with its best.keras.
        datasets: on their `validation` splits the mean is measured, and its score is calibrated.
        directory: where to; made if missing.

    Raises:
        ModelError: models of different networks, or one without best.keras.
        DatasetError: a dataset is missing, damaged or empty.
        ExportError: the exported model's answers differ.
    """
    config = _common_network(models)
    networks = [load_trained(trained_path(each), config) for each in models]
    held_out = HeldOut(games_for(config, datasets, "validation"), config)
    positions = TrainingOptions(samples=1).validation_positions
    members = [validate(each, held_out.batches(positions)) for each in networks]
    mean = networks[0]
    weights = zip(*(each.get_weights() for each in networks), strict=True)
    mean.set_weights([np.mean(each, axis=0) for each in weights])
    metrics = validate(mean, held_out.batches(positions))
    description: dict[str, Any] = {"name": directory.resolve().name, "metrics": metrics}
    description["averaged"] = {
        "date": date.today().isoformat(),
        "models": [place_of(each) for each in models],
        "datasets": list(map(str, listed(datasets))),
    }
    check = [network_inputs(batch) for batch in held_out.batches(EXPORT_POSITIONS)]
    difference = export(mean, config, directory, check, description)
    if "score" in config.heads:
        calibrate(read_model_files(directory), held_out.table, positions)
    write_learned(directory, [learned_openings(each) for each in models])
    with replacing(directory / TRAINED) as partial:
        mean.save(partial)
    return Averaged(metrics, members, difference)


def _common_network(models: Sequence[ModelFiles]) -> NetworkConfig:
    first = models[0]
    config = trained_config(first)
    for other in models[1:]:
        wanted, found = config.to_dict(), trained_config(other).to_dict()
        if differing := [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]:
            shown = (", ".join(f"{name} {each.get(name)}" for name in differing) for each in (wanted, found))
            raise ModelError("{}: expected the network of {}, {}. Received: {}".format(other.name, first.name, *shown))
    return config
