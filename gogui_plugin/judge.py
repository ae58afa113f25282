"""The model behind the engine, loaded in the background."""

import threading

from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.inference.files import ModelFiles

_WARM_SIDE = 19


class Judge:
    """A model that loads while the engine already answers.

    Attributes: `name`, the model's own; `heads`, what it answers. Used by one thread.
    """

    def __init__(self, files: ModelFiles) -> None:
        """Begin to load the weights of `files`."""
        self.name = files.name
        self.heads = files.network.heads
        self._files = files
        self._evaluator: Evaluator | None = None
        self._error: Exception | None = None
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

    def _load(self) -> None:
        """Load the model and let all its networks run once, so that the first question is answered fast."""
        try:
            evaluator = Evaluator(self._files)
            evaluator.evaluate([Position.empty(_WARM_SIDE)], symmetries=8)
            self._evaluator = evaluator
        except Exception as error:  # told to whoever asks for the evaluator, in the engine's own thread
            self._error = error
