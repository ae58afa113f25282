"""A network of KataGo as a teacher, straight from its file: Keras runs it, on a GPU where Keras has one."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import keras
import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.inference.image_requests import ImageRequest, KataGoRequest
from ownership.inference.image_symmetries import averaged, in_symmetries
from ownership.inference.litert_network import NamedArrays
from ownership.katago_networks.build_katago_network import build_katago_network
from ownership.katago_networks.katago_file import read_model
from ownership.teaching.teacher_interface import SoftLabel, balanced
from ownership.teaching.teacher_positions import Question

IMAGES: Final = 512  # in every batch, because some backends compile the network for each size


class NetworkTeacher:
    """A network of KataGo as a teacher, under area rules with the komi of the record.

    Args:
        file: as KataGo's project publishes it.
        symmetries: of the board over which its labels are averaged, 1 or 8.
        precision: a Keras dtype policy, `float32` or `mixed_bfloat16`.

    Attributes:
        name: the network's own name.

    Raises:
        KataGoFileError: the file is not a network of KataGo.
        OSError: it cannot be read.
    """

    def __init__(self, file: Path, symmetries: int, precision: str = "float32") -> None:
        model = read_model(file)
        self._file, self._lock = file, Lock()
        self.name, self._symmetries, self._precision = model.name, symmetries, precision
        before = keras.config.dtype_policy()
        keras.config.set_dtype_policy(precision)
        try:
            self._network, self._strict = build_katago_network(model), model.strict_pass_alive
        finally:
            keras.config.set_dtype_policy(before)
        self._threads = ThreadPoolExecutor(os.cpu_count())

    def __reduce__(self) -> tuple[Callable[..., "NetworkTeacher"], tuple[Path, int, str]]:
        """Pickle by the file, which every machine has: every other process has one such teacher."""
        return _teacher_of, (self._file.resolve(), self._symmetries, self._precision)

    @property
    def settings(self) -> dict[str, Any]:
        """The number of symmetries, and the precision."""
        return {"symmetries": self._symmetries, "precision": self._precision}

    def ask(self, questions: Sequence[Question]) -> list[SoftLabel]:
        """Return the label of each position; all have the same board side."""
        positions = [question.position for question in questions]
        terms = [Terms(RULESETS["chinese"], question.record.komi) for question in questions]
        request = in_symmetries(KataGoRequest(positions, terms, self._strict), self._symmetries)
        with self._lock:
            parts = list(self._run(request))
        outputs = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        means = averaged(outputs, self._symmetries)
        return [_soft_label(means, *each) for each in enumerate(zip(positions, terms, strict=True))]

    def _run(self, request: ImageRequest) -> Iterator[NamedArrays]:
        """Yield the outputs for the images of a request, batch by batch; threads make the inputs ahead."""
        starts = range(0, len(request), IMAGES)
        stops = [min(start + IMAGES, len(request)) for start in starts]
        for start, stop, inputs in zip(starts, stops, self._threads.map(request.inputs, starts, stops), strict=True):
            filled = {name: np.resize(values, (IMAGES, *values.shape[1:])) for name, values in inputs.items()}
            outputs = self._network.predict_on_batch(filled)
            yield {name: np.asarray(values, np.float32)[: stop - start] for name, values in outputs.items()}


@cache
def _teacher_of(file: Path, symmetries: int, precision: str) -> NetworkTeacher:
    return NetworkTeacher(file, symmetries, precision)


def _soft_label(outputs: NamedArrays, index: int, case: tuple[Position, Terms]) -> SoftLabel:
    """Return the label of one position from the outputs, which are from the perspective of the side to move."""
    position, terms = case
    colour = position.to_move
    win, loss, draw = (float(chance) for chance in outputs["value"][index])
    lead, deviation = (float(points) for points in outputs["score"][index])
    policy: NDArray[np.float32] = position.legal_points() * (outputs["policy"][index] + np.finfo(np.float32).tiny)
    return SoftLabel(
        balanced((2 * outputs["ownership"][index] - 1) * colour, lead * colour + terms.komi),
        terms.komi,
        lead * colour,
        deviation,
        (win if colour > 0 else loss) + draw / 2,
        policy / policy.sum(),
    )
