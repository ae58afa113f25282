"""The model that a command uses."""

import sys

from ownership.commands.checks import naming
from ownership.inference.evaluator import CACHED, Evaluator
from ownership.inference.store import default_note

MODEL_HELP = "model by name, as `ownership models` lists them, or a model directory (default: the default model)"


def load_model(model: str | None, cached: int = CACHED) -> Evaluator:
    """Return the model of --model, or the default one, which stderr names if the user chose it; raise InputError."""
    with naming("--model"):
        evaluator = Evaluator.load(model, cached=cached)
    report_model(model)
    return evaluator


def report_model(model: str | None) -> None:
    """Name the default model on stderr if none is given and the user chose it."""
    if not model and (note := default_note()):
        print(f"ownership: {note}", file=sys.stderr)
