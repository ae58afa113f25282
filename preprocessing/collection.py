"""Cutting a stream of bytes into games, so that a collection of any size needs the memory of one game."""

import re
from collections.abc import Iterable, Iterator

MAX_GAME = 1 << 20
_MAX_JUNK = 1 << 24
_LOOKAHEAD = 96

# Where a game begins: "(;", or a root node whose parenthesis was lost.
START = re.compile(rb"\(\s{0,64};|;\s{0,16}(?:GM|FF)\s{0,16}\[")
# A root node, where a new game begins although the last one was never closed.
_ROOT = re.compile(rb"\(\s{0,16};\s{0,16}(?:GM|FF|CA|SZ)\s{0,16}\[")
# What stands between two parentheses that count: anything else, and property values with their escapes.
_PLAIN = re.compile(rb"(?:[^\[()]++|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\])*+", re.DOTALL)


def split_games(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each game of a collection that arrives in pieces, holding one game at a time.

    The same games come out however the collection is cut into `chunks`. What lies between games is skipped; after
    16 MiB of it the rest is given up. A game that is cut off by the end, or by a new root node, is yielded as far
    as it goes; one above MAX_GAME bytes is yielded cut just above that size. Checks and decodes nothing.
    """
    splitter = _Splitter()
    for chunk in chunks:
        yield from splitter.feed(chunk)
        if splitter.junk > _MAX_JUNK:
            return
    yield from splitter.feed(b"", final=True)


def is_closed(data: bytes) -> bool:
    """Return whether the first game in `data` has all its parentheses and brackets."""
    splitter = _Splitter()
    return any(True for _ in splitter.feed(data))


class _Splitter:
    """The bytes not yet given out: inside a game (`depth` > 0) they begin with it, and are scanned up to `at`."""

    def __init__(self) -> None:
        self.buffer, self.at, self.depth, self.junk = b"", 0, 0, 0
        self.start = START

    def feed(self, chunk: bytes, final: bool = False) -> Iterator[bytes]:
        """Take in more bytes and yield the games that they complete; `final` if none will follow."""
        self.buffer += chunk
        while self.depth or self._find_start():
            end = self._find_end(final)
            if end is not None:
                yield self._cut(end)
            elif final:
                yield self._cut(len(self.buffer))
            else:
                return

    def _find_start(self) -> bool:
        match = self.start.search(self.buffer)
        if match is None:
            junk = max(0, len(self.buffer) - _LOOKAHEAD)
            self.junk += junk
            self.buffer = self.buffer[junk:]
            return False
        self.buffer = self.buffer[match.start() :]
        self.at, self.depth, self.junk = match.end() - match.start(), 1, 0
        self.start = START
        return True

    def _find_end(self, final: bool) -> int | None:
        """The size of the game once it is complete, or known to be bad; None while more bytes are needed."""
        while self.depth:
            plain = _PLAIN.match(self.buffer, self.at)
            self.at = plain.end() if plain else self.at
            mark = self.buffer[self.at : self.at + 1]
            if self.at >= MAX_GAME or (mark not in (b"(", b")") and len(self.buffer) > MAX_GAME):
                # Nothing tells its inside from new games any more, except that they have a root node.
                self.start = _ROOT
                return MAX_GAME + 1
            if mark == b"(":
                if len(self.buffer) - self.at < _LOOKAHEAD and not final:
                    return None
                if _ROOT.match(self.buffer, self.at):
                    return self.at
            elif mark != b")":
                return None
            self.depth += 1 if mark == b"(" else -1
            self.at += 1
        return self.at

    def _cut(self, end: int) -> bytes:
        game, self.buffer = self.buffer[:end], self.buffer[end:]
        self.at = self.depth = 0
        return game
