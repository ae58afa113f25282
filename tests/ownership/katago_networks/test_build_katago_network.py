"""Networks of KataGo in Keras, beside the same networks in plain NumPy."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from goban.rulesets import RULESETS, Terms
from ownership.katago_networks.katago_file import read_model
from ownership.katago_networks.network_parts import Attention, Block, FeedForward, RootMeanSquare
from planes.katago_inputs import katago_numbers, katago_planes
from tests.support.katago_files import CHANNELS, network_bytes, write_network
from tests.support.katago_numpy import answers
from tests.support.positions import random_positions

pytest.importorskip("keras", reason="making a model needs the train extra")

from ownership.katago_networks.build_katago_network import build_katago_network


def transformer(spatial: bool) -> tuple[Block, Block]:
    random = np.random.default_rng(3)

    def weights(*shape: int) -> np.ndarray:
        return random.normal(0, 0.4, shape).astype(np.float32)

    norm = RootMeanSquare(weights(CHANNELS), weights(CHANNELS), 1e-3, spatial)
    query, key, value, out = weights(CHANNELS, 8), weights(CHANNELS, 4), weights(CHANNELS, 4), weights(8, CHANNELS)
    linear, gate, back = weights(CHANNELS, 6), weights(CHANNELS, 6), weights(6, CHANNELS)
    return Attention(norm, 4, 2, query, key, value, out, None), FeedForward(norm, linear, gate, back)


@pytest.mark.parametrize(
    ("version", "side", "rules"), [(8, 9, "japanese"), (14, 19, "chinese"), (15, 5, "japanese"), (15, 9, "area")]
)
def test_the_network_answers_as_in_numpy(version: int, side: int, rules: str, tmp_path: Path) -> None:
    model = read_model(write_network(tmp_path / "net.bin", network_bytes(version)))
    if version == 15:
        model = replace(model, blocks=(*model.blocks, *transformer(spatial=rules == "area")))
    positions, terms = random_positions(side, 4), [Terms(RULESETS[rules], 6.5)] * 4
    planes, numbers = katago_planes(positions, terms), katago_numbers(positions, terms)
    found = build_katago_network(model).predict_on_batch({"planes": planes, "globals": numbers})
    for name, expected in answers(model, planes, numbers).items():
        np.testing.assert_allclose(found[name], expected, rtol=1e-3, atol=1e-4, err_msg=name)
