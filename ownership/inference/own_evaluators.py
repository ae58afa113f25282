"""Evaluators of a user's own as models: under a name by an entry point, with checks of what they answer."""

import sys
from collections.abc import Sequence
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError, shown
from goban.position import Position
from goban.rulesets import DEFAULT_KOMI, DEFAULT_RULES, RULESETS, Terms
from ownership.inference.model_files import WEIGHTS, ModelFiles
from ownership.inference.own_config import OwnConfig, OwnEvaluator
from ownership.inference.prediction import Outputs, Prediction
from runtime.entry_points import entry_names, load_entry

EVALUATORS: Final = "ownership.evaluators"
"""The group of entry points: each is called without arguments and returns an `OwnEvaluator`."""

_RANGES: Final = {
    "ownership": (-1.0, 1.0),
    "policy": (0.0, inf),
    "deviation": (0.0, inf),
    "lead": (-inf, inf),
    "win_rate": (0.0, 1.0),
    "resign": (0.0, 1.0),
}
_SIDE: Final = 19  # of the board that shows which figures an evaluator predicts


def named_evaluators() -> list[str]:
    """Return the names of the evaluators of installed packages, sorted."""
    return entry_names(EVALUATORS)


@cache
def find_evaluator(name: str) -> ModelFiles | None:
    """Return the model of an installed package's evaluator, made once; None if no package has one of that name."""
    make = load_entry(EVALUATORS, name)
    return None if make is None else own_files(make(), name)


def own_files(evaluator: OwnEvaluator, name: str | None = None) -> ModelFiles:
    """Return an evaluator as a model, after it has evaluated an empty board.

    Raises:
        InputError: it answers no figure, or one of another shape or out of range.
        TypeError: it has no `evaluate`, or that returns no predictions.
    """
    if not callable(getattr(evaluator, "evaluate", None)):
        expected = "a model by name or an evaluator, such as Evaluator.load('fast')"
        raise TypeError(f"expected {expected}. Received: {type(evaluator).__name__}")
    is_named = name is not None
    name = name or str(getattr(evaluator, "name", type(evaluator).__name__))
    side: int | None = getattr(evaluator, "side", None)
    empty, terms = [Position.empty(side or _SIDE)], [Terms(RULESETS[DEFAULT_RULES], DEFAULT_KOMI)]
    [prediction] = _answers(evaluator, name, empty, terms)
    heads = tuple(figure for figure in _RANGES if getattr(prediction, figure) is not None)
    if not heads:
        raise InputError(f"evaluator {name}: expected at least one of {', '.join(_RANGES)}. Received: none")
    _figures([prediction], name, heads, empty[0].side)
    module = getattr(sys.modules.get(type(evaluator).__module__), "__file__", None) or ""
    return ModelFiles(name, Path(module).parent / name / WEIGHTS, OwnConfig(evaluator, heads, side, is_named))


def own_outputs(config: OwnConfig, name: str, positions: Sequence[Position], terms: Sequence[Terms]) -> Outputs:
    """Return what an evaluator answers by head, from the point of view of the side to move; see `Evaluator.outputs`.

    Raises:
        InputError: another number of predictions, or a figure that is missing, of another shape or out of range.
        TypeError: it returns no predictions.
    """
    with config.lock:
        answers = _answers(config.evaluator, name, positions, terms)
    figures = _figures(answers, name, config.heads, positions[0].side)
    movers = np.array([position.to_move for position in positions], np.float32)
    if "ownership" in figures:
        figures["ownership"] = (1 + figures["ownership"] * movers[:, None, None]) * np.float32(0.5)
    if "lead" in figures:
        figures["lead"] *= movers
    if "win_rate" in figures:
        figures["win_rate"] = (1 + (2 * figures["win_rate"] - 1) * movers) * np.float32(0.5)
    if "resign" in figures:
        figures["resign"] = figures["resign"][:, None]
    return figures


def _answers(
    evaluator: OwnEvaluator, name: str, positions: Sequence[Position], terms: Sequence[Terms]
) -> list[Prediction]:
    answers = list(evaluator.evaluate(positions, terms=terms))
    for each in answers:
        if not isinstance(each, Prediction):
            raise TypeError(f"evaluator {name}: expected a list of Prediction. Received: {type(each).__name__} in it")
    if len(answers) != len(positions):
        raise InputError(f"evaluator {name}: expected {len(positions)} predictions. Received: {len(answers)}")
    return answers


def _figures(answers: Sequence[Prediction], name: str, heads: Sequence[str], side: int) -> Outputs:
    return {head: np.stack([_figure(getattr(each, head), name, head, side) for each in answers]) for head in heads}


def _figure(value: Any, name: str, head: str, side: int) -> NDArray[np.float32]:
    """Return a figure of a prediction; raise InputError unless it has the shape and the range of its kind."""
    if value is None:
        raise InputError(f"evaluator {name}: expected {head} in every prediction. Received: one without")
    shape = {"ownership": (side, side), "policy": (side * side + 1,)}.get(head, ())
    found = np.asarray(value, np.float32)
    if found.shape != shape:
        raise InputError(f"evaluator {name}: expected {head} of shape {shape}. Received: {found.shape}")
    least, most = _RANGES[head]
    wrong = ~((least <= found) & (found <= most) & np.isfinite(found))
    if wrong.any():
        span = f"from {least:g} to {most:g}" if most < inf else "of finite numbers" + " from 0 up" * (least == 0)
        raise InputError(f"evaluator {name}: expected {head} {span}. Received: {shown(found[wrong].item(0))}")
    return found
