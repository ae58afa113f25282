"""Recipes: networks and trainings of documents, as data. A name or a small TOML file is all that a training needs."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from goban.errors import InputError, cut, shown, suggestion
from ownership.inference.network_config import COLOUR, NetworkConfig
from ownership.inference.stack_config import Stack
from ownership.training.training_options import TrainingOptions

_KEYS = ("base", "about", "source", "network", "training")


class RecipeError(InputError):
    """A recipe that is not there or cannot be read."""


@dataclass(frozen=True)
class Recipe:
    """A network and how it is trained.

    Attributes:
        name: what `--recipe` gives.
        about: what it is, in a line.
        source: where it was described, and what that leaves open, in a line.
        network: the network.
        training: values of `TrainingOptions` by field, the budget included.
        parameters: of the network; None where the count is unknown.
    """

    name: str
    about: str
    source: str
    network: NetworkConfig
    training: Mapping[str, Any] = field(default_factory=dict)
    parameters: int | None = None

    def options(self, **changes: Any) -> TrainingOptions:
        """Return the options with some of them changed; a budget in samples or minutes replaces that of the recipe."""
        training = dict(self.training)
        if changes.keys() & {"samples", "minutes"}:
            training.pop("samples", None)
            training.pop("minutes", None)
        return TrainingOptions(**training | changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the attributes as JSON values."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {"network": self.network.to_dict(), "training": dict(self.training)}


_GILMER = "Gilmer: Using CNN for Go board evaluation, 2015; batch size and number of samples are ours"
_MADDISON = "Maddison, Huang, Sutskever, Silver: Move Evaluation in Go Using Deep Convolutional Neural Networks, 2015"
_DANN = "Wang and others: Deep Alternative Neural Network, 2017; the text has lost its numbers, which are ours"
_TRENCSENI = "Trencséni: Playing Go with supervised learning in Pytorch, 2019, and the notebook beside it"
_OMEGAGO = "OmegaGo, slides of 2017"

_AS_IT_IS = {"ema": 0.0, "endings": 0.0}  # the weights themselves, and no position more often than others
_GOCNN = {
    **_AS_IT_IS,
    "samples": 20_000_000,
    "loss": "squared",
    "dame": "random",
    "learning_rate": 1e-4,
    "schedule": "constant",
    "games": 15_000,
}
_ASYNCHRONOUS = {
    **_AS_IT_IS,
    "samples": 767_200_000,  # 28 epochs of 27.4 million positions
    "batch_size": 128,
    "optimizer": "sgd",
    "learning_rate": 0.128,
    "schedule": "halving",
    "initializer": "narrow_uniform",
    "policy_weight": 1.0,
}
_ALTERNATIVE = {
    **_AS_IT_IS,
    "samples": 10_000_000,
    "batch_size": 128,
    "optimizer": "momentum",
    "learning_rate": 0.01,
    "schedule": "halving",
    "weight_decay": 5e-4,
    "policy_weight": 1.0,
}
_FULLY_CONNECTED = {
    **_AS_IT_IS,
    "samples": 20_000_000,
    "batch_size": 1000,
    "optimizer": "sgd",
    "learning_rate": 0.05,
    "schedule": "constant",
    "policy_weight": 1.0,
}


def _gocnn(name: str, about: str, pooling: str, parameters: int) -> Recipe:
    network = NetworkConfig("classic5", "classic8", pooling, heads=("ownership",), blocks=5)
    return Recipe(name, about, _GILMER, network, _GOCNN, parameters)


def _maddison(depth: int, width: int, parameters: int, planes: str = "maddison36", symmetric: bool = False) -> Recipe:
    stack = Stack(
        layers=((width, 5), *((width, 3),) * (depth - 1)),
        position_bias=True,
        symmetric=symmetric,
        colours=2,
        passes=False,
        side=19,
    )
    network = NetworkConfig("stack", f"{planes}+{COLOUR}", heads=("policy",), stack=stack)
    kind = ", few planes" if planes == "maddison9" else ""
    kind += ", kernels the same in all symmetries" if symmetric else ""
    about = f"next move: {depth} convolutions of {width} filters{kind}"
    name = f"maddison-{depth}x{width}{'-symmetric' if symmetric else ''}"
    return Recipe(name, about, _MADDISON, network, _ASYNCHRONOUS, parameters)


def _dann(name: str, about: str, parameters: int, **steps: Any) -> Recipe:
    layers = ((64, 5), (64, 3), (64, 3), (64, 3))
    stack = Stack(layers=layers, dense=(512, 512), normalized=True, pooled=(4,), passes=False, side=19, **steps)
    network = NetworkConfig("stack", f"alphago48+{COLOUR}", heads=("policy",), stack=stack)
    return Recipe(name, about, _DANN, network, _ALTERNATIVE, parameters)


def _trencseni() -> Recipe:
    stack = Stack(layers=((32, 9), (32, 7), (32, 5)), dense=(361,), dropout=0.5, passes=False, side=19)
    network = NetworkConfig("stack", "signed1", heads=("policy",), stack=stack)
    training = {
        **_AS_IT_IS,
        "samples": 116_500_000,  # 200 epochs of 582,621 positions
        "batch_size": 64,
        "optimizer": "momentum",
        "momentum": 0.5,
        "learning_rate": 0.01,
        "schedule": "constant",
        "policy_weight": 1.0,
        "games": 3000,
        "symmetries": False,
    }
    about = "next move: three convolutions, two dense layers, dropout, 3,000 games"
    return Recipe("trencseni", about, _TRENCSENI, network, training, 4_379_779)


def _omegago(name: str, about: str, dense: tuple[int, ...], parameters: int, **training: Any) -> Recipe:
    stack = Stack(dense=dense, side=9)
    network = NetworkConfig("stack", "signed1", heads=("policy", "resign"), stack=stack)
    return Recipe(name, about, _OMEGAGO, network, _FULLY_CONNECTED | training, parameters)


RECIPES = {
    recipe.name: recipe
    for recipe in (
        _gocnn("gocnn", "owners: five convolutions, squared loss", "off", 353_489),
        _gocnn("gocnn-chain", "owners: the same with pooling over chains, as proposed", "max", 353_489),
        _maddison(3, 16, 37_346),
        _maddison(3, 128, 551_762),
        _maddison(6, 128, 1_132_754),
        _maddison(10, 128, 1_907_410),
        _maddison(12, 128, 2_294_738),
        _maddison(3, 64, 159_314, "maddison9"),
        _maddison(3, 64, 159_314, "maddison9", symmetric=True),
        _maddison(6, 192, 2_122_130, "maddison9"),
        _maddison(6, 192, 2_122_130, "maddison9", symmetric=True),
        _dann("dann", "next move: recurrent convolutions, unfolded", 4_340_649, steps=3),
        _dann("dann-plain", "next move: the same without recurrence", 3_914_409),
        _dann(
            "dann-untied",
            "next move: as deep as unfolded, each step with kernels of its own",
            4_766_633,
            steps=3,
            untied=True,
        ),
        _trencseni(),
        _omegago("omegago", "next move on 9x9: one hidden layer of 1,024 units", (1024,), 169_043),
        _omegago(
            "omegago-deep", "next move on 9x9: two hidden layers, Adagrad", (1024, 1024), 1_218_643, optimizer="adagrad"
        ),
    )
}


def find_recipe(text: str) -> Recipe:
    """Return the recipe of that name, or in that TOML file; raise RecipeError for another text, file or value."""
    if text in RECIPES:
        return RECIPES[text]
    if not text.endswith(".toml"):
        expected = f"one of {', '.join(RECIPES)}, or a .toml file"
        raise RecipeError(f"--recipe must be {expected}. Received: {cut(text)}{suggestion(text, RECIPES)}")
    try:
        values = tomllib.loads(Path(text).read_text(encoding="utf-8"))
    except OSError as error:
        raise RecipeError(f"{text}: expected a recipe. Received: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RecipeError(f"{text}: expected TOML. Received: {error}") from None
    try:
        return _recipe(text, values)
    except InputError as error:
        raise RecipeError(f"{text}: {error}") from None


def _recipe(name: str, values: Mapping[str, Any]) -> Recipe:
    """Return the recipe in a file: its values override its base's."""
    for key in values:
        if key not in _KEYS:
            raise RecipeError(f"expected {', '.join(_KEYS)}. Received: {cut(key)}")
    base = values.get("base")
    if base is not None and (not isinstance(base, str) or base not in RECIPES):
        raise RecipeError(f"base must be one of {', '.join(RECIPES)}. Received: {cut(str(base))}")
    start = RECIPES[base] if base else Recipe(name, "", "", NetworkConfig())
    recipe = Recipe(
        name,
        str(values.get("about", start.about)),
        str(values.get("source", start.source)),
        NetworkConfig.from_dict(_merged(start.network.to_dict(), _table(values, "network"))),
        {**start.training, **_table(values, "training")},
    )
    _check_training(recipe.training)
    return recipe


def _check_training(values: Mapping[str, Any]) -> None:
    """Raise InputError for an option that a recipe does not have, or a value that it cannot have."""
    known = [each.name for each in fields(TrainingOptions) if each.name != "dataset_weights"]  # it names no datasets
    for name in values:
        if name not in known:
            raise RecipeError(f"training must be some of {', '.join(known)}. Received: {cut(name)}")
    budget: dict[str, Any] = {} if values.keys() & {"samples", "minutes"} else {"samples": 1}
    TrainingOptions(**budget, **values)


def _table(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = values.get(name, {})
    if not isinstance(found, Mapping):
        raise RecipeError(f"{name} must be a table. Received: {shown(found)}")
    return found


def _merged(start: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a network's values with some changed, the values of its stack one by one."""
    merged = {**start, **changes}
    if isinstance(changes.get("stack"), Mapping) and "stack" in start:
        merged["stack"] = {**start["stack"], **changes["stack"]}
    return merged
