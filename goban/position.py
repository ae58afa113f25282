"""Immutable positions: stones, side to move, simple ko, prisoners and the last moves."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from goban import board_kernels, board_svg, chain_kernels, move_kernels, text_diagram
from goban.coords import BLACK, EMPTY, MAX_SIDE, MIN_SIDE, WHITE, check_side, colour_name, gtp_name
from goban.errors import InputError, as_whole, shown, wrong_type
from goban.move_notation import Colour, Vertex, as_colour, flat_index

RECENT_MOVES: Final = 7
EARLIER_BOARDS: Final = 2

_COLOURS: Final = (BLACK, WHITE)
_OTHER_WHITE: Final = 2  # White in the arrays of many other programs

_REASONS = {
    board_kernels.OCCUPIED: "the point is occupied",
    board_kernels.KO: "the point is forbidden by ko",
    board_kernels.SUICIDE: "the stone would have no liberties",
}


class IllegalMove(InputError):
    """A move that the rules forbid; carries its `point`, `colour` and `reason`."""

    def __init__(self, point: int, colour: int, side: int, reason: str) -> None:
        """Describe a move; `point` may lie off the board."""
        self.point, self.colour, self.reason = point, colour, reason
        name = gtp_name(point, side) if 0 <= point <= side * side else f"point {shown(point)}"
        super().__init__(f"expected a legal move. Received: {colour_name(colour)} {name}, {reason}")


@dataclass(frozen=True, slots=True)
class Chain:
    """Connected stones of one colour and the empty points beside them, as ascending flat indices."""

    colour: int
    points: tuple[int, ...]
    liberties: tuple[int, ...]


class EarlierBoard(NamedTuple):
    """The stones of a board, int8 (N, N), read-only, and the point that ko forbade on it, or -1."""

    stones: npt.NDArray[np.int8]
    ko: int


class Position:
    """Stones, side to move, ko, prisoners and the last moves; never changed once made.

    Attributes:
        stones: int8 (N, N), read-only.
        side: N.
        to_move: BLACK or WHITE.
        ko: the point forbidden to `to_move` by simple ko, or -1.
        prisoners: stones captured (by Black, by White).
        recent: the last moves, newest first, at most seven, passes as N*N.
        earlier: the boards before the last move and before the one before that, as far as these were played here;
            `==` leaves them out.
        hash: the Zobrist hash of the stones alone.
    """

    __slots__ = ("_chains", "_flat", "earlier", "hash", "ko", "prisoners", "recent", "side", "stones", "to_move")

    _chains: tuple[Chain, ...] | None
    _flat: npt.NDArray[np.int8]
    stones: npt.NDArray[np.int8]
    side: int
    to_move: int
    ko: int
    prisoners: tuple[int, int]
    recent: tuple[int, ...]
    earlier: tuple[EarlierBoard, ...]
    hash: int

    def __new__(cls, *_: object, **__: object) -> "Position":
        """Refuse: a position is made by `empty`, `from_stones` or `from_diagram`."""
        raise TypeError("use Position.empty, Position.from_stones or Position.from_diagram")

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: a position is immutable."""
        raise AttributeError(f"a Position is immutable. Received: {name} = {value!r}")

    @classmethod
    def empty(cls, side: int) -> "Position":
        """Return the empty board, Black to move; raise InputError for a side outside 2..25."""
        flat = np.zeros(check_side(side) ** 2, np.int8)
        return trusted_position(flat, side, BLACK, -1, (0, 0), (), 0, ())

    @classmethod
    def from_stones(
        cls,
        stones: npt.ArrayLike,
        to_move: int = BLACK,
        *,
        ko: int = -1,
        prisoners: tuple[int, int] = (0, 0),
        recent: tuple[int, ...] = (),
    ) -> "Position":
        """Return the position of the given stones.

        Args:
            stones: (N, N) of 1 for Black, -1 or 2 for White, and 0, copied.
            to_move, ko, prisoners, recent: as the attributes.

        Raises:
            InputError: another shape or value, or a chain without liberties.
            TypeError: a ko, prisoners or moves that are no whole numbers.
        """
        flat = _checked_stones(stones)
        side = int(len(flat) ** 0.5)
        word, dead = move_kernels.setup_facts(side, flat)
        if dead >= 0:
            raise InputError(f"expected a liberty for every chain. Received: none at {gtp_name(dead, side)}")
        if isinstance(to_move, bool) or to_move not in _COLOURS:
            raise InputError(f"expected to_move {BLACK} (Black) or {WHITE} (White). Received: {shown(to_move)}")
        if not -1 <= (whole := as_whole("ko", ko)) < side * side or (ko >= 0 and flat[ko] != EMPTY):
            raise InputError(f"expected ko as an empty point or -1. Received: {shown(whole)}")
        by, last = _checked_prisoners(prisoners), _checked_moves(recent, side)
        return trusted_position(flat, side, int(to_move), int(ko), by, last, int(word), ())

    @classmethod
    def from_diagram(cls, text: str | Sequence[str], to_move: int = BLACK, **rest: Any) -> "Position":
        """Return the position of a diagram, or of its rows (see `parse_diagram`); `rest` as for `from_stones`."""
        rows = [text] if isinstance(text, str) else text
        if not isinstance(rows, Sequence) or not all(isinstance(row, str) for row in rows):
            raise wrong_type("a diagram as text, or its rows", text)
        return cls.from_stones(text_diagram.parse_diagram("\n".join(rows)), to_move, **rest)

    @property
    def flat(self) -> npt.NDArray[np.int8]:
        """The stones, int8 (N*N,), for kernels, which are compiled for arrays that can be written; do not write."""
        return self._flat

    def play(self, vertex: Vertex, colour: Colour | None = None, *, suicide: bool = False) -> "Position":
        """Return the position after a move or a pass, with the other colour to move.

        Args:
            vertex: such as "D4" or "pass", (row, column) with row 0 at the top, a flat index with N*N for a pass, or
                None for a pass.
            colour: "B" or BLACK, "W" or WHITE; by default the side to move.
            suicide: whether a move may take its own stones off the board.

        Raises:
            IllegalMove: the rules forbid the move. Simple ko only: superko needs a `Game`.
            InputError: no such colour or vertex.
            TypeError: a vertex of another type.
        """
        side = self.side
        mover, point = self._mover(colour), flat_index(vertex, side)
        recent = (point, *self.recent[: RECENT_MOVES - 1])
        earlier = (EarlierBoard(self.stones, self.ko), *self.earlier[: EARLIER_BOARDS - 1])
        if point == side * side:
            return trusted_position(self._flat, side, -mover, -1, self.prisoners, recent, self.hash, earlier)
        if not 0 <= point < side * side:
            raise IllegalMove(point, mover, side, "it is off the board")
        flat = self._flat.copy()
        forbidden = self.ko if mover == self.to_move else -1
        status, ko, captured, lost, word = move_kernels.play(side, flat, point, mover, forbidden, suicide)
        if status:
            raise IllegalMove(point, mover, side, _REASONS[status])
        prisoners = self.prisoners
        if captured or lost:
            black, white = (captured, lost) if mover == BLACK else (lost, captured)
            prisoners = (prisoners[0] + black, prisoners[1] + white)
        return trusted_position(flat, side, -mover, ko, prisoners, recent, word, earlier)

    def legal_moves(self, colour: Colour | None = None, *, suicide: bool = False) -> list[str]:
        """Return the vertices that `play` accepts, from the top left, the last being "pass"; by simple ko only."""
        legal = self.legal_points(colour, suicide=suicide)
        return [gtp_name(point, self.side) for point in np.flatnonzero(legal).tolist()]

    def legal_points(self, colour: Colour | None = None, *, suicide: bool = False) -> npt.NDArray[np.bool_]:
        """Return the same as bool (N*N + 1,) by flat index, as policies are, the pass last."""
        mover = self._mover(colour)
        forbidden = self.ko if mover == self.to_move else -1
        return move_kernels.legal_points(self.side, self._flat, mover, forbidden, suicide)

    def is_legal(self, vertex: Vertex, colour: Colour | None = None, *, suicide: bool = False) -> bool:
        """Return whether `play` would accept the move; raise InputError if there is no such colour or vertex."""
        point, legal = flat_index(vertex, self.side), self.legal_points(colour, suicide=suicide)
        return 0 <= point < len(legal) and bool(legal[point])

    def chain_ids(self) -> npt.NDArray[np.int32]:
        """Return int32 (N, N): the smallest flat index of each stone's chain, an empty point's own index."""
        return chain_kernels.label_chains(self.side, self._flat).reshape(self.side, self.side)

    def chain_means(self, values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return `values` (N, N) with every stone's value replaced by the mean over its chain, float32 (N, N)."""
        ids = self.chain_ids().ravel()
        sums = np.bincount(ids, values.ravel(), ids.size)
        means = sums / np.maximum(np.bincount(ids, minlength=ids.size), 1)
        return means[ids].reshape(values.shape).astype(np.float32)

    def chains(self) -> tuple[Chain, ...]:
        """Return all chains in the order of their first points; found once for a position."""
        found = self._chains
        if found is None:
            found = tuple(_chains_of(self._flat, self.side))
            _set(self, "_chains", found)
        return found

    def chain_at(self, vertex: Vertex) -> Chain | None:
        """Return the chain with a stone at a vertex as for `play`, None if it is empty; raise InputError."""
        point = flat_index(vertex, self.side)
        if not 0 <= point < len(self._flat):
            raise InputError(
                f"expected a point of the board. Received: {vertex if isinstance(vertex, str) else shown(vertex)}"
            )
        if self._flat[point] == EMPTY:
            return None
        points, liberties = chain_kernels.chain_around(self.side, self._flat, point)
        return Chain(int(self._flat[point]), tuple(points.tolist()), tuple(liberties.tolist()))

    def _mover(self, colour: Colour | None) -> int:
        """Return the colour that is to play, by default the side to move; raise InputError if there is none such."""
        return self.to_move if colour is None else as_colour(colour)

    def __str__(self) -> str:
        """Return the diagram of the stones."""
        return text_diagram.render_text(self.stones)

    def __repr__(self) -> str:
        """Return the expression that makes this position."""
        rows = text_diagram.render_text(self.stones, coordinates=False).replace(" ", "").replace("\n", "/")
        rest = f"ko={self.ko}, prisoners={self.prisoners}, recent={self.recent}"
        return f"Position.from_diagram({rows!r}, {self.to_move}, {rest})"

    def _repr_svg_(self) -> str:
        """Return the picture that Jupyter shows."""
        return board_svg.render_svg(self.stones, last=self.recent[0] if self.recent else None)

    def __eq__(self, other: object) -> bool:
        """Compare stones, side to move, ko, prisoners and last moves."""
        return isinstance(other, Position) and self._key() == other._key()

    def __hash__(self) -> int:
        """Hash what `__eq__` compares."""
        return hash((self.hash, self.to_move, self.ko, self.recent))

    def __reduce__(self) -> tuple[Callable[..., "Position"], tuple[object, ...]]:
        """Pickle by the parts, without the read-only view."""
        return trusted_position, (
            self._flat, self.side, self.to_move, self.ko, self.prisoners, self.recent, self.hash, self.earlier
        )  # fmt: skip

    def _key(self) -> tuple[object, ...]:
        return self._flat.tobytes(), self.to_move, self.ko, self.prisoners, self.recent


def _chains_of(flat: npt.NDArray[np.int8], side: int) -> Iterator[Chain]:
    """Yield the chains of flat stones in the order of their first points."""
    points, ends, liberties, last = (each.tolist() for each in chain_kernels.chain_lists(side, flat))
    stones, start, first = flat.tolist(), 0, 0
    for end, stop in zip(ends, last, strict=True):
        yield Chain(stones[points[start]], tuple(points[start:end]), tuple(liberties[first:stop]))
        start, first = end, stop


def _checked_stones(stones: npt.ArrayLike) -> npt.NDArray[np.int8]:
    """Return a flat copy of the stones; raise InputError unless they are a square of 1, -1 or 2, and 0."""
    try:
        board = np.asarray(stones)
    except ValueError:
        raise InputError("expected stones of shape (N, N). Received: rows of different lengths") from None
    if board.dtype.kind == "U":
        raise InputError("expected stones as numbers. Received: text; Position.from_diagram reads it")
    if board.ndim != 2 or board.shape[0] != board.shape[1] or not MIN_SIDE <= len(board) <= MAX_SIDE:
        raise InputError(f"expected stones of shape (N, N), N {MIN_SIDE}..{MAX_SIDE}. Received: {board.shape}")
    known = (board == EMPTY) | (board == BLACK) | (board == WHITE) | (board == _OTHER_WHITE)
    if not known.all():
        received = board[~known].tolist()[0]
        raise InputError(f"expected stones of 1 (Black), -1 or 2 (White) and 0. Received: {received!r}")
    return np.where(board == _OTHER_WHITE, WHITE, board).astype(np.int8).ravel()


def _checked_prisoners(prisoners: Iterable[int]) -> tuple[int, int]:
    """Return the prisoners of Black and of White; raise InputError or TypeError for anything else."""
    if not isinstance(prisoners, Iterable):
        raise wrong_type("prisoners as two numbers", prisoners)
    counts = tuple(as_whole("a number of prisoners", each) for each in prisoners)
    if len(counts) != 2 or min(counts) < 0:
        raise InputError(f"expected prisoners of Black and of White, two numbers from 0 up. Received: {shown(counts)}")
    return counts[0], counts[1]


def _checked_moves(recent: Iterable[int], side: int) -> tuple[int, ...]:
    """Return the last moves, at most RECENT_MOVES; raise InputError or TypeError unless all are points or passes."""
    if not isinstance(recent, Iterable):
        raise wrong_type("the last moves as flat indices", recent)
    moves = tuple(as_whole("a last move", each) for each in recent)
    for move in moves:
        if not 0 <= move <= side * side:
            raise InputError(f"expected last moves 0..{side * side}. Received: {shown(move)}")
    return moves[:RECENT_MOVES]


_set = object.__setattr__


def trusted_position(
    flat: npt.NDArray[np.int8],
    side: int,
    to_move: int,
    ko: int,
    prisoners: tuple[int, int],
    recent: tuple[int, ...],
    word: int,
    earlier: tuple[EarlierBoard, ...],
) -> Position:
    """Return a Position of trusted parts, keeping `flat`, int8 (N*N,), which must not change after."""
    position = object.__new__(Position)
    stones = flat.reshape(side, side)
    stones.setflags(write=False)
    _set(position, "_chains", None)
    _set(position, "_flat", flat)
    _set(position, "stones", stones)
    _set(position, "side", side)
    _set(position, "to_move", to_move)
    _set(position, "ko", ko)
    _set(position, "prisoners", prisoners)
    _set(position, "recent", recent)
    _set(position, "earlier", earlier)
    _set(position, "hash", word)
    return position
