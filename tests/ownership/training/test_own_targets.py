"""Planes and targets of installed packages in batches, in networks and in their training."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.batches import Batch
from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from goban.coords import destinations
from goban.errors import InputError
from goban.position import Position
from ownership.inference import own_targets
from ownership.inference.network_config import NetworkConfig
from ownership.training.training_games import sampler_for
from ownership.training.training_options import TrainingOptions
from planes import own_planes
from planes.feature_sets import parse_feature_set
from planes.position_planes import planes, planes_and_chains
from tests.support.own_package import install
from tests.support.positions import random_positions, write_dataset

SIDE = 7


@pytest.fixture(autouse=True)
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of the examples, installed for this process."""
    site = tmp_path / "site"
    site.mkdir()
    install(site)
    monkeypatch.syspath_prepend(str(site))
    found = (own_planes._find, own_targets.find_target, parse_feature_set)
    for each in found:
        each.cache_clear()
    yield site
    for each in found:
        each.cache_clear()
    for name in [name for name in sys.modules if name.partition(".")[0] == "own_package"]:
        del sys.modules[name]


@pytest.fixture
def config(package: Path) -> NetworkConfig:
    return NetworkConfig("residual", "classic8+crowd", filters=4, blocks=1, heads=("ownership",))


@pytest.fixture
def options(package: Path) -> TrainingOptions:
    return TrainingOptions(samples=1, batch_size=32, targets=("later_stones",))


@pytest.fixture
def games(tmp_path: Path) -> GameTable:
    return load_games(write_dataset(tmp_path / "games", SIDE))


def neighbours(position: Position) -> np.ndarray[Any, Any]:
    """The stones around each point, one by one."""
    counts = np.zeros((SIDE, SIDE))
    for row in range(SIDE):
        for column in range(SIDE):
            near = position.stones[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            counts[row, column] = np.count_nonzero(near) - (position.stones[row, column] != 0)
    return counts / 8


def test_a_plane_of_a_package_follows_those_of_the_project() -> None:
    positions = random_positions(SIDE, 6)
    found = planes(positions, parse_feature_set("classic8+crowd-ko"))
    assert found.shape[-1] == 8
    np.testing.assert_array_equal(found[..., :-1], planes(positions, parse_feature_set("classic8-ko")))
    np.testing.assert_allclose(found[..., -1], [neighbours(each) for each in positions])


def test_the_sampler_makes_the_same_plane(games: GameTable, config: NetworkConfig, options: TrainingOptions) -> None:
    batch = sampler_for(config, options, games).batch(0)
    positions = [
        Position.from_stones(stones, int(colour)) for stones, colour in zip(batch.stones, batch.to_move, strict=True)
    ]
    np.testing.assert_array_equal(
        batch.planes[..., -1], planes_and_chains(positions, parse_feature_set("classic8+crowd"))[0][..., -1]
    )


def test_a_target_is_turned_as_its_batch_is(games: GameTable, config: NetworkConfig, options: TrainingOptions) -> None:
    batch = sampler_for(config, options, games).batch(3)
    assert len(set(batch.symmetry.tolist())) > 4
    values, checked = batch.own["later_stones"], 0
    for each, game, ply, turn, colour in zip(values, batch.game, batch.ply, batch.symmetry, batch.to_move, strict=True):
        if ply + 10 > games.lengths[game]:
            assert np.isnan(each).all()
            continue
        later = games.position(int(game), int(ply) + 10).stones.ravel() == colour
        turned = np.empty(SIDE * SIDE, bool)
        turned[destinations(SIDE)[turn, : SIDE * SIDE]] = later
        np.testing.assert_array_equal(each.ravel(), turned)
        checked += 1
    assert checked > 10


def test_a_network_learns_the_target_and_is_saved_without_it(
    games: GameTable, config: NetworkConfig, options: TrainingOptions
) -> None:
    keras = pytest.importorskip("keras", reason="training needs the train extra")
    from ownership.networks.build_network import build_network, without_auxiliary
    from ownership.training.head_training import compile_network, network_targets
    from ownership.training.training_targets import network_inputs

    keras.utils.set_random_seed(0)
    model = build_network(config, auxiliary=options.auxiliary_heads)
    assert tuple(model.output) == ("ownership", "later_stones")
    compile_network(model, config, options)
    model.optimizer.learning_rate = 0.01
    batch = sampler_for(config, options, games).batch(0)
    targets, weights = network_targets(batch, config, options, 0)
    unknown = np.isnan(batch.own["later_stones"]).all(axis=(1, 2))
    assert unknown.any() and not weights["later_stones"][unknown].any() and weights["later_stones"][~unknown].all()
    losses = [
        float(model.train_on_batch(network_inputs(batch), targets, weights, return_dict=True)["later_stones_loss"])
        for _ in range(30)
    ]
    assert np.isfinite(losses).all()
    share = targets["later_stones"][~unknown].mean()
    constant = -share * np.log(share) - (1 - share) * np.log(1 - share)
    assert losses[-1] < 0.98 * constant < losses[0], "better than one probability for all points"
    assert tuple(without_auxiliary(model, config).output) == ("ownership",)


class Wrong:
    """A target with a fault."""

    numbers: int | None = 2
    loss = "mean_squared_error"
    weight = 1.0

    def values(self, batch: Batch, games: GameTable) -> Any:
        return np.zeros((len(batch.ply), 3))


def test_numbers_of_a_board_and_their_shape(
    games: GameTable, config: NetworkConfig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_targets, "load_entry", lambda group, name: Wrong)
    options = TrainingOptions(samples=1, batch_size=4, targets=("wrong",))
    with pytest.raises(
        InputError, match=r"^target wrong: expected values of shape \(4, 2\)\. Received: shape \(4, 3\)"
    ):
        sampler_for(config, options, games).batch(0)
    monkeypatch.setattr(Wrong, "values", lambda self, batch, games: np.stack([batch.ply, games.lengths[batch.game]], 1))
    batch = sampler_for(config, options, games).batch(0)
    np.testing.assert_array_equal(batch.own["wrong"][:, 0], batch.ply)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        (
            "loss",
            "hinge",
            "target wrong: expected a loss of binary_crossentropy, mean_squared_error, categorical_cross",
        ),
        ("weight", 0, "target wrong: expected a weight above 0. Received: 0"),
        ("values", None, "target wrong: expected a method values(batch, games). Received: none"),
    ],
)
def test_a_target_with_a_fault_is_one_line(
    name: str, value: object, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_targets, "load_entry", lambda group, name: Wrong)
    monkeypatch.setattr(Wrong, name, value)
    with pytest.raises(InputError) as raised:
        TrainingOptions(samples=1, targets=("wrong",))
    assert message in str(raised.value)


def test_unknown_names_are_one_line() -> None:
    names = own_targets.own_target_names()  # an installed project has one, too
    assert "later_stones" in names
    expected = re.escape(f"expected a target of a package ({', '.join(names)}). Received: later_stone; did")
    with pytest.raises(InputError, match=expected):
        TrainingOptions(samples=1, targets=("later_stone",))
    with pytest.raises(InputError, match=r"expected different planes of .* or of packages\. Received: crowds"):
        parse_feature_set("tactical+crowds")


def test_a_plane_of_another_shape_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_planes, "load_entry", lambda group, name: lambda stones, to_move, ko: stones[0])
    with pytest.raises(
        InputError, match=r"^plane crowd: expected numbers of shape \(2, 7, 7\)\. Received: shape \(7, 7\)"
    ):
        planes(random_positions(SIDE, 2), parse_feature_set("classic8+crowd"))
