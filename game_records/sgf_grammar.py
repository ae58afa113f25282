"""The grammar of SGF: the nodes of a game, their properties and values.

What is no SGF is skipped, as Go programs do. `sgf` reads what nodes mean.
"""

import re
from collections.abc import Iterator
from typing import Final

from game_records.encoding import decode_text
from game_records.record_errors import Fault
from game_records.sgf_collection import BINARY, BROKEN_VALUE, MAX_GAME, START
from goban.errors import shown

SgfNode = dict[str, list[str]]
"""The properties of a node, and their values as they are written, with escapes."""

SETUP: Final = ("AB", "AW", "AE")

_LETTERS = rf"[^\\\]\r\n]*+(?:(?:\\.|(?!{BROKEN_VALUE})[\r\n])[^\\\]\r\n]*+)*+"
# A mark; a name with a value; a further value; a name without a value; a value without an end.
_TOKEN = re.compile(
    rf"([();])|([A-Za-z][A-Za-z0-9]*+)\s*+\[({_LETTERS})\]|\[({_LETTERS})\]|([A-Za-z][A-Za-z0-9]*+)|(\[)", re.DOTALL
)
_MARK, _PROPERTY, _VALUE, _WORD = 1, 3, 4, 5
_MOVES: Final = ("B", "W")
_MAX_NODES: Final = 100_000
_ESCAPED = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)
_LINE_END = re.compile(r"\r\n|\n\r|\r")
_BLANKS: Final = dict.fromkeys(map(ord, "\t\v\f"), " ")
_TO_ESCAPE = re.compile(r"[\\\]]")


class NodeReader:
    """The nodes of one game, in the order of its text.

    Accepts text between properties, nodes without ";" or after a closed variation, empty nodes and variations, and
    makes a node with several moves one node for each.

    Attributes:
        skipped: by its kind, a line on the first thing that was skipped or is no SGF.
        is_closed: whether a ")" follows the last node of the main line that was read.
        is_cut: whether the text ends inside a property.
    """

    def __init__(self, text: str, begin: int = 0) -> None:
        """Keep the text, in which the game begins at `begin` with its "(", or with a ";" if that was lost."""
        self.skipped: dict[str, str] = {}
        self.is_closed = self.is_cut = False
        self._text, self._begin = text, begin
        self._branches: list[int] = []  # the node before each open variation
        if text.startswith(";", begin):
            self._branches.append(-1)
            self._note("parenthesis", "read a game that begins with ';', although no '(' is before it")
        self._before, self._count, self._main = -1, 0, -1
        self._node: SgfNode | None = None  # until its ";", or a property without one
        self._name, self._values = "", list[str]()  # of the last property
        self._follows_variation = False

    def main_line(self) -> list[SgfNode]:
        """Return the nodes of the main line, those that come first after the node before; raise Fault for too many."""
        nodes: list[SgfNode] = []
        for _, node in self.nodes():
            if self._main == self._count - 1:
                nodes.append(node)
            if len(nodes) > _MAX_NODES:
                raise Fault("too large", f"expected at most {_MAX_NODES:,} nodes. Received: more")
        return nodes

    def nodes(self) -> Iterator[tuple[int, SgfNode]]:
        """Yield the number of the node before, -1 for the first, and the node; behind the root none is empty."""
        end = self._begin
        for token in _TOKEN.finditer(self._text, self._begin):
            kind, at = token.lastindex, token.start()
            if at > end:
                self._skip(self._text[end:at], end)
            end = token.end()
            if kind == _PROPERTY:
                name = token[2] if token[2].isupper() else _short_name(token[2])
                if name in _MOVES and self._node and not self._node.keys().isdisjoint(_MOVES):
                    if finished := self._finish():
                        yield finished
                    self._begin_node()
                self._add_property(name, token[3], token)
            elif kind == _VALUE:
                self._add_value(token[4], at)
            elif kind == _MARK:
                if finished := self._finish():
                    yield finished
                if token[1] == ";":
                    self._begin_node()
                elif self._turn(token[1]):
                    return
            elif kind == _WORD:
                if not self._text.startswith("[", end):  # else the record breaks off in a value
                    self._skip(token[5], at)
                    self.is_cut = end == len(self._text)
            else:
                self.is_cut = True
                break
        if finished := self._finish():
            yield finished

    def _turn(self, mark: str) -> bool:
        """Begin or close a variation; return whether that was the game."""
        self._follows_variation = mark == ")"
        if mark == "(":
            self._branches.append(self._before)
            return False
        self.is_closed |= self._before == self._main
        self._before = self._branches.pop()
        return not self._branches

    def _begin_node(self) -> None:
        if self._follows_variation:
            self._note("variation", "read the nodes after a closed variation as another variation")
        self._node, self._name, self._follows_variation = {}, "", False

    def _add_property(self, name: str, value: str, token: re.Match[str]) -> None:
        if self._node is None:
            self._note("semicolon", f"read {token[2]} as the first property of a node, although no ';' is before it")
            self._begin_node()
        assert self._node is not None
        self._name = name
        if not name:
            self._skip(token[0], token.start())
            return
        self._values = self._node.setdefault(name, [])
        self._values.append(value)

    def _add_value(self, value: str, at: int) -> None:
        if not self._name:
            self._skip(f"[{value}]", at)
        elif self._name in _MOVES:
            self._note("points", f"skipped {self._name}[{value}], the second point of one move")
        else:
            self._values.append(value)

    def _finish(self) -> tuple[int, SgfNode] | None:
        """End the node; return the number of the one before it, and the node, if it has properties or is the root."""
        node, self._node, self._name = self._node, None, ""
        if node is None or (not node and self._count):
            return None
        before, self._before = self._before, self._count
        if before == self._main:
            self._main, self.is_closed = self._count, False
        self._count += 1
        return before, node

    def _skip(self, text: str, at: int) -> None:
        if "text" not in self.skipped and (text := text.strip()):
            line = self._text.count("\n", 0, self._text.index(text, at)) + 1
            self.skipped["text"] = f"skipped text that is no SGF, on line {line}: {shown(text)}"

    def _note(self, kind: str, line: str) -> None:
        self.skipped.setdefault(kind, line)


def _short_name(name: str) -> str:
    """Return the name of a property without its small letters, "" where no name of SGF is left, as of `b` and `a1B`."""
    short = "".join(letter for letter in name if not letter.islower())
    return "" if short[:1].isdigit() else short


def game_reader(data: bytes) -> NodeReader:
    """Return the reader of the first game in SGF `data`; raise Fault if there is none, or one above MAX_GAME bytes."""
    if len(data) > MAX_GAME:
        raise Fault("too large", f"expected at most {MAX_GAME >> 20} MiB a game")
    text = decode_text(data)
    start = START.search(text)
    if start is None or BINARY.search(text, 0, start.start()):
        found = "a binary file" if BINARY.search(text) else "other text" if data.strip() else "nothing"
        raise Fault("not SGF" if data.strip() else "empty", f"expected a game that begins with '(;'. Received: {found}")
    return NodeReader(text, start.start())


def plain_text(value: str) -> str:
    """Return a value without escapes, with spaces for tabs and line feeds for the ends of lines."""
    text = _ESCAPED.sub(lambda match: "" if match[1][0] in "\r\n" else match[1], value)
    return _LINE_END.sub("\n", text).translate(_BLANKS)


def escape_value(text: str) -> str:
    """Return a text as the value of a property."""
    return _TO_ESCAPE.sub(r"\\\g<0>", text)
