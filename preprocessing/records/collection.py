"""Cutting a stream of bytes into games, so that a collection of any size needs the memory of one game."""

import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, iterdecode
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from preprocessing.records.encoding import first_bytes

MAX_GAME = 1 << 20
_MAX_JUNK = 1 << 24
_LOOKAHEAD = 96

# Where a game begins: "(;", a property without the ";", or a root node whose parenthesis was lost.
_START = r"\(\s{0,64}(?:;|[A-Z]{2}\s{0,16}\[)|;\s{0,16}(?:GM|FF)\s{0,16}\["
START = re.compile(_START)
_START_OF_BYTES = re.compile(_START.encode())
# A root node, where a new game begins although the last one was never closed.
_ROOT = re.compile(rb"\(\s{0,16};\s{0,16}(?:GM|FF|CA|SZ)\s{0,16}\[")
# What no text holds; escapes are part of Japanese text.
_BINARY = r"[\0-\x08\x0e-\x1a\x1c-\x1f]"
BINARY = re.compile(_BINARY)
_BINARY_BYTES = re.compile(_BINARY.encode())


@cache
def _plain(first: bytes = b"") -> re.Pattern[bytes]:
    """Return what stands between two parentheses that count, in parts: anything else, and values with their escapes.

    `first`: the bytes that with the next one are a letter. Not possessive as a whole: Python 3.11.2 would not go back
    to the end of the last whole part.
    """
    letters = rb"(?:[^\\\]]++|\\.)*+" if not first else rb"(?:[^\\\]%b]++|[%b].|\\.)*+" % (first, first)
    return re.compile(rb"(?:[^\[()]++|\[%b\]){1,1000}" % letters, re.DOTALL)


def split_games(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each game of a collection that arrives in pieces, holding one game at a time.

    The same games come out however the collection is cut into `chunks`. What lies between games is skipped; after
    16 MiB of it the rest is given up, and so is a file that begins with BINARY bytes. A game that is cut off by the
    end, or by a new root node, is yielded as far as it goes; one above MAX_GAME bytes is yielded cut just above that
    size. Checks nothing, and decodes only UTF-16 that begins with a byte-order mark, whose games come out in UTF-8. The
    second byte of a letter in Shift_JIS, Big5 or GB 18030 ends no value.
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
        self.start, self.has_games, self.plain = _START_OF_BYTES, False, _plain()

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
        if not self.has_games and _BINARY_BYTES.search(self.buffer, self.begin, end):
            self.junk = _MAX_JUNK + 1
            return False
        if match is None:
            self.junk += end - self.begin
            self.begin = end
            return False
        self.begin, self.junk, self.start, self.has_games = match.start(), 0, _START_OF_BYTES, True
        self._enter(_plain())
        return True

    def _enter(self, plain: re.Pattern[bytes]) -> None:
        """Be inside the game, behind its first byte."""
        self.at, self.depth, self.plain = self.begin + 1, 1, plain

    def _find_end(self, final: bool) -> int | None:
        """Where the game ends once it is complete, or known to be bad; None while more bytes are needed.

        The encoding is that of the bytes up to where the game would end in ASCII.
        """
        end = self._scan(final)
        if self.plain is _plain() and (final or end is not None):
            first = first_bytes(self.buffer[self.begin : end])
            if first:
                self._enter(_plain(first))
                return self._scan(final)
        return end

    def _scan(self, final: bool) -> int | None:
        limit = self.begin + MAX_GAME
        while self.depth:
            while plain := self.plain.match(self.buffer, self.at):
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
