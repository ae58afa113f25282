"""The exported model answers as the Keras model, or is not exported."""

import json
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from ownership.inference.model_catalogue import BUNDLED, bundled_models, find_model
from ownership.inference.model_files import check_weights
from ownership.inference.network_config import NetworkConfig
from tests.support.paths import ROOT
from tests.support.positions import inputs

pytest.importorskip("tensorflow", reason="export needs the train extra")

import keras
from ai_edge_litert.interpreter import Interpreter

from ownership.export.litert_conversion import ExportError, Weights, convert, convert_rounded
from ownership.export.model_export import BULK_LIMITS, EXACT, difference_from_keras, export
from ownership.export.rounding_corrections import in_two_parts, last_layers
from ownership.inference.bulk_weights import in_bulk
from ownership.networks.build_network import build_network
from ownership.training.saved_networks import load_network, trained_config

NETWORKS = [
    NetworkConfig("classic5", "classic8", filters=16, heads=("ownership",)),
    NetworkConfig("classic5", "standard", chain_pooling="max", filters=16),
    NetworkConfig("residual", "standard", chain_pooling="off", filters=16, blocks=2),
    NetworkConfig("residual", "classic8", chain_pooling="max", filters=16, blocks=2),
]
TOOL = runpy.run_path(str(ROOT / "tools" / "export_bundled.py"))
SIZES = [(1, 19), (5, 9), (2, 2), (1, 25), (5, 9)]


@pytest.fixture(autouse=True)
def same_weights() -> None:
    keras.utils.set_random_seed(3)


@pytest.mark.parametrize(
    ("config", "weights", "near"),
    [
        (NETWORKS[0], "int8", 0.08),
        (NETWORKS[1], "float16", 0.001),
        *(pytest.param(each, "int8", 0.08, marks=pytest.mark.long) for each in NETWORKS[1:]),
        *(pytest.param(each, "float16", 0.001, marks=pytest.mark.long) for each in (NETWORKS[0], *NETWORKS[2:])),
    ],
)
def test_one_interpreter_takes_any_batch_and_side(config: NetworkConfig, weights: Weights, near: float) -> None:
    model = build_network(config)
    run = Interpreter(model_content=convert(model, weights)).get_signature_runner("serving_default")
    assert sorted(run.get_input_details()) == (["chains", "planes"] if config.reads_chains else ["planes"])
    for batch, side in SIZES:
        given = inputs(config, side, batch)
        answers, expected = run(**given), model.predict_on_batch(given)
        assert sorted(answers) == sorted(config.heads)
        assert answers["ownership"].shape == (batch, side, side)
        np.testing.assert_allclose(answers["ownership"], expected["ownership"], atol=near)
        for head in config.heads[1:]:
            assert answers[head].shape == expected[head].shape
            np.testing.assert_allclose(answers[head], expected[head], rtol=2.5 * near, atol=near * side * side)


def test_rounded_kernels_do_not_shift_the_whole_board() -> None:
    """Where every weight of the ownership head is rounded, each point errs to the same side, and the sum by points."""
    config = NetworkConfig("residual", "classic8", filters=128, blocks=1, heads=("ownership",))
    model, given = build_network(config), inputs(config, 19, 4)
    before = [each.numpy() for each in model.weights]
    run = Interpreter(model_content=convert_rounded(model, [given])).get_signature_runner("serving_default")
    np.testing.assert_equal([each.numpy() for each in model.weights], before)
    exported, expected = run(**given)["ownership"], model.predict_on_batch(given)["ownership"]
    assert np.abs(2 * (exported - expected).sum(axis=(1, 2))).max() < 0.15


@pytest.mark.long
@pytest.mark.parametrize(("weights", "size"), [("int8", 1), ("float16", 2), ("float32", 4)])
def test_weights_have_the_size_of_their_kind(weights: Weights, size: int) -> None:
    content = convert(build_network(NetworkConfig("classic5", "classic8")), weights)
    assert 353_489 * size < len(content) < 353_489 * size + 60_000


def test_the_ownership_head_keeps_what_float16_leaves_out() -> None:
    """Behind a large activation the rounding of the one kernel adds up at every point of the board."""
    config = NetworkConfig("residual", "classic8", filters=32, blocks=1, heads=("ownership",))
    model, given = build_network(config), inputs(config, 19, 4)
    owner, large = model.get_layer("owner"), model.get_layer("block1_second")
    large.bias.assign(np.full(32, 1024, np.float32))
    kernel = owner.kernel.numpy()
    owner.kernel.assign(kernel - kernel.mean())
    expected, content = model.predict_on_batch(given)["ownership"], convert(model, "float16")
    difference = difference_from_keras(model, config, content, [given], "float16")
    owner.kernel.assign(owner.kernel.numpy().astype(np.float16))
    rounded = np.abs(model.predict_on_batch(given)["ownership"] - expected).mean()
    assert difference.mean < rounded / 10


def test_a_model_directory_is_written(tmp_path: Path) -> None:
    config = NETWORKS[0]
    check = [inputs(config, 9, 3), inputs(config, 13, 2)]
    difference = export(build_network(config), config, tmp_path / "model", check, {"name": "small"})
    description = json.loads((tmp_path / "model" / "model.json").read_text())
    assert NetworkConfig.from_dict(description["network"]) == config
    assert description["name"] == "small"
    check_weights(find_model(tmp_path / "model"))
    assert find_model(tmp_path / "model").sha256
    check_weights(in_bulk(find_model(tmp_path / "model"), int8_products=True))
    assert description["export"]["rare"] == difference.rare <= EXACT.rare
    assert (description["export"]["weights"], description["bulk_export"]["weights"]) == ("float16", "int8")
    assert difference.positions == 5
    content = (tmp_path / "model" / "model.tflite").read_bytes()
    assert b"fp16accfp32" in content and b"fp16accfp16" not in content, (
        "some processors multiply in float16 if a file allows both, in which large activations lose whole points"
    )
    names = ["bulk.tflite", "model.json", "model.tflite"]
    assert sorted(path.name for path in (tmp_path / "model").iterdir()) == names


def test_a_network_that_rounding_changes_has_float32_weights_alone(tmp_path: Path) -> None:
    config = NETWORKS[0]
    model, check = build_network(config), [inputs(config, 9, 3)]
    (tmp_path / "bulk.tflite").touch()
    model.layers[-3].set_weights([1000 * each for each in model.layers[-3].get_weights()])
    assert export(model, config, tmp_path, check, {}).weights == "float32"
    description = json.loads((tmp_path / "model.json").read_text())
    assert description["export"]["weights"] == "float32"
    assert not {"bulk_sha256", "bulk_export"} & description.keys()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["model.json", "model.tflite"]


@pytest.mark.long
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
    whole = difference_from_keras(model, config, convert_rounded(model, [given]), [given], "int8")
    with in_two_parts(last):
        parts = difference_from_keras(model, config, convert_rounded(model, [given], last), [given], "int8")
    assert not whole.is_within(BULK_LIMITS)
    assert parts.mean < whole.mean / 10
    export(model, config, tmp_path / "model", [given], {})
    assert (tmp_path / "model" / "bulk.tflite").is_file()


def test_a_model_that_answers_otherwise_is_not_exported(tmp_path: Path) -> None:
    config = NETWORKS[0]
    model = build_network(config)
    model.layers[-3].set_weights([np.nan * each for each in model.layers[-3].get_weights()])
    with pytest.raises(ExportError, match=r"expected probabilities within 0\.0005 of Keras .* Received: nan and nan"):
        export(model, config, tmp_path / "model", [inputs(config, 9, 3)], {})
    assert not (tmp_path / "model").exists()


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("name", bundled_models())
def test_bundled_weights_are_those_that_were_trained(name: str) -> None:
    files = find_model(name)
    model, config = load_network(name), trained_config(files)
    description = json.loads((BUNDLED / name / "model.json").read_text())
    for path, limits, key in ((files.weights, EXACT, "export"), (files.bulk, BULK_LIMITS, "bulk_export")):
        assert path is not None
        content, weights = path.read_bytes(), description[key]["weights"]
        found = difference_from_keras(model, config, content, TOOL["checked_inputs"](config), weights)
        assert found.is_within(limits)
        assert found.lead == pytest.approx(description[key]["lead"], rel=0.1)


@pytest.mark.long
def test_bundled_weights_are_exported_again_byte_for_byte(tmp_path: Path) -> None:
    again = shutil.copytree(BUNDLED / "fast", tmp_path / "fast")
    TOOL["export_again"](again)
    for name in ("model.tflite", "bulk.tflite"):
        assert (again / name).read_bytes() == (BUNDLED / "fast" / name).read_bytes()
