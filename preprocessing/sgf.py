"""One game record: SGF bytes in, a checked `Game` or a `RecordError` with one of `REASONS` out.

sgfmill reads the syntax; the meaning of properties, and tolerance for what servers write, is decided here.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from sgfmill import sgf_grammar

from goban.coords import BLACK, MAX_SIDE, MIN_SIDE, WHITE, colour_name, gtp_name, pass_point, sgf_name
from goban.errors import InputError
from goban.kernels import check_game, setup_facts
from preprocessing.record import Game, parse_komi, parse_result

REASONS = (
    "unreadable",
    "empty",
    "not SGF",
    "too large",
    "truncated",
    "bad syntax",
    "not Go",
    "bad side",
    "not square",
    "bad set-up",
    "set-up after moves",
    "handicap stones missing",
    "bad move",
    "illegal move",
)
MAX_GAME = 1 << 20
_MAX_TEXT = 100

START = re.compile(rb"\(\s*;")
# What stands between two parentheses that count: anything else, and property values with their escapes.
PLAIN = re.compile(rb"(?:[^\[()]++|\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\])*+", re.DOTALL)

Node = dict[str, list[bytes]]


class RecordError(InputError):
    """A record that cannot be used: `reason` is one of REASONS, `detail` says what was found where."""

    def __init__(self, source: str, reason: str, detail: str) -> None:
        super().__init__(f"{source}: {reason}: {detail}")
        self.source, self.reason, self.detail = source, reason, detail


class _Bad(Exception):
    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail


def parse_game(data: bytes, source: str = "record") -> Game:
    """Return the main line of the first game in SGF `data`; raise RecordError.

    Reads no file, and does not look at what follows the first game.
    """
    try:
        return _build(_main_line(data), source)
    except _Bad as bad:
        raise RecordError(source, bad.reason, bad.detail) from None


def _main_line(data: bytes) -> list[Node]:
    if len(data) > MAX_GAME:
        raise _Bad("too large", f"expected at most {MAX_GAME} bytes a game")
    if not START.search(data):
        if not data.strip():
            raise _Bad("empty", "expected an SGF game. Received: nothing")
        raise _Bad("not SGF", "expected a game that begins with '(;'. Received: none")
    try:
        return list(sgf_grammar.main_sequence_iter(sgf_grammar.parse_sgf_game(data)))
    except ValueError as error:
        if _is_closed(data):
            raise _Bad("bad syntax", str(error)) from None
        raise _Bad("truncated", "the record ends before the game is closed by ')'") from None


def _is_closed(data: bytes) -> bool:
    start = START.search(data)
    at, depth = start.end() if start else 0, 1
    while depth:
        stop = PLAIN.match(data, at)
        at = stop.end() if stop else at
        if data[at : at + 1] not in (b"(", b")"):
            return False
        depth += 1 if data[at] == ord("(") else -1
        at += 1
    return True


def _build(nodes: list[Node], source: str) -> Game:
    first = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    header: Node = {}
    for node in reversed(nodes[: first + 1]):
        header.update(node)
    if _text(header, "GM") not in ("", "1"):
        raise _Bad("not Go", f"expected GM[1]. Received: GM[{_text(header, 'GM')}]")
    side = _side(_text(header, "SZ"))
    setup = _setup(nodes[: first + 1], side)
    moves, colours = _moves(nodes[first:], side)
    if setup.any() and setup_facts(side, setup)[1] >= 0:
        raise _Bad("bad set-up", "expected stones that have liberties. Received: some without")
    handicap = _handicap(_text(header, "HA"), side)
    if handicap >= 2 and not (setup == BLACK).any() and len(colours) and colours[0] == WHITE:
        raise _Bad("handicap stones missing", f"expected AB with HA[{handicap}]. Received: none, and White begins")
    illegal = check_game(side, setup, moves, colours, True)
    if illegal >= 0:
        vertex, who = gtp_name(int(moves[illegal]), side), colour_name(int(colours[illegal]))
        raise _Bad("illegal move", f"move {illegal + 1}, {who} {vertex}")
    return Game(
        source=source,
        side=side,
        setup=setup,
        to_move=int(colours[0]) if len(colours) else _player(_text(header, "PL"), setup),
        moves=moves,
        colours=colours,
        komi=parse_komi(_text(header, "KM")) or 0.0,
        handicap=handicap,
        rules=_text(header, "RU").lower(),
        result=parse_result(_text(header, "RE")),
        black=_text(header, "PB"),
        white=_text(header, "PW"),
        black_rank=_text(header, "BR"),
        white_rank=_text(header, "WR"),
        date=_text(header, "DT"),
    )


def _text(header: Node, name: str) -> str:
    """The first value of a property, decoded, on one line and at most 100 characters; "" where there is none."""
    values = header.get(name)
    if not values or not values[0]:
        return ""
    value = sgf_grammar.simpletext_value(values[0][: 4 * _MAX_TEXT])
    return _decode(value, header.get("CA", [b""])[0])[:_MAX_TEXT].strip()


def _decode(value: bytes, charset: bytes) -> str:
    if value.isascii():
        return value.decode("ascii")
    for encoding in ("utf-8", charset.decode("ascii", "replace"), "gb18030"):
        try:
            # A lone surrogate, which some codecs let through, could be neither printed nor stored.
            return value.decode(encoding).encode("utf-8", "replace").decode()
        except (ValueError, LookupError):
            continue
    return value.decode("latin-1")


def _side(text: str) -> int:
    if not text:
        return 19
    match = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", text)
    if match is None:
        raise _Bad("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: SZ[{text}]")
    side = int(match[1])
    if match[2] and int(match[2]) != side:
        raise _Bad("not square", f"expected a square board. Received: SZ[{text}]")
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise _Bad("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: {side}")
    return side


def _handicap(text: str, side: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 4 and int(text) < side * side else 0


def _player(text: str, setup: NDArray[np.int8]) -> int:
    if text:
        return WHITE if text.lower() in ("w", "white", "2") else BLACK
    return WHITE if (setup == BLACK).any() and not (setup == WHITE).any() else BLACK


@lru_cache(maxsize=None)
def _points(side: int) -> dict[bytes, int]:
    table = {sgf_name(point, side).encode(): point for point in range(pass_point(side) + 1)}
    if side <= 19:
        table[b"tt"] = pass_point(side)
    return table


def _point(value: bytes, side: int) -> int:
    """The flat index of an SGF point with stray blanks or capitals; raise KeyError."""
    return _points(side)[value.strip().lower()]


def _setup(nodes: list[Node], side: int) -> NDArray[np.int8]:
    setup = np.zeros(side * side, np.int8)
    for node in nodes:
        for name, colour in (("AB", BLACK), ("AW", WHITE), ("AE", 0)):
            for value in node.get(name, ()):
                for point in _area(value, side):
                    setup[point] = colour
    return setup


def _area(value: bytes, side: int) -> Iterator[int]:
    """The points of one value of AB, AW or AE: a point, or a rectangle such as `aa:cc`."""
    corner, _, other = value.partition(b":")
    try:
        (top, left), (bottom, right) = (divmod(_point(text, side), side) for text in (corner, other or corner))
    except KeyError:
        top = side
    if max(top, bottom) >= side:
        shown = value[:20].decode("ascii", "replace")
        raise _Bad("bad set-up", f"expected a point of a {side}x{side} board. Received: [{shown}]")
    for row in range(min(top, bottom), max(top, bottom) + 1):
        for column in range(min(left, right), max(left, right) + 1):
            yield row * side + column


def _moves(nodes: list[Node], side: int) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    points, moves, colours = _points(side), [], []
    for index, node in enumerate(nodes):
        for name, values in node.items():
            if name in ("B", "W"):
                point = points.get(values[0])
                moves.append(_odd_point(values[0], side, len(moves)) if point is None else point)
                colours.append(BLACK if name == "B" else WHITE)
            elif index and name in ("AB", "AW", "AE"):
                raise _Bad("set-up after moves", f"expected set-up before the first move. Received: {name} after move {len(moves)}")
    return np.array(moves, np.int16), np.array(colours, np.int8)


def _odd_point(value: bytes, side: int, played: int) -> int:
    try:
        return _point(value, side)
    except KeyError:
        shown = value[:20].decode("ascii", "replace")
        raise _Bad("bad move", f"move {played + 1}: expected a point of a {side}x{side} board. Received: [{shown}]") from None
