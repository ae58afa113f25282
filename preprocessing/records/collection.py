"""Cutting a stream of bytes into games, so that a collection of any size needs the memory of one game."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, iterdecode
from collections.abc import Iterable, Iterator
from itertools import chain

MAX_GAME = 1 << 20
_MAX_JUNK = 1 << 24
_LOOKAHEAD = 96

# Where a game begins: "(;", or a root node whose parenthesis was lost.
START = re.compile(rb"\(\s{0,64};|;\s{0,16}(?:GM|FF)\s{0,16}\[")
# A root node, where a new game begins although the last one was never closed.
_ROOT = re.compile(rb"\(\s{0,16};\s{0,16}(?:GM|FF|CA|SZ)\s{0,16}\[")
# What no text holds; escapes are part of Japanese text.
BINARY = re.compile(rb"[\0-\x08\x0e-\x1a\x1c-\x1f]")
# What stands between two parentheses that count, in parts: anything else, and property values with their escapes. Not
# possessive as a whole: Python 3.11.2 would not go back to the end of the last whole part.
_PLAIN = re.compile(rb"(?:[^\[()]++|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]){1,1000}", re.DOTALL)


def split_games(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each game of a collection that arrives in pieces, holding one game at a time.

    The same games come out however the collection is cut into `chunks`. What lies between games is skipped; after
    16 MiB of it the rest is given up, and so is a file that begins with BINARY bytes. A game that is cut off by the
    end, or by a new root node, is yielded as far as it goes; one above MAX_GAME bytes is yielded cut just above that
    size. Checks nothing, and decodes only UTF-16 that begins with a byte-order mark, whose games come out in UTF-8.
    """
    splitter = _Splitter()
    for chunk in _without_utf16(chunks):
        yield from splitter.feed(chunk)
        if splitter.junk > _MAX_JUNK:
            return
    yield from splitter.feed(b"", final=True)


def _without_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a stream as it is, or in UTF-8 if it begins with the byte-order mark of UTF-16."""
    stream, head = iter(chunks), b""
    while len(head) < len(BOM_UTF16_LE) and (chunk := next(stream, None)) is not None:
        head += chunk
    whole = chain([head], stream)
    if not head.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return whole
    return (text.encode() for text in iterdecode(whole, "utf-16", "replace"))


class _Splitter:
    """The bytes not yet given out begin at `begin`: inside a game (`depth` > 0) with it, scanned up to `at`."""

    def __init__(self) -> None:
        self.buffer, self.begin, self.at, self.depth, self.junk = b"", 0, 0, 0, 0
        self.start, self.has_games = START, False

    def feed(self, chunk: bytes, final: bool = False) -> Iterator[bytes]:
        """Take in more bytes and yield the games that they complete; `final` if none will follow."""
        self.buffer = self.buffer[self.begin :] + chunk
        self.begin, self.at = 0, self.at - self.begin
        while self.depth or self._find_start():
            end = self._find_end(final)
            if end is not None:
                yield self._cut(end)
            elif final:
                yield self._cut(len(self.buffer))
            else:
                return

    def _find_start(self) -> bool:
        match = self.start.search(self.buffer, self.begin)
        end = max(self.begin, len(self.buffer) - _LOOKAHEAD) if match is None else match.start()
        if not self.has_games and BINARY.search(self.buffer, self.begin, end):
            self.junk = _MAX_JUNK + 1
            return False
        if match is None:
            self.junk += end - self.begin
            self.begin = end
            return False
        self.begin, self.at = match.span()
        self.depth, self.junk, self.start, self.has_games = 1, 0, START, True
        return True

    def _find_end(self, final: bool) -> int | None:
        """Where the game ends once it is complete, or known to be bad; None while more bytes are needed."""
        limit = self.begin + MAX_GAME
        while self.depth:
            while plain := _PLAIN.match(self.buffer, self.at):
                self.at = plain.end()
            mark = self.buffer[self.at : self.at + 1]
            if len(self.buffer) > limit and (self.at >= limit or mark not in (b"(", b")")):
                # Only a root node distinguishes new games from its inside any more.
                self.start = _ROOT
                return limit + 1
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
        game, self.begin, self.depth = self.buffer[self.begin : end], end, 0
        return game
