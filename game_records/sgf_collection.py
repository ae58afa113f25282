"""The games of a collection in SGF: where each begins and ends in a stream of bytes."""

import re
from codecs import iterdecode
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Final, NamedTuple

from game_records.encoding import MOST_OF_MARK, first_bytes, utf_16

MAX_GAME = 1 << 20
_MAX_JUNK = 1 << 24
_LOOKAHEAD = 96

# Where a game begins: "(;", a property without the ";", or a root node whose parenthesis was lost.
_GAME: Final = "G[a-z]{0,12}M[a-z]{0,12}|F[a-z]{0,12}F[a-z]{0,12}"  # GM and FF, also by long names
START = re.compile(rf"\(\s{{0,64}}(?:;|[A-Z]{{2}}\s{{0,16}}\[)|;\s{{0,16}}(?:{_GAME})\s{{0,16}}\[")
_START_OF_BYTES = re.compile(START.pattern.encode())
# A root node, where a new game begins although the last one was never closed.
_ROOT = re.compile(
    rf"\(\s{{0,16}};\s{{0,16}}(?:{_GAME}|C[a-z]{{0,12}}A[a-z]{{0,12}}|S[a-z]{{0,12}}Z[a-z]{{0,12}})\s{{0,16}}\[".encode()
)
# A line end inside a value, behind which another game begins: the value was never closed.
BROKEN_VALUE: Final = r"[\r\n]\s{0,16}\(\s{0,16};\s{0,16}(?!GM\[\D)[A-Za-z]{1,24}\s{0,16}\[[^\\\]\[]{0,80}\]"
# What no text holds; escapes are part of Japanese text.
BINARY = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f]")
_BINARY_BYTES = re.compile(BINARY.pattern.encode())


class _Grammar(NamedTuple):
    """The patterns of the splitter: text between parentheses that count, and a value that was never closed."""

    plain: re.Pattern[bytes]
    broken: re.Pattern[bytes]


@cache
def _grammar(first: bytes = b"") -> _Grammar:
    """Return what is looked for; values hold their escapes.

    `first`: the bytes that with the next one are a letter. Not possessive as a whole: Python 3.11.2 would not go back
    to the end of the last whole part.
    """
    another = rb"(?=%b)" % BROKEN_VALUE.encode()
    letters = rb"(?:[^\\\]\r\n%b]++|%b\\.|(?!%b)[\r\n])*+" % (first, rb"[%b].|" % first if first else b"", another)
    plain = re.compile(rb"(?:[^\[()]++|\[%b\]){1,1000}" % letters, re.DOTALL)
    return _Grammar(plain, re.compile(rb"\[%b%b" % (letters, another), re.DOTALL))


def split_games(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the bytes of each game of a collection that arrives in pieces, holding one game at a time.

    The same games come out however the collection is cut into `chunks`. What lies between games is skipped; after
    16 MiB of it the rest is given up, and so is a file that begins with binary bytes. A game that is cut off by the
    end, by a new root node, or inside a value by a line that begins another game, is yielded as far as it goes; one
    above MAX_GAME bytes is yielded cut just above that size. Checks nothing, and decodes only UTF-16, whose games come
    out in UTF-8. The second byte of a letter in Shift_JIS, Big5 or GB 18030 ends no value.
    """
    splitter = _Splitter()
    for chunk in _without_utf16(chunks):
        yield from splitter.feed(chunk)
        if splitter.junk > _MAX_JUNK:
            return
    yield from splitter.feed(b"", final=True)


def _without_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a stream as it is, or in UTF-8 if it begins as UTF-16."""
    stream, head = iter(chunks), b""
    while len(head) < MOST_OF_MARK and (chunk := next(stream, None)) is not None:
        head += chunk
    whole = chain([head], stream)
    codec = utf_16(head)
    return (text.encode() for text in iterdecode(whole, codec, "replace")) if codec else whole


class _Splitter:
    """The bytes not yet given out begin at `begin`: inside a game (`depth` > 0) with it, scanned up to `at`."""

    def __init__(self) -> None:
        self.buffer, self.begin, self.at, self.depth, self.junk = b"", 0, 0, 0, 0
        self.start, self.has_games, self.grammar = _START_OF_BYTES, False, _grammar()

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
        self._enter(_grammar())
        return True

    def _enter(self, grammar: _Grammar) -> None:
        """Be inside the game, behind its first byte."""
        self.at, self.depth, self.grammar = self.begin + 1, 1, grammar

    def _find_end(self, final: bool) -> int | None:
        """Where the game ends once it is complete, or known to be bad; None while more bytes are needed.

        The encoding is that of the bytes up to where the game would end in ASCII.
        """
        end = self._scan(final)
        if self.grammar is _grammar() and (final or end is not None):
            first = first_bytes(self.buffer[self.begin : end])
            if first:
                self._enter(_grammar(first))
                return self._scan(final)
        return end

    def _scan(self, final: bool) -> int | None:
        limit = self.begin + MAX_GAME
        while self.depth:
            while plain := self.grammar.plain.match(self.buffer, self.at):
                self.at = plain.end()
            mark = self.buffer[self.at : self.at + 1]
            if mark == b"[" and (broken := self.grammar.broken.match(self.buffer, self.at)):
                return broken.end()
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
