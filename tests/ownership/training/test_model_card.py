"""The model card names what a network uses, and the command that trains it again."""

import json
import re
from pathlib import Path

import pytest

from ownership.cli import main
from ownership.inference.model_catalogue import BUNDLED, bundled_models
from ownership.inference.network_config import NetworkConfig
from ownership.inference.stack_config import Stack
from ownership.training.model_card import write_model_card
from ownership.training.training_options import TrainingOptions

CLASSIC = NetworkConfig("classic5", "classic8", filters=8, heads=("ownership",))
RESIDUAL = NetworkConfig("residual", "tactical", filters=8, blocks=2)
POOLING = NetworkConfig("residual", "standard", "max", False, 8, 2, heads=("ownership", "policy"))

LAYERS = Stack(layers=((8, 5), (4, 3)), dropout=0.5, passes=False, side=9)
STACK = NetworkConfig("stack", "signed1", heads=("policy",), stack=LAYERS)


def card(directory: Path, config: NetworkConfig, initial_weights: str | None = None, recipe: str | None = None) -> str:
    options = TrainingOptions(samples=640, learning_rate=1e-3, loss="squared", history_dropout=0.1)
    trained = {
        "date": "2026-11-22",
        "version": "0.2.0",
        "output": "a/mine",
        "datasets": ["data/games"],
        "games": {"sides": [9, 13]},
        "counts": {"train": 1234, "validation": 56},
        "initial_weights": initial_weights,
        "recipe": recipe,
        "samples": 640,
        "seconds": 90.0,
        "options": vars(options),
    }
    metrics = {"validation_accuracy": 0.8, "validation_brier": 0.12}
    if "policy" in config.heads:
        metrics["validation_policy_accuracy"] = 0.4
    values = {
        "name": "mine",
        "parameters": 353489,
        "metrics": metrics,
        "trained": trained,
        "network": config.to_dict(),
        "export": {"weights": "float16", "mean": 0.00001, "rare": 0.0002, "positions": 200},
        "bulk_export": {"weights": "int8", "mean": 0.001, "rare": 0.02, "positions": 200},
    }
    (directory / "model.json").write_text(json.dumps(values))
    write_model_card(directory)
    return (directory / "README.md").read_text()


@pytest.mark.parametrize(
    ("config", "row"),
    [
        (CLASSIC, "architecture classic5, feature_set classic8, filters 8, heads ownership"),
        (RESIDUAL, "architecture residual, feature_set tactical, board_pooling True, filters 8, blocks 2, heads "),
        (
            STACK,
            "architecture stack, feature_set signed1, heads policy, layers 8x5x5 4x3x3, activation relu, dropout 0.5, ",
        ),
        (POOLING, "architecture residual, feature_set standard, chain_pooling max, board_pooling False, filters 8, "),
    ],
)
def test_only_fields_that_the_network_uses_are_listed(config: NetworkConfig, row: str, tmp_path: Path) -> None:
    assert f"| network | {row}" in card(tmp_path, config)


@pytest.mark.parametrize("config", [CLASSIC, RESIDUAL, POOLING])
def test_only_outputs_that_the_network_has_are_promised(config: NetworkConfig, tmp_path: Path) -> None:
    text = card(tmp_path, config)
    assert ("the next move of the players" in text) == ("| next move |" in text) == ("policy" in config.heads)
    assert ("--policy-weight" in text) == ("policy" in config.heads)
    assert ("how far the score may be off" in text) == ("score" in config.heads)


def test_both_exports_are_named(tmp_path: Path) -> None:
    row = (
        "| exported | float16, 0.00001 from Keras on average, 0.0002 at one in 1000; "
        "in bulk int8, 0.00100 from Keras on average, 0.0200 at one in 1000 |"
    )
    assert row in card(tmp_path, CLASSIC)


def test_size_and_data_are_named(tmp_path: Path) -> None:
    text = card(tmp_path, CLASSIC)
    assert "filters 8, heads ownership; 353,489 parameters |\n" in text
    assert "| data | data/games: 1,234 games of the split `train`, 56 of `validation` |\n" in text
    trained = "640 samples in batches of 64 at the best validation, 1.5 minutes in all"
    assert f"| trained | 2026-11-22 by version 0.2.0, {trained} |\n" in text


def test_the_command_names_every_choice(tmp_path: Path) -> None:
    text = card(tmp_path, POOLING, "default")
    command = next(line for line in text.splitlines() if "ownership train" in line)
    for words in (
        "ownership train data/games --initial-weights default",
        "--history-dropout 0.1",
        "--ema 0.999",
        "--chain-pooling max",
        "--no-board-pooling",
        "--sides 9,13",
        "--output a/mine",
    ):
        assert words in command


def test_the_command_names_what_differs_from_a_recipe(tmp_path: Path) -> None:
    text = card(tmp_path, STACK, recipe="my recipe.toml")
    for words in ("--recipe 'my recipe.toml'", "--dropout 0.5", "--activation relu", "--symmetries"):
        assert f" {words} " in text
    assert "--symmetries" not in card(tmp_path, CLASSIC)


def test_the_commands_of_the_cards_are_understood(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every card's training fails on its missing dataset, and on nothing before."""
    pytest.importorskip("keras", reason="training needs the train extra")
    texts = [card(tmp_path, config) for config in (CLASSIC, RESIDUAL, POOLING)]
    texts.append(card(tmp_path, STACK, recipe="omegago"))
    texts += [(BUNDLED / name / "README.md").read_text() for name in bundled_models()]
    lines = [line.strip() for text in texts for line in text.splitlines() if line.startswith("    ownership train ")]
    assert len(lines) >= 4
    for shown in lines:
        line = re.sub(r"\[[^]]*\]", "default", shown)  # a model of an earlier version
        words = [str(tmp_path / "out") if word in ("DIR", *_outputs(line)) else word for word in line.split()[1:]]
        words = ["default" if word.startswith("runs/") else word for word in words]
        assert main(words) == 2
        error = capsys.readouterr().err
        assert "expected a dataset folder" in error or "expected a soft dataset" in error
        assert not (tmp_path / "out").exists()


def _outputs(line: str) -> list[str]:
    words = line.split()
    return words[words.index("--output") + 1 :][:1]
