"""The model of a command: its arguments, and the lines about it on stderr."""

import sys
from collections.abc import Iterable

from goban.errors import naming
from ownership.inference.evaluator import CACHED, Evaluator
from ownership.inference.model_catalogue import default_note, named_models
from ownership.scoring.assessment import SCORE_SYMMETRIES
from runtime.command_line import Argument


def model_names(prefix: str, **_: object) -> Iterable[str]:
    """Return the completions of the name of a model: names, and folders that begin with `prefix`."""
    from argcomplete.completers import DirectoriesCompleter

    return [*named_models(), *DirectoriesCompleter()(prefix)]


def model_argument(meaning: str = "model by name, as `ownership models` lists them, or a model directory") -> Argument:
    """Return the argument --model."""
    return Argument("--model NAME|DIR", str, meaning, otherwise="the default model", completer=model_names)


def symmetries_argument(default: int = SCORE_SYMMETRIES) -> Argument:
    """Return the argument --symmetries."""
    meaning = "1 evaluates the board as it is, 8 averages over its rotations and reflections"
    return Argument("--symmetries", (1, 8), meaning, default)


def load_model(model: str | None, cached: int = CACHED, *, bulk: bool = False) -> Evaluator:
    """Return the model of --model, or the default one, which stderr names if the user chose it; raise InputError."""
    with naming("--model"):
        evaluator = Evaluator.load(model, cached=cached, bulk=bulk)
    report_model(model)
    return evaluator


def report_model(model: str | None) -> None:
    """Name the default model on stderr if none is given and the user chose it."""
    if not model and (note := default_note()):
        print(f"ownership: {note}", file=sys.stderr)
