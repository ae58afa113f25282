"""Ladders for Python: the product reads them only inside other kernels."""

from goban.array_types import Bool, Int8
from goban.jit import kernel
from goban.reading import ladders as reading


@kernel
def ladders(side: int, stones: Int8, colour: int, ko_saves: bool, ko: int) -> tuple[Bool, Bool, Bool]:
    """Return what `goban.reading.ladders.ladders` does."""
    return reading.ladders(side, stones, colour, ko_saves, ko)
