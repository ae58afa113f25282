"""The answers that a network of Keras must give to be a model: names, shapes and ranges of its outputs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ownership.inference.model_files import ModelError
from ownership.inference.network_config import HEADS

_SHAPES: Final = {
    "ownership": "(B, N, N)",
    "policy": "(B, N*N + 1) or (B, N*N)",
    "score": "(B, 2)",
    "resign": "(B, 1)",
    "margin": "(B, 2)",
}
_MEANINGS: Final = {
    "ownership": "probabilities from 0 to 1, as a sigmoid gives",
    "policy": "probabilities with the sum 1, as a softmax gives",
    "score": "a standard deviation above 0",
    "resign": "probabilities from 0 to 1, as a sigmoid gives",
    "margin": "a spread above 0",
}
_SUM: Final = 0.01  # how far the sum of a policy may be from 1


def heads_of(answers: Mapping[str, NDArray[Any]], side: int, name: str) -> dict[str, str]:
    """Return the output of each head, in the order of `HEADS`; raise ModelError for other outputs."""
    found: dict[str, str] = {}
    for output, values in answers.items():
        fitting = [head for head in _fitting(values.shape[1:], side) if output not in HEADS or head == output]
        if len(fitting) != 1 or fitting[0] in found:
            known = ", ".join(f"{head} {shape}" for head, shape in _SHAPES.items())
            received = f"{output} of shape {shape_text(values.shape[1:])}"
            raise ModelError(f"{name}: expected outputs of these names and shapes: {known}. Received: {received}")
        found[fitting[0]] = output
    if "ownership" not in found and (other := [head for head in ("score", "margin") if head in found]):
        raise ModelError(f"{name}: expected an output ownership beside {other[0]}. Received: {', '.join(found)}")
    return {head: found[head] for head in HEADS if head in found}


def _fitting(shape: tuple[int, ...], side: int) -> Iterator[str]:
    """Yield the heads whose answer about a position may have a shape."""
    points = side * side
    if shape in ((side, side), (side, side, 1)):
        yield "ownership"
    if shape in ((points,), (points + 1,)):
        yield "policy"
    if shape == (2,):
        yield from ("score", "margin")
    if shape == (1,):
        yield "resign"


def check_answers(answers: Mapping[str, NDArray[Any]], name: str) -> None:
    """Raise ModelError for answers of heads that are out of range."""
    for head, values in answers.items():
        last = values[..., 1] if head in ("score", "margin") else values
        within = np.isfinite(values).all() and (last >= 0).all()
        if head in ("ownership", "resign"):
            within &= (values <= 1).all()
        if head == "policy":
            within &= np.allclose(values.sum(axis=1), 1, atol=_SUM)
        if not within:
            total = f" with the sum {values[0].sum():.4g}" if head == "policy" else ""
            received = f"{last.min():.4g} to {last.max():.4g}{total}"
            raise ModelError(f"{name}: expected of {head} {_MEANINGS[head]}. Received: {received}")


def shape_text(shape: Sequence[int | None]) -> str:
    return f"(B, {', '.join('N' if each is None else str(each) for each in shape)})"
