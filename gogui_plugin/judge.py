"""The model behind the engine: loaded in the background, asked only once about the same position."""

import threading
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from goban.position import Position
from ownership.evaluator import Evaluator
from ownership.model_files import ModelFiles

_WARM_SIDE = 19
_REMEMBERED = 16


class Judge:
    """Ownership of positions by a model that loads while the engine already answers.

    Attributes: `name`, the model's own. Used by one thread.
    """

    def __init__(self, files: ModelFiles) -> None:
        """Begin to load the weights of `files`."""
        self.name = files.name
        self._files = files
        self._evaluator: Evaluator | None = None
        self._error: Exception | None = None
        self._known: dict[tuple[Position, int], NDArray[np.float32]] = {}
        self._loader = threading.Thread(target=self._load, name="model loader")
        self._loader.start()

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator, waited for if need be; raises what loading it raised."""
        return self.wait()

    def wait(self) -> Evaluator:
        """Wait until the model is loaded and return its evaluator; raise what loading it raised."""
        self._loader.join()
        if self._evaluator is None:
            raise self._error or RuntimeError("the model was not loaded")
        return self._evaluator

    def ownership(self, positions: Sequence[Position], symmetries: int) -> list[NDArray[np.float32]]:
        """Return float32 (N, N) for each position, all of one side; remembers the last few."""
        missing = [position for position in positions if (position, symmetries) not in self._known]
        if missing:
            for position, found in zip(missing, self.evaluator.ownership(missing, symmetries), strict=True):
                self._known[position, symmetries] = found
        answers = [self._known[position, symmetries] for position in positions]
        while len(self._known) > _REMEMBERED:
            del self._known[next(iter(self._known))]
        return answers

    def _load(self) -> None:
        """Load the model and let it and the compiled kernels run once, so that the first question is answered fast."""
        try:
            evaluator = Evaluator(self._files)
            evaluator.ownership([Position.empty(_WARM_SIDE)])
            self._evaluator = evaluator
        except Exception as error:  # told to whoever asks for the evaluator, in the engine's own thread
            self._error = error
