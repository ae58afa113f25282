"""The configuration of networks, and the contract that every network keeps."""

import argparse
import importlib.util
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goban import coords
from goban.errors import InputError
from ownership.commands.train import _network, add_arguments
from ownership.inference.network_config import ARCHITECTURES, USUAL_HEADS, Architecture, NetworkConfig
from ownership.inference.stack_config import Stack
from tests.support.positions import inputs

keras = pytest.importorskip("keras", reason="networks need the train extra")

from ownership.networks import build_network as builders  # noqa: E402
from ownership.networks.build_network import build_network  # noqa: E402
from ownership.training.losses import margin_loss, score_loss  # noqa: E402

built = cache(build_network)  # for tests that leave the weights as they are

SMALL = [
    NetworkConfig("classic5", "classic8", filters=8, heads=("ownership",)),
    NetworkConfig("classic5", "standard", chain_pooling="max_mean", filters=8),
    NetworkConfig("residual", "standard", filters=8, blocks=3),
    NetworkConfig("residual", "standard", board_pooling=False, filters=8, blocks=2, heads=("ownership", "policy")),
    NetworkConfig("residual", "classic8", chain_pooling="max", filters=8, blocks=1, heads=(*USUAL_HEADS, "margin")),
    NetworkConfig(
        "stack", "classic8", "max", stack=Stack(layers=((8, 3), (8, 3)), steps=2, normalized=True, symmetric=True)
    ),
]
BOUND = [
    Stack(layers=((8, 5), (8, 3)), position_bias=True, colours=2, passes=False, side=9),
    Stack(layers=((8, 5), (8, 3)), position_bias=True, symmetric=True, colours=2, passes=False, side=9),
    Stack(layers=((8, 3),), dense=(16,), steps=2, untied=True, pooled=(1,), passes=False, side=9),
    Stack(dense=(16, 16), activation="tanh", side=9),
]
every_network = pytest.mark.parametrize("config", SMALL, ids=lambda config: f"{config.architecture}-{config.blocks}")
WRONG: list[tuple[dict[str, Any], str]] = [
    (
        {"architecture": "classic6"},
        f"architecture: expected one of {', '.join(ARCHITECTURES)}. Received: 'classic6'",
    ),
    (
        {"feature_set": "all"},
        "feature set must be one of classic8, standard, tactical, maddison9,",
    ),
    ({"filters": 30}, "filters: expected a multiple of 4. Received: 30"),
    ({"filters": 0}, "filters: expected a whole number 4..1024. Received: 0"),
    ({"blocks": 2.5}, "blocks: expected a whole number 1..100. Received: 2.5"),
    ({"chain_pooling": 1}, "chain_pooling: expected one of off, max, max_mean. Received: 1"),
    ({"board_pooling": 1}, "board_pooling: expected true or false. Received: 1"),
    ({"heads": []}, "heads must be some of ownership, policy, score, resign, margin. Received: none"),
    (
        {"heads": ["ownership", "ko"]},
        "heads must be some of ownership, policy, score, resign, margin. Received: ownership, ko",
    ),
    ({"heads": ["policy", "score"]}, "heads with score must have ownership, its sum. Received: policy, score"),
    ({"heads": ["policy", "margin"]}, "heads with margin must have ownership, its sum. Received: policy, margin"),
    ({"stack": {"layers": [[8, 3]]}}, "stack must hold the layers of the architecture stack alone. Received: one for"),
    ({"architecture": "stack"}, "stack must hold the layers of the architecture stack alone. Received: none"),
    ({"architecture": "stack", "stack": {}}, "the number of layers: expected a whole number 1..100. Received: 0"),
    ({"architecture": "stack", "stack": {"layers": [3]}}, "layers: expected a list of 2. Received: 3"),
    ({"architecture": "stack", "stack": {"layers": [[8, 2]]}}, "the side of kernel 1: expected one of 1, 3, 5"),
    ({"architecture": "stack", "stack": {"dense": [8]}}, "a stack with dense layers must have a side. Received: none"),
    ({"architecture": "stack", "stack": {"width": 8}}, "expected a stack with the fields layers, dense, activation"),
    (
        {"architecture": "stack", "stack": {"layers": [[8, 3]], "colours": 2, "passes": False}},
        "feature_set must have the plane black_to_move for a policy of each colour. Received: standard",
    ),
    (
        {"architecture": "stack", "stack": {"layers": [[8, 3]]}, "blocks": 3},
        "blocks must be left out of a stack, whose layers are its own. Received: 3",
    ),
    ({"architecture": "classic5", "blocks": 6}, "blocks must be 5 for classic5. Received: 6"),
    ({"depth": 3}, "expected a network configuration with the fields"),
]


@pytest.mark.parametrize(("values", "message"), WRONG)
def test_a_wrong_configuration_is_explained(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        NetworkConfig.from_dict(values)
    assert message in str(caught.value)


def test_an_architecture_with_one_number_of_blocks_has_it_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    arguments = parser.parse_args(["data", "--output", "run", "--architecture", "classic5"])
    monkeypatch.setitem(ARCHITECTURES, "classic5", replace(ARCHITECTURES["classic5"], blocks=3))
    assert _network(arguments, None, None).blocks == 3


def test_the_help_names_the_defaults_of_each_architecture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ARCHITECTURES, "club", Architecture("squared", 0.5, "standard", ("policy",)))
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    text = " ".join(parser.format_help().split())
    for defaults in (
        "classic8 for classic5, standard for club, else tactical",
        "ownership for classic5, policy for club, else ownership,policy,score",
        "0.001 for classic5, 0.5 for club, else 0.002",
        "squared for classic5, squared for club, else cross_entropy",
    ):
        assert f"default: {defaults})" in text


@every_network
def test_a_configuration_survives_being_stored(config: NetworkConfig) -> None:
    assert NetworkConfig.from_dict(config.to_dict()) == config


@pytest.mark.parametrize("chain_pooling", ["off", "max"])
def test_classic5_is_the_reference(chain_pooling: str) -> None:
    model = build_network(NetworkConfig("classic5", "classic8", chain_pooling, heads=("ownership",)))
    convolutions = [layer for layer in model.layers if isinstance(layer, keras.layers.Conv2D)]
    assert model.count_params() == 353_489
    assert [layer.filters for layer in convolutions] == [64, 64, 64, 48, 48, 1]
    assert {layer.kernel_size for layer in convolutions} == {(5, 5)}


@every_network
@pytest.mark.parametrize(("side", "batch"), [(2, 1), (9, 3), (13, 2), (25, 1)])
def test_probabilities_for_every_point_of_any_board(config: NetworkConfig, side: int, batch: int) -> None:
    answer = built(config)(inputs(config, side, batch))["ownership"]
    assert tuple(answer.shape) == (batch, side, side)
    assert keras.backend.standardize_dtype(answer.dtype) == "float32"
    assert np.all((keras.ops.convert_to_numpy(answer) >= 0) & (keras.ops.convert_to_numpy(answer) <= 1))


@every_network
def test_a_network_survives_being_saved(config: NetworkConfig, tmp_path: Path) -> None:
    model, given = built(config), inputs(config, 9, 2)
    model.save(tmp_path / "model.keras")
    again = keras.saving.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(
        keras.ops.convert_to_numpy(model(given)["ownership"]), keras.ops.convert_to_numpy(again(given)["ownership"])
    )


@every_network
@pytest.mark.parametrize(("side", "batch"), [(2, 1), (9, 3)])
def test_moves_and_score_of_any_board(config: NetworkConfig, side: int, batch: int) -> None:
    answers = {
        name: keras.ops.convert_to_numpy(each) for name, each in built(config)(inputs(config, side, batch)).items()
    }
    assert tuple(answers) == config.heads
    if "policy" in answers:
        assert answers["policy"].shape == (batch, side * side + 1)
        np.testing.assert_allclose(answers["policy"].sum(axis=1), 1, rtol=1e-5)
    if "score" in answers:
        np.testing.assert_allclose(answers["score"][:, 0], (2 * answers["ownership"] - 1).sum((1, 2)), atol=1e-4)
        assert (answers["score"][:, 1] >= 0.02 * side).all()
    if "margin" in answers:
        np.testing.assert_allclose(answers["margin"][:, 0], (2 * answers["ownership"] - 1).sum((1, 2)), atol=1e-4)
        assert (answers["margin"][:, 1] >= 0.02 * side).all()


@every_network
@pytest.mark.parametrize("precision", ["float32", pytest.param("mixed_bfloat16", marks=pytest.mark.long)])
def test_training_steps_lower_the_loss(config: NetworkConfig, precision: str) -> None:
    keras.utils.set_random_seed(1)
    model, given = build_network(config, precision), inputs(config, 7, 16)
    losses_by_head = {
        "ownership": "mean_squared_error",
        "policy": "sparse_categorical_crossentropy",
        "score": score_loss,
        "margin": margin_loss,
    }
    model.compile(
        keras.optimizers.Adam(1e-3),
        loss={head: losses_by_head[head] for head in config.heads},
        loss_weights={head: 0.01 if head == "score" else 1 for head in config.heads},
        jit_compile=False,
        run_eagerly=True,
    )
    areas = (2 * given["planes"][..., 0] - 1).sum(axis=(1, 2))
    answers = {
        "ownership": given["planes"][..., 0],
        "policy": np.arange(16, dtype=np.int32),
        "score": np.zeros((16, 2), np.float32),
        "margin": np.stack([areas, np.zeros(16), areas > 0], axis=1),
    }
    wanted = {head: answers[head] for head in config.heads}
    losses = []
    for _ in range(3):
        model.reset_metrics()
        losses.append(float(model.train_on_batch(given, wanted, return_dict=True)["loss"]))
    assert losses[-1] < losses[0]


@every_network
def test_both_precisions_have_the_same_weights(config: NetworkConfig) -> None:
    plain, fast = built(config), build_network(config, "mixed_bfloat16")
    assert [weight.shape for weight in plain.weights] == [weight.shape for weight in fast.weights]
    assert {weight.dtype for weight in fast.weights} == {"float32"}


@pytest.mark.parametrize(
    "config",
    [*SMALL, NetworkConfig("stack", "signed1", stack=Stack(layers=((8, 3), (8, 3)), steps=2))],
)
def test_gradients_are_added_in_one_order(config: NetworkConfig) -> None:
    """TensorFlow begins a sum of several tensors with the first that nothing else reads any more."""
    tensorflow = pytest.importorskip("tensorflow")
    model, given = built(config), inputs(config, 9, 2)

    @tensorflow.function  # type: ignore[untyped-decorator]
    def gradients() -> Any:
        with tensorflow.GradientTape() as tape:
            total = sum(tensorflow.reduce_sum(answer) for answer in model(given).values())
        return tape.gradient(total, [weight.value for weight in model.trainable_weights])

    operations = gradients.get_concrete_function().graph.get_operations()
    for addition in [each for each in operations if each.type == "AddN" and len(each.inputs) > 2]:
        assert any(len(gradient.consumers()) == 1 for gradient in addition.inputs[:2])


@pytest.mark.parametrize("stack", BOUND)
def test_a_policy_alone_on_one_board(stack: Stack) -> None:
    heads = ("policy",) if stack.colours == 2 else ("policy", "resign")
    config = NetworkConfig("stack", "signed1+legal+black_to_move", heads=heads, stack=stack)
    model, given = build_network(config, initializer="narrow_normal"), inputs(config, 9, 4)
    answers = {name: keras.ops.convert_to_numpy(each) for name, each in model(given).items()}
    assert tuple(answers) == heads
    assert answers["policy"].shape == (4, 82)
    np.testing.assert_allclose(answers["policy"].sum(axis=1), 1, rtol=1e-5)
    assert stack.passes or not answers["policy"][:, -1].any()
    if "resign" in answers:
        assert answers["resign"].shape == (4, 1)


def test_a_symmetric_stack_turns_with_the_board() -> None:
    stack = Stack(layers=((8, 5), (8, 3)), position_bias=True, symmetric=True, passes=False, side=9)
    config = NetworkConfig("stack", "signed1", heads=("policy",), stack=stack)
    model, planes = build_network(config, initializer="narrow_uniform"), inputs(config, 9, 1)["planes"]
    random = np.random.default_rng(5)
    model.set_weights([each + random.normal(0, 0.1, each.shape) for each in model.get_weights()])  # as a step does
    plain = keras.ops.convert_to_numpy(model({"planes": planes})["policy"])[0, :81].reshape(9, 9)
    for k in range(8):
        turned = coords.apply_symmetry(planes[0].transpose(2, 0, 1), k).transpose(1, 2, 0)[None]
        answer = keras.ops.convert_to_numpy(model({"planes": turned})["policy"])[0, :81].reshape(9, 9)
        np.testing.assert_allclose(answer, coords.apply_symmetry(plain, k), rtol=1e-4)


def test_first_symmetric_kernels_are_as_large_as_others() -> None:
    network = NetworkConfig("stack", "signed1", heads=("policy",), stack=Stack(layers=((64, 5),), symmetric=True))
    model = build_network(network, initializer="narrow_uniform")
    kernel = keras.ops.convert_to_numpy(model.layers[1].kernel)
    assert kernel.std() == pytest.approx(0.1 / 12**0.5, rel=0.1)


def test_each_colour_has_its_own_policy() -> None:
    config = NetworkConfig("stack", "signed1+black_to_move", heads=("policy",), stack=BOUND[0])
    model, planes = build_network(config), np.zeros((2, 9, 9, 2), np.float32)
    planes[1, :, :, 1] = 1
    biases = [layer for layer in model.layers if layer.name == "moves_bias"]
    chosen = np.zeros((9, 9, 2), np.float32)
    chosen[2, 3, 0], chosen[4, 5, 1] = 10, 10  # Black's and White's move
    biases[0].set_weights([chosen])
    answers = keras.ops.convert_to_numpy(model({"planes": planes})["policy"])
    assert answers.argmax(axis=1).tolist() == [4 * 9 + 5, 2 * 9 + 3]


def test_chain_pooling_makes_a_difference() -> None:
    config = NetworkConfig("classic5", "classic8", chain_pooling="max", filters=8)
    model, given = build_network(config), inputs(config, 9, 2)
    alone = np.broadcast_to(np.arange(81, dtype=np.int32).reshape(9, 9), (2, 9, 9))
    pooled, unpooled = model(given)["ownership"], model({**given, "chains": alone})["ownership"]
    assert np.abs(keras.ops.convert_to_numpy(pooled) - keras.ops.convert_to_numpy(unpooled)).max() > 1e-3


def test_an_architecture_without_builder_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ARCHITECTURES, "transformer", ARCHITECTURES["residual"])
    message = r"^expected a builder here for each architecture .* In one place only: transformer$"
    spec = importlib.util.spec_from_file_location("built_again", builders.__file__)
    assert spec is not None and spec.loader is not None
    with pytest.raises(ImportError, match=message):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
