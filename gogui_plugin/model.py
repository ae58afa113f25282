"""The engine's model, loaded in the background."""

import threading

from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.inference.files import ModelFiles
from ownership.search.mcts.warm_up import warm_up

_WARM_SIDE = 19


class Model:
    """A model that loads while the engine already answers; for use by one thread.

    Attributes:
        name: the model's own.
        files: where it lies and what it is.
        heads: the outputs of its network.
    """

    def __init__(self, files: ModelFiles) -> None:
        """Start to load the weights of `files`."""
        self.name = files.name
        self.heads = files.network.heads
        self.files = files
        self._evaluator: Evaluator | None = None
        self._error: Exception | None = None
        self._loaded = threading.Event()
        threading.Thread(target=self._load, name="model loader").start()

    @property
    def evaluator(self) -> Evaluator:
        """The evaluator; see `wait`."""
        return self.wait()

    def wait(self) -> Evaluator:
        """Wait until the model is loaded and return its evaluator; raise the exception that loading raised."""
        self._loaded.wait()
        if self._evaluator is None:
            raise self._error or RuntimeError("the model was not loaded")
        return self._evaluator

    def _load(self) -> None:
        """Load the model, run all its networks once, and then the search: the first question is answered fast."""
        try:
            evaluator = Evaluator(self.files)
            evaluator.evaluate([Position.empty(self.files.network.side or _WARM_SIDE)], symmetries=8)
            self._evaluator = evaluator
        except Exception as error:  # raised again by `wait`, in the engine's own thread
            self._error = error
        self._loaded.set()
        if "policy" in self.heads:
            warm_up()
