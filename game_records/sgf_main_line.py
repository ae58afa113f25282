"""The main line of a game in SGF: set-up stones, moves and marked territory of its nodes, as arrays."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Final

import numpy as np

from game_records.game_record import MAX_MOVES, RecordedIllegalMove, printable
from game_records.record_errors import Fault
from game_records.sgf_grammar import SETUP, SgfNode
from goban.array_types import Int8, Int16
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
from goban.move_kernels import check_game, replay_to, setup_facts

MAX_TEXT: Final = 100  # characters of a value that messages and records keep
_MAX_SETUPS: Final = 1_000  # after moves, each of which takes as long as a short game
_JUST_PLACED: Final = 2  # a black stone of the same node
_MARKS: Final = {"TB": BLACK, "TW": WHITE}
_COLOURS: Final = {"B": BLACK, "W": WHITE}


@dataclass(slots=True)
class MainLine:
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
        off_board: the move at no point of the board before which the line ends, or None.
        notes: by its kind, a line on text that is read otherwise than written.
    """

    side: int
    setup: Int8
    moves: list[int] = field(default_factory=list)
    colours: list[int] = field(default_factory=list)
    player: int = 0
    prisoners: tuple[int, int] = (0, 0)
    first: int = 0
    earlier: int = 0
    off_board: RecordedIllegalMove | None = None
    notes: dict[str, str] = field(default_factory=dict)
    setups: int = 0

    @classmethod
    def of_nodes(cls, side: int, nodes: Iterable[SgfNode]) -> "MainLine":
        """Return the line of nodes, up to a move at no point of the board, or a set-up after an illegal move."""
        line = cls(side, np.zeros(side * side, np.int8))
        line._read(nodes)
        return line

    def _read(self, nodes: Iterable[SgfNode]) -> None:
        for number, node in enumerate(nodes):
            if not node.keys().isdisjoint(SETUP):
                if self.moves and not self._begin_again(number):
                    return
                _set_up(node, self.setup, self.side)
            if "PL" in node:
                self.player = _player(node["PL"][0])
            for name, colour in _COLOURS.items():  # one at most: `NodeReader` gives each move a node
                if name in node and not self._play(node[name][0], colour):
                    return

    def _begin_again(self, number: int) -> bool:
        """Make the position after the moves the set-up; return whether the moves are legal."""
        moves, colours = self.as_arrays()
        if count_legal_moves(self.side, self.setup, moves, colours) < len(moves):
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

    def _play(self, value: str, colour: int) -> bool:
        """Add a move; return whether it is at a point of the board or a pass."""
        if len(self.moves) == MAX_MOVES:
            raise Fault("too large", f"expected at most {MAX_MOVES} moves. Received: more")
        try:
            self.moves.append(self._move(value))
        except CoordinateError:
            self._end_off_board(value, colour)
            return False
        self.colours.append(colour)
        self.player = 0
        return True

    def _end_off_board(self, value: str, colour: int) -> None:
        """Remember the move that ends the line; raise Fault if there is none before it."""
        number = len(self.moves) + 1
        if number + self.earlier == 1:
            raise Fault("bad move", f"move 1: {_expected_point(value, self.side)}")
        self.off_board = RecordedIllegalMove(number, colour, f"[{cut(printable(value[:MAX_TEXT]))}]", "off board")

    def _move(self, value: str) -> int:
        point = _points(self.side).get(value)
        if point is not None:
            return point
        if value in (chr(ord("a") + self.side) * 2, "``") and value != "tt":
            self.notes.setdefault("pass", f"read moves at [{value}], one line off the board, as passes")
            return pass_point(self.side)
        return _point(value, self.side)

    def as_arrays(self) -> tuple[Int16, Int8]:
        """Return the moves, int16 (M,), and their colours, int8 (M,)."""
        return np.array(self.moves, np.int16), np.array(self.colours, np.int8)


def count_legal_moves(side: int, setup: Int8, moves: Int16, colours: Int8) -> int:
    """Return the number of moves before the first illegal one; raise Fault for chains or moves that cannot be."""
    if setup.any() and setup_facts(side, setup)[1] >= 0:
        raise Fault("bad set-up", "expected a liberty for every chain. Received: a chain without")
    illegal = check_game(side, setup, moves, colours, True)
    return len(moves) if illegal < 0 else illegal


def territory_marks(nodes: list[SgfNode], side: int) -> Int8 | None:
    """Return the points of TB, 1, and TW, -1, after the last move; None where there are none, or no such points."""
    last = max((index for index, node in enumerate(nodes) if "B" in node or "W" in node), default=0)
    marked = [node for node in nodes[last:] if not node.keys().isdisjoint(_MARKS)]
    if not marked:
        return None
    territory = np.zeros((side, side), np.int8)
    try:
        for name, colour in _MARKS.items():
            for area in areas(marked[-1].get(name, ()), side):
                territory[area] = colour
    except Fault:
        return None
    return territory.ravel()


def _player(value: str) -> int:
    return WHITE if value.strip().lower() in ("w", "white", "2") else BLACK


def _set_up(node: SgfNode, setup: Int8, side: int) -> None:
    """Put the stones of a node on the board, and remove the points of AE."""
    board = setup.reshape(side, side)
    for area in areas(node.get("AB", ()), side):
        board[area] = _JUST_PLACED
    for area in areas(node.get("AW", ()), side):
        if (board[area] == _JUST_PLACED).any():
            white = np.zeros_like(board, np.bool_)
            white[area] = True
            found = f"{gtp_name(int((white & (board == _JUST_PLACED)).argmax()), side)} in both"
            raise Fault("bad set-up", f"expected AB and AW without a common point. Received: {found}")
        board[area] = WHITE
    board[board == _JUST_PLACED] = BLACK
    for area in areas(node.get("AE", ()), side):
        board[area] = EMPTY


def areas(values: Iterable[str], side: int) -> Iterator[tuple[int | slice, int | slice]]:
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
    received = cut(printable(value[:MAX_TEXT]))
    return f"expected a point of a {side}x{side} board. Received: [{received}]"
