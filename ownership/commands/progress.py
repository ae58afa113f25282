"""Progress bars."""

import sys
from collections.abc import Iterable
from typing import Any

from tqdm import tqdm


def progress_bar(items: Iterable[Any] | None = None, *, unit: str, total: int | None, **look: Any) -> Any:
    """Return a tqdm bar on stderr, which draws nothing unless stderr is a terminal.

    Args:
        items: what to yield and count; None for a bar that is updated by hand.
        unit: what one item is, such as "game".
        total: how many items there are; None if unknown.
        look: other arguments of tqdm.
    """
    watched = sys.stderr is not None and sys.stderr.isatty()
    return tqdm(items, total=total, unit=unit, disable=not watched, **look)
