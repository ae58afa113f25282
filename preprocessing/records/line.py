"""The main line of a record: set-up and moves, as editors and servers write them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import (
    BLACK,
    EMPTY,
    WHITE,
    CoordinateError,
    gtp_name,
    opponent,
    parse_gtp,
    parse_sgf,
    pass_point,
    sgf_name,
)
from goban.errors import cut
from goban.kernels import check_game, replay_to, setup_facts
from preprocessing.records.game import MAX_MOVES, printable
from preprocessing.records.grammar import SETUP, Fault, Node

_MAX_TEXT: Final = 100
_MAX_SETUPS: Final = 1_000  # after moves, each of which takes as long as a short game
_JUST_PLACED: Final = 2  # a black stone of the same node
_MARKS: Final = {"TB": BLACK, "TW": WHITE}

Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]


@dataclass(slots=True)
class Line:
    """The main line, from its last set-up on.

    Attributes:
        side: of the board.
        setup: int8 (side * side,), the position there.
        moves: flat indices, of the moves after it.
        colours: of these.
        player: the colour that PL named since the last move, else 0.
        prisoners: of Black and White, before the moves.
        first: the number of the node that sets the position up.
        earlier: the number of moves before it.
        notes: by its kind, a line on what is read in another way than it is written.
    """

    side: int
    setup: Int8
    moves: list[int] = field(default_factory=list)
    colours: list[int] = field(default_factory=list)
    player: int = 0
    prisoners: tuple[int, int] = (0, 0)
    first: int = 0
    earlier: int = 0
    notes: dict[str, str] = field(default_factory=dict)
    setups: int = 0

    def read(self, nodes: Iterable[Node]) -> None:
        """Read nodes, up to a set-up after an illegal move."""
        for number, node in enumerate(nodes):
            if not node.keys().isdisjoint(SETUP):
                if self.moves and not self._begin_again(number):
                    return
                _set_up(node, self.setup, self.side)
            if "PL" in node:
                self.player = _player(node["PL"][0])
            for name in node.keys() & {"B", "W"}:
                self._play(node[name][0], BLACK if name == "B" else WHITE)

    def _begin_again(self, number: int) -> bool:
        """Make the position after the moves the set-up; return whether the moves are legal."""
        moves, colours = self.as_arrays()
        if legal_moves(self.side, self.setup, moves, colours) < len(moves):
            return False
        self.setups += 1
        if self.setups > _MAX_SETUPS:
            raise Fault("too large", f"expected at most {_MAX_SETUPS:,} set-ups after moves. Received: more")
        self.setup, _, by_black, by_white = replay_to(self.side, self.setup, moves, colours, len(moves))
        self.prisoners = self.prisoners[0] + by_black, self.prisoners[1] + by_white
        self.first, self.earlier = number, self.earlier + len(moves)
        self.player = self.player or opponent(self.colours[-1])
        self.moves, self.colours = [], []
        self.notes["setup"] = f"read from the set-up after move {self.earlier} on; the moves are numbered from there"
        return True

    def _play(self, value: str, colour: int) -> None:
        if len(self.moves) == MAX_MOVES:
            raise Fault("too large", f"expected at most {MAX_MOVES} moves. Received: more")
        self.moves.append(self._move(value))
        self.colours.append(colour)
        self.player = 0

    def _move(self, value: str) -> int:
        point = _points(self.side).get(value)
        if point is not None:
            return point
        if value in (chr(ord("a") + self.side) * 2, "``") and value != "tt":
            self.notes.setdefault("pass", f"read moves at [{value}], one line off the board, as passes")
            return pass_point(self.side)
        try:
            return _point(value, self.side)
        except CoordinateError:
            number = self.earlier + len(self.moves) + 1
            raise Fault("bad move", f"move {number}: {_expected_point(value, self.side)}") from None

    def as_arrays(self) -> tuple[Int16, Int8]:
        """Return the moves, int16 (M,), and their colours, int8 (M,)."""
        return np.array(self.moves, np.int16), np.array(self.colours, np.int8)


def legal_moves(side: int, setup: Int8, moves: Int16, colours: Int8) -> int:
    """Return the number of moves before the first illegal one; raise Fault for chains or moves that cannot be."""
    if setup.any() and setup_facts(side, setup)[1] >= 0:
        raise Fault("bad set-up", "expected a liberty for every chain. Received: a chain without")
    illegal = check_game(side, setup, moves, colours, True)
    return len(moves) if illegal < 0 else illegal


def marked_territory(nodes: list[Node], side: int) -> Int8 | None:
    """Return the points of TB, 1, and TW, -1, after the last move; None where there are none, or no such points."""
    last = max((index for index, node in enumerate(nodes) if "B" in node or "W" in node), default=0)
    marked = [node for node in nodes[last:] if not node.keys().isdisjoint(_MARKS)]
    if not marked:
        return None
    territory = np.zeros((side, side), np.int8)
    try:
        for name, colour in _MARKS.items():
            for area in _areas(marked[-1].get(name, ()), side):
                territory[area] = colour
    except Fault:
        return None
    return territory.ravel()


def _player(value: str) -> int:
    return WHITE if value.strip().lower() in ("w", "white", "2") else BLACK


def _set_up(node: Node, setup: Int8, side: int) -> None:
    """Put the stones of a node on the board, and take away those of AE."""
    board = setup.reshape(side, side)
    for area in _areas(node.get("AB", ()), side):
        board[area] = _JUST_PLACED
    for area in _areas(node.get("AW", ()), side):
        if (board[area] == _JUST_PLACED).any():
            white = np.zeros_like(board, np.bool_)
            white[area] = True
            found = f"{gtp_name(int((white & (board == _JUST_PLACED)).argmax()), side)} in both"
            raise Fault("bad set-up", f"expected AB and AW without a common point. Received: {found}")
        board[area] = WHITE
    board[board == _JUST_PLACED] = BLACK
    for area in _areas(node.get("AE", ()), side):
        board[area] = EMPTY


def _areas(values: Iterable[str], side: int) -> Iterator[tuple[int | slice, int | slice]]:
    """Yield the row and column of each of the values, such as `aa`, or the rows and columns of `aa:cc`."""
    usual = _points(side)
    for value in dict.fromkeys(values):
        point = usual.get(value, side * side)
        if point < side * side:
            yield divmod(point, side)
            continue
        corner, _, other = value.partition(":")
        try:
            (top, left), (bottom, right) = (divmod(_point(text, side), side) for text in (corner, other or corner))
        except CoordinateError:
            top = bottom = left = right = side
        if max(top, bottom) < side:
            rows, columns = sorted((top, bottom)), sorted((left, right))
            yield (slice(rows[0], rows[1] + 1), slice(columns[0], columns[1] + 1)) if other else (top, left)
        elif value.strip():
            raise Fault("bad set-up", _expected_point(value, side))


@cache
def _points(side: int) -> dict[str, int]:
    """Return the flat index of every point, and the pass, as most records write them: a faster `parse_sgf`."""
    return {sgf_name(point, side): point for point in range(pass_point(side) + 1)}


def _point(value: str, side: int) -> int:
    """Return the flat index of a point of SGF, with stray blanks or capitals, or of GTP; raise CoordinateError."""
    text = value.strip().lower()
    point = _points(side).get(text)
    if point is not None:
        return point
    return parse_gtp(text, side) if text[1:].isdecimal() or text == "pass" else parse_sgf(text, side)


def _expected_point(value: str, side: int) -> str:
    received = cut(printable(value[:_MAX_TEXT]))
    return f"expected a point of a {side}x{side} board. Received: [{received}]"
