"""The openings of the games that a model learned from, in a file beside its weights."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ownership.inference.model_files import ModelError, ModelFiles, is_file
from runtime.mapped_arrays import joined, parts_of
from runtime.safe_writing import replacing

LEARNED: Final = "games.bin"


def learned_openings(model: ModelFiles) -> NDArray[np.uint64]:
    """Return the openings of the games that a model learned from, rising; none where it does not tell.

    They are hashes as `GameRecord.opening` has them, and those of the models that its training began with are among
    them.

    Raises:
        ModelError: the file of them is damaged or cannot be read.
    """
    path = model.weights.with_name(LEARNED)
    try:
        content = path.read_bytes() if is_file(path) else b""
    except OSError as error:
        raise ModelError(f"{path}: expected hashes of games. Received: {error.strerror or error}") from None
    if len(content) % 8:
        raise ModelError(f"{path}: expected hashes of 8 bytes. Received: {len(content)} bytes; remove the file")
    return np.frombuffer(content, "<u8").astype(np.uint64)


def write_learned(directory: Path, openings: Sequence[NDArray[np.uint64]]) -> None:
    """Write the openings of the games that a model learned from, and of those that it was made from."""
    known = joined(openings)
    known.sort()
    with replacing(directory / LEARNED) as partial, partial.open("wb") as stream:
        for part in parts_of(len(known)):
            values = known[max(part.start - 1, 0) : part.stop]
            is_new = np.append(part.start == 0, values[1:] != values[:-1])
            stream.write(values[is_new].astype("<u8").tobytes())
