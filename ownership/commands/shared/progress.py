"""Progress of a command on stderr: a bar on a terminal, elsewhere a line now and then."""

import sys
import threading
import time
from collections.abc import Iterable, Iterator
from typing import Any, Final, Self

from tqdm import tqdm

from goban.errors import plural

_LINE_SECONDS: Final = 30.0


def progress_bar(items: Iterable[Any] | None = None, *, unit: str, total: int | None, **look: Any) -> Any:
    """Return a tqdm bar on stderr; unless stderr is a terminal, one that writes a line every 30 s instead.

    Args:
        items: the items to yield and count; None for a bar that is updated by hand.
        unit: what one item is, such as "game".
        total: how many items there are; None if unknown.
        look: other arguments of tqdm.
    """
    if sys.stderr is not None and sys.stderr.isatty():
        return tqdm(items, total=total, unit=unit, **look)
    return _Lines(items, unit, total, look.get("initial", 0))


class _Lines:
    """Progress as lines, such as "120 of 350 games in 60 s, 95 accepted"; see `progress_bar`."""

    def __init__(self, items: Iterable[Any] | None, unit: str, total: int | None, initial: int) -> None:
        self._items, self._unit, self.total, self.n = items, unit, total, initial
        self._started, self._figures, self._closed = time.monotonic(), "", threading.Event()
        threading.Thread(target=self._write, daemon=True).start()

    def __iter__(self) -> Iterator[Any]:
        with self:
            for item in self._items or ():
                yield item
                self.n += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def update(self, count: int = 1) -> None:
        """Count more items."""
        self.n += count

    def set_postfix_str(self, figures: str, refresh: bool = True) -> None:
        """Set the end of the lines."""
        self._figures = figures

    def close(self) -> None:
        """Write no more lines."""
        self._closed.set()

    def _write(self) -> None:
        while not self._closed.wait(_LINE_SECONDS):
            total = plural(self.total, self._unit) if self.total else f"? {self._unit}s"
            passed = time.monotonic() - self._started
            line = f"{self.n:,} of {total} in {passed:.0f} s"
            print(", ".join(filter(None, [line, self._figures])), file=sys.stderr, flush=True)
