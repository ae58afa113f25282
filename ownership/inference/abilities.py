"""What a model can do: its heads and its board side, and the one-line error about what it lacks."""

from goban.errors import InputError
from ownership.inference.files import ModelFiles


def require_head(files: ModelFiles, head: str, what: str) -> None:
    """Raise InputError, naming what needs it, if a model lacks a head of `ownership.inference.config.HEADS`."""
    if head not in files.heads:
        heads = ", ".join(files.heads)
        raise InputError(f"{what} needs a model with the head {head}. Received: {files.name}, with {heads} only")


def require_side(files: ModelFiles, side: int) -> None:
    """Raise InputError if a model does not know boards of a side."""
    only = files.network.side
    if only is not None and only != side:
        raise InputError(f"{files.name} plays on boards of side {only} only. Received: side {side}")
