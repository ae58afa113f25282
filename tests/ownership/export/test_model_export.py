"""The exported model answers as the Keras model, or is not exported."""

import json
from pathlib import Path

import numpy as np
import pytest

from ownership.inference.model_catalogue import find_model
from ownership.inference.model_files import check_weights
from ownership.inference.network_config import NetworkConfig
from tests.support.positions import inputs

pytest.importorskip("tensorflow", reason="export needs the train extra")

import keras
from ai_edge_litert.interpreter import Interpreter

from ownership.export.litert_conversion import ExportError, convert, convert_rounded
from ownership.export.model_export import RARE_LIMIT, difference_from_keras, export
from ownership.export.rounding_corrections import in_two_parts, last_layers
from ownership.networks.build_network import build_network

NETWORKS = [
    NetworkConfig("classic5", "classic8", filters=16, heads=("ownership",)),
    NetworkConfig("classic5", "standard", chain_pooling="max", filters=16),
    NetworkConfig("residual", "standard", chain_pooling="off", filters=16, blocks=2),
    NetworkConfig("residual", "classic8", chain_pooling="max", filters=16, blocks=2),
]
SIZES = [(1, 19), (5, 9), (2, 2), (1, 25), (5, 9)]


@pytest.fixture(autouse=True)
def same_weights() -> None:
    keras.utils.set_random_seed(3)


@pytest.mark.parametrize("config", NETWORKS, ids=lambda config: config.architecture)
def test_one_interpreter_takes_any_batch_and_side(config: NetworkConfig) -> None:
    model = build_network(config)
    run = Interpreter(model_content=convert(model)).get_signature_runner("serving_default")
    assert sorted(run.get_input_details()) == (["chains", "planes"] if config.reads_chains else ["planes"])
    for batch, side in SIZES:
        given = inputs(config, side, batch)
        answers, expected = run(**given), model.predict_on_batch(given)
        assert sorted(answers) == sorted(config.heads)
        assert answers["ownership"].shape == (batch, side, side)
        np.testing.assert_allclose(answers["ownership"], expected["ownership"], atol=0.08)
        for head in config.heads[1:]:
            assert answers[head].shape == expected[head].shape
            np.testing.assert_allclose(answers[head], expected[head], rtol=0.2, atol=0.08 * side * side)


def test_rounded_kernels_do_not_shift_the_whole_board() -> None:
    """Where every weight of the ownership head is rounded, each point errs to the same side, and the sum by points."""
    config = NetworkConfig("residual", "classic8", filters=128, blocks=1, heads=("ownership",))
    model, given = build_network(config), inputs(config, 19, 4)
    before = [each.numpy() for each in model.weights]
    run = Interpreter(model_content=convert_rounded(model, [given])).get_signature_runner("serving_default")
    np.testing.assert_equal([each.numpy() for each in model.weights], before)
    exported, expected = run(**given)["ownership"], model.predict_on_batch(given)["ownership"]
    assert np.abs(2 * (exported - expected).sum(axis=(1, 2))).max() < 0.15


def test_weights_are_int8() -> None:
    content = convert(build_network(NetworkConfig("classic5", "classic8")))
    assert 353_489 < len(content) < 400_000


def test_a_model_directory_is_written(tmp_path: Path) -> None:
    config = NETWORKS[0]
    check = [inputs(config, 9, 3), inputs(config, 13, 2)]
    difference = export(build_network(config), config, tmp_path / "model", check, {"name": "small"})
    description = json.loads((tmp_path / "model" / "model.json").read_text())
    assert NetworkConfig.from_dict(description["network"]) == config
    assert description["name"] == "small"
    check_weights(find_model(tmp_path / "model"))
    assert find_model(tmp_path / "model").sha256
    assert description["export"]["rare"] == difference.rare <= RARE_LIMIT
    assert difference.positions == 5
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == ["model.json", "model.tflite"]


@pytest.mark.parametrize(("factor", "weights"), [(1, "int8"), (1000, "float32")])
def test_weights_are_float32_where_int8_ones_answer_otherwise(factor: int, weights: str, tmp_path: Path) -> None:
    config = NETWORKS[0]
    model = build_network(config)
    model.layers[-3].set_weights([factor * each for each in model.layers[-3].get_weights()])
    difference = export(model, config, tmp_path / "model", [inputs(config, 9, 3)], {})
    assert difference.weights == weights
    assert json.loads((tmp_path / "model" / "model.json").read_text())["export"]["weights"] == weights


def test_the_last_layers_are_in_two_parts_where_one_channel_drowns_all_others(tmp_path: Path) -> None:
    config = NetworkConfig("residual", "classic8", filters=32, blocks=2, heads=("ownership", "margin"))
    model, given = build_network(config), inputs(config, 9, 3)
    first, board, second = (model.get_layer(f"block2_{name}") for name in ("first", "board", "second"))
    second.set_weights([np.random.default_rng(1).normal(0, 0.2, second.kernel.shape), np.zeros(32)])
    for layer, unread in ((board, [0, 32]), (second, 0)):
        kernel = layer.kernel.numpy()
        kernel[..., unread, :] = 0
        layer.kernel.assign(kernel)
    before = model.predict_on_batch(given)
    first.bias.assign(first.bias + 5000.0 * np.eye(32)[0])
    np.testing.assert_allclose(model.predict_on_batch(given)["ownership"], before["ownership"], atol=1e-4)
    last = last_layers(model, config)
    assert {each.name for each in last} > {"block2_first", "block2_board", "block2_second"}
    whole = difference_from_keras(model, config, convert_rounded(model, [given]), [given])
    with in_two_parts(last):
        parts = difference_from_keras(model, config, convert_rounded(model, [given], last), [given])
    assert not whole.is_small()
    assert parts.mean < whole.mean / 10
    difference = export(model, config, tmp_path / "model", [given], {})
    assert (difference.weights, difference.is_small()) == ("int8", True)


def test_a_model_that_answers_otherwise_is_not_exported(tmp_path: Path) -> None:
    config = NETWORKS[0]
    model = build_network(config)
    model.layers[-3].set_weights([np.nan * each for each in model.layers[-3].get_weights()])
    with pytest.raises(ExportError, match=r"expected probabilities within 0\.005 of Keras"):
        export(model, config, tmp_path / "model", [inputs(config, 9, 3)], {})
    assert not (tmp_path / "model").exists()
