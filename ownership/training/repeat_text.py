"""What repeats a model, as far as its `model.json` has it: versions, data and the command; read without Keras."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ownership.inference.model_files import ModelFiles, description_of
from ownership.inference.own_config import OwnConfig
from ownership.training.repeat_command import training_command

_CARD: Final = "README.md"
_NAMES: Final = {"python": "Python", "tensorflow": "TensorFlow", "jax": "JAX", "keras": "Keras", "numpy": "NumPy"}
_UNKNOWN: Final = "not known"


def how_made(files: ModelFiles) -> dict[str, Any]:
    """Return what repeats a model as JSON values: `name`, and of the rest what is known, None or empty otherwise.

    `command` is the command line, `version` and `commit` those of this project, `versions` those of the packages below
    it, `data` has each dataset, soft dataset and first model as it was given, `games` and `fingerprints` what was read
    of them by split, `options` those of the
    training, `seconds` its time. `source` is the file of an imported network,
    `averaged` what a mean was made from, `class` an evaluator of a package.

    Raises:
        ModelError: a file of the model cannot be read.
    """
    found = description_of(files)
    trained = found.get("trained")
    trained = trained if isinstance(trained, dict) else {}
    card = files.weights.with_name(_CARD)
    return {
        "name": files.name,
        "command": _command(found.get("network"), trained),
        "date": trained.get("date"),
        "version": trained.get("version"),
        "commit": trained.get("commit"),
        "versions": trained.get("versions", {}),
        "data": {name: trained[name] for name in ("datasets", "soft", "initial_weights") if trained.get(name)},
        "games": trained.get("counts", {}),
        "fingerprints": trained.get("fingerprints", {}),
        "options": trained.get("options", {}),
        "seconds": trained.get("seconds"),
        "source": found.get("source"),
        "averaged": found.get("averaged"),
        "class": _class_of(files.network.evaluator) if isinstance(files.network, OwnConfig) else None,
        "card": str(card) if card.is_file() else None,
    }


def how_made_text(made: Mapping[str, Any]) -> str:
    """Return the result of `how_made` in lines."""
    return "\n".join([made["name"], *(f"  {name}: {text}" for name, text in _lines(made))])


def _lines(made: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if made["class"]:
        yield "evaluator", made["class"]
        return
    if made["source"]:
        yield "imported from", ", ".join(f"{name} {value}" for name, value in made["source"].items())
    if made["averaged"]:
        mean = made["averaged"]
        yield "mean of", f"{', '.join(mean['models'])}, {mean['date']}, measured on {', '.join(mean['datasets'])}"
    if not made["source"] or made["command"]:
        yield from _training_lines(made)
    if made["card"]:
        yield "card", made["card"]


def _training_lines(made: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "command", made["command"] or _UNKNOWN
    if not made["command"] and (options := _given(made["options"])):
        yield "options", ", ".join(f"{name} {value}" for name, value in options.items())
    if made["date"]:
        yield "trained", made["date"] + (f", {made['seconds'] / 60:.1f} minutes" if made["seconds"] else "")
    yield "version", f"{made['version'] or _UNKNOWN}, commit {made['commit'] or _UNKNOWN}"
    yield "ran on", ", ".join(f"{_NAMES.get(name, name)} {each}" for name, each in made["versions"].items()) or _UNKNOWN
    for name, given in made["data"].items():
        yield name.replace("_", " "), given if isinstance(given, str) else ", ".join(given)
    yield "games", ", ".join(f"{count:,} {split}" for split, count in made["games"].items()) or _UNKNOWN
    yield "fingerprints", ", ".join(f"{name} {each}" for name, each in made["fingerprints"].items()) or _UNKNOWN


def _given(options: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}


def _command(network: Any, trained: Mapping[str, Any]) -> str | None:
    """Return the command of a training that names its output; None for others, of which not all is known."""
    return training_command(network, trained) if isinstance(network, dict) and "output" in trained else None


def _class_of(evaluator: object) -> str:
    return f"{type(evaluator).__module__}:{type(evaluator).__qualname__}"
