"""Recipes: what they are, and that each can be trained, resumed, exported, measured and played with."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.evaluation_positions import evaluation_positions, table_planes
from game_datasets.load_table import load_games
from goban.errors import InputError
from goban.game import Game
from ownership.cli import main
from ownership.evaluation.measure import measure
from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import NetworkConfig
from ownership.players.player_interface import Turn
from ownership.players.policy_player import PolicyPlayer
from ownership.training.checkpoints import load_checkpoint
from ownership.training.recipes import RECIPES, Recipe, find_recipe
from tests.support.positions import write_dataset

pytest.importorskip("tensorflow", reason="training needs the train extra")

from ownership.networks.build_network import build_network
from ownership.training.train_run import train
from ownership.training.trainer import Trainer

each_recipe = pytest.mark.parametrize("recipe", [pytest.param(each, id=name) for name, each in RECIPES.items()])
OF_EACH_KIND = ("maddison-3x16", "omegago")  # of layers; a training takes a while
FEW, MANY = 64, 2_000  # samples
trainings = pytest.mark.parametrize(
    ("recipe", "samples"),
    [
        *(pytest.param(RECIPES[name], FEW, id=name) for name in OF_EACH_KIND),
        *(pytest.param(each, MANY, id=f"{name}-long", marks=pytest.mark.long) for name, each in RECIPES.items()),
    ],
)


@pytest.fixture(scope="module")
def datasets(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Random games on 9x9 and on 19x19."""
    folder = tmp_path_factory.mktemp("games")
    return {side: write_dataset(folder / str(side), side, games=6) for side in (9, 19)}


@each_recipe
def test_parameters_are_those_of_the_document(recipe: Recipe) -> None:
    assert build_network(recipe.network).count_params() == recipe.parameters


def test_parameters_that_documents_give() -> None:
    given = {"gocnn": 353_489, "maddison-12x128": 2_294_738, "trencseni": 4_379_779, "omegago": 169_043}
    assert {name: RECIPES[name].parameters for name in given} == given


@trainings
def test_a_recipe_is_trained_resumed_exported_measured_and_played(
    recipe: Recipe, samples: int, datasets: dict[int, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    side = recipe.network.side or 19
    options = recipe.options(samples=samples, batch_size=16, validations=2, validation_positions=8)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    with monkeypatch.context() as context:
        context.setattr("ownership.training.train_run.can_export", lambda: False)
        train(datasets[side], recipe.network, options, whole, recipe=recipe.name)
        context.setattr(Trainer, "_step", interrupted_after(2))
        with pytest.raises(KeyboardInterrupt):
            train(datasets[side], recipe.network, options, parts, recipe=recipe.name)
    train(datasets[side], recipe.network, options, parts, recipe=recipe.name)
    for ours, wanted in zip(arrays(parts), arrays(whole), strict=True):
        np.testing.assert_allclose(ours, wanted, rtol=1e-4, atol=1e-5)
    evaluator = Evaluator.load(parts, threads=1)
    assert_measured(evaluator, datasets[side])
    if "policy" in evaluator.heads:
        assert_plays(evaluator, side)
    assert f"--recipe {recipe.name}" in (parts / "README.md").read_text()


@pytest.mark.long
def test_the_command_of_a_card_goes_on_with_its_training(
    datasets: dict[int, Path], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    output = tmp_path / "model"
    options = ["--batch-size", "16", "--samples", "32", "--output", str(output)]
    assert main(["train", str(datasets[9]), "--recipe", "omegago", *options]) == 0
    card = (output / "README.md").read_text().splitlines()
    [command] = [line for line in card if line.startswith("    ownership train ")]
    request.getfixturevalue("without_export")
    assert main(shlex.split(command)[1:]) == 0


def interrupted_after(steps: int) -> Callable[..., Any]:
    """Return a step of training that saves a checkpoint and is interrupted after a number of steps."""
    step = Trainer._step

    def interrupted(self: Trainer, *arguments: Any) -> Any:
        if self.progress.step == steps:
            self._save()
            raise KeyboardInterrupt
        return step(self, *arguments)

    return interrupted


def arrays(output: Path) -> list[Any]:
    with np.load(output / "last.npz") as saved:
        identity = json.loads(str(saved["state"]))["identity"]
    return load_checkpoint(output / "last.npz", identity)[1]


def assert_measured(evaluator: Evaluator, dataset: Path) -> None:
    table = load_games(dataset)
    games, plies = evaluation_positions(table, 100)
    batches = table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=8)
    measured = measure(evaluator, table, batches)
    assert (measured.owners is not None) == ("ownership" in evaluator.heads)
    assert (measured.policy is not None) == ("policy" in evaluator.heads)
    assert len(measured.ply) == len(games)


def assert_plays(evaluator: Evaluator, side: int) -> None:
    game = Game.empty(side)
    player = PolicyPlayer(evaluator, resign_below=0)
    for _ in range(20):
        game = game.play(player.choose(Turn(game), lambda: False))
    assert len(game.indexed_moves) == 20


def test_recipes_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recipes"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(RECIPES)
    assert main(["recipes", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in listed] == list(RECIPES)
    assert listed[0]["network"]["architecture"] == "classic5" and listed[0]["training"]["dame"] == "random"


def test_a_recipe_of_minutes_and_without_a_count_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RECIPES, "mine", Recipe("mine", "owners", "ours", NetworkConfig(), {"minutes": 30}))
    assert main(["recipes"]) == 0
    *_, line = capsys.readouterr().out.splitlines()
    assert line.split() == ["mine", "?", "parameters", "30", "minutes", "owners"]


def test_a_file_changes_a_recipe(tmp_path: Path) -> None:
    path = tmp_path / "wide.toml"
    path.write_text(
        'base = "maddison-3x16"\n[network.stack]\nlayers = [[32, 5], [32, 3]]\n[training]\noptimizer = "adam"\n'
    )
    recipe, base = find_recipe(str(path)), RECIPES["maddison-3x16"]
    assert recipe.network.stack is not None and base.network.stack is not None
    assert recipe.network.stack.layers == ((32, 5), (32, 3))
    assert recipe.network.stack.position_bias
    assert recipe.network.feature_set == base.network.feature_set
    options = recipe.options(minutes=2)
    assert (options.optimizer, options.learning_rate, options.samples) == ("adam", 0.128, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("depth = 3", "expected base, about, source, network, training. Received: depth"),
        ('base = "alexnet"', "base must be one of gocnn, .*Received: alexnet"),
        ("network = 3", "network must be a table. Received: 3"),
        ("[network]\nwidth = 3", "a network configuration with the fields .*Received: width"),
        ("[training]\nspeed = 3", "training must be some of samples, .*Received: speed"),
        ("[training]\nsamples = 1.5", "samples: expected a whole number from 1 up. Received: 1.5"),
        ('[training]\nlearning_rate = "fast"', "learning_rate: expected a number above 0. Received: 'fast'"),
        ("[training]\nsymmetries = 1", "symmetries: expected true or false. Received: 1"),
        ("[training]\ndataset_weights = [1, 2]", "training must be some of samples, .*Received: dataset_weights"),
        (
            'base = "maddison-3x16"\n[network.stack]\nlayers = [[16, 5.0]]',
            "layers: expected a whole number 1..16384. Received: 5.0",
        ),
        (
            'base = "maddison-3x16"\n[network]\nheads = ["policy", "resign"]',
            "heads with a policy for each colour must be without resign",
        ),
        ('base = "dann"\n[network]\nchain_pooling = "max"', "chain_pooling with pooled points must be off"),
        ("base = []", r"base must be one of gocnn, .*Received: \[\]"),
        ("[", "expected TOML"),
    ],
)
def test_a_wrong_file_is_explained(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        find_recipe(str(path))
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--recipe", "alexnet"], "--recipe must be one of gocnn, gocnn-chain, .*or a .toml file. Received: alexnet"),
        (["--recipe", "omegogo"], "Received: omegogo; did you mean omegago?"),
        (["--recipe", "none.toml"], "none.toml: expected a recipe. Received: No such file or directory"),
        (["--recipe", "gocnn", "--dropout", "0.5"], "--dropout needs a recipe with a stack of layers"),
        (
            ["--recipe", "trencseni", "--dropout", "1"],
            "dropout: expected a number from 0 to less than 1. Received: 1.0",
        ),
        (
            ["--architecture", "classic5"],
            "expected --samples or --minutes. Received: neither",
        ),
        (
            ["--recipe", "omegago"],
            "expected accepted games of split train on 9x9, the only side of this network, found none",
        ),
        (
            ["--recipe", "omegago", "--sides", "13,19"],
            "--sides must include 9, the only side of this network. Received: 13 or 19",
        ),
    ],
)
def test_training_refuses(
    arguments: list[str], message: str, datasets: dict[int, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import re

    assert main(["train", str(datasets[19]), "--output", str(tmp_path / "model"), *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert re.search(message, error)
