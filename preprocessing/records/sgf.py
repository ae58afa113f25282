"""One game record: SGF bytes in, a checked `GameRecord` or a `RecordError` with one of `REASONS` out.

sgfmill reads the syntax; the meaning of properties, and tolerance for what servers write, is decided here.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from sgfmill import sgf_grammar

from goban.coords import (
    BLACK,
    MAX_SIDE,
    MIN_SIDE,
    WHITE,
    CoordinateError,
    gtp_name,
    parse_sgf,
    pass_point,
    sgf_name,
)
from goban.errors import InputError, cut, shown
from goban.kernels import check_game, setup_facts
from goban.rulesets import parse_rules
from preprocessing.records.collection import BINARY, MAX_GAME, START
from preprocessing.records.game import MAX_MOVES, GameRecord, RecordedIllegalMove, printable
from preprocessing.records.handicap import handicap_of_moves, named_handicap, usual_stones
from preprocessing.records.properties import parse_komi, parse_result

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
_MAX_TEXT = 100
_MAX_COMMENT = 2_000

Node = dict[str, list[bytes]]
Tree: TypeAlias = sgf_grammar.Coarse_game_tree
Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]


class RecordError(InputError):
    """A record that cannot be used: `reason` is one of REASONS, `detail` is what was found where."""

    def __init__(self, source: str, reason: str, detail: str) -> None:
        super().__init__(f"{source}: {reason}: {detail}")
        self.source, self.reason, self.detail = source, reason, detail


class _Bad(Exception):
    def __init__(self, reason: str, detail: str) -> None:
        self.reason, self.detail = reason, detail


def parse_game(data: bytes, source: str = "record") -> GameRecord:
    """Return the main line of the first game in SGF `data`, up to where it breaks off or breaks the rules.

    Raises:
        RecordError: it cannot be used.

    Reads no file, and does not look at what follows the first game.
    """
    try:
        return _build(*_main_line(data), source)
    except _Bad as bad:
        raise RecordError(source, bad.reason, bad.detail) from None


def parse_tree(data: bytes) -> tuple[Tree, bool]:
    """Return the tree of the first game in SGF `data`, and whether its main line breaks off; raise ValueError."""
    try:
        return sgf_grammar.parse_sgf_game(data), False
    except ValueError:
        tokens, end = sgf_grammar.tokenise(data)
        rest = data[end:].lstrip()
        is_open = tokens.count(("D", b"(")) > tokens.count(("D", b")"))
        if is_open and rest[:1] not in (b"", b"["):  # no value without its end, but text between properties
            line, received = data[: len(data) - len(rest)].count(b"\n") + 1, printable(decode(rest[:_MAX_TEXT], b""))
            expected = "expected a property, ';', '(' or ')'"
            raise ValueError(f"line {line} of the game: {expected}. Received: {shown(received)}") from None
        if not is_open:
            raise
        while len(tokens) > len("(;") and tokens[-1][0] != "V" and tokens[-1][1] != b")":
            tokens.pop()
        parts = [b"[%s]" % token if kind == "V" else token for kind, token in tokens]
        missing = parts.count(b"(") - parts.count(b")")
        return sgf_grammar.parse_sgf_game(b"".join(parts) + b")" * missing), b")" not in parts


def _main_line(data: bytes) -> tuple[list[Node], bool]:
    """Return the nodes of the main line, and whether it breaks off."""
    if len(data) > MAX_GAME:
        raise _Bad("too large", f"expected at most {MAX_GAME >> 20} MiB a game")
    start = START.search(data)
    is_binary = BINARY.search(data, 0, len(data) if start is None else start.start())
    if start is None or is_binary:
        found = "a binary file" if is_binary else "other text" if data.strip() else "nothing"
        raise _Bad("not SGF" if data.strip() else "empty", f"expected a game that begins with '(;'. Received: {found}")
    if start[0].startswith(b";"):
        raise _Bad("bad syntax", "expected '(' before the first ';'")
    try:
        tree, broken_off = parse_tree(data)
    except ValueError as error:
        raise _Bad("bad syntax", str(error)) from None
    return list(sgf_grammar.main_sequence_iter(tree)), broken_off


def _build(nodes: list[Node], broken_off: bool, source: str) -> GameRecord:
    first = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    header = {name: values for node in reversed(nodes[: first + 1]) for name, values in node.items()}
    if _text(header, "GM") not in ("", "1"):
        raise _Bad("not Go", f"expected GM[1]. Received: GM[{cut(_text(header, 'GM'))}]")
    side = _side(_text(header, "SZ"))
    setup = _setup(nodes[: first + 1], side)
    moves, colours = _moves(nodes[first:], side)
    if broken_off and not len(moves):
        raise _Bad("truncated", "expected a game closed by ')'. Received: the end, before the first move")
    named = named_handicap(_text(header, "HA"), side, setup, colours)
    handicap, handicap_from = handicap_of_moves(side, named or 0, setup, moves, colours)
    usual = _usual_stones(side, handicap, setup, moves, colours)
    setup[usual] = BLACK
    legal = _legal_moves(side, setup, moves, colours)
    rules, komi = parse_rules(_text(header, "RU")), parse_komi(_text(header, "KM"))
    game = GameRecord(
        source=source,
        side=side,
        setup=setup,
        to_move=int(colours[0]) if len(colours) else _player(_text(header, "PL"), setup),
        moves=moves[:legal],
        colours=colours[:legal],
        komi=komi or 0.0,
        handicap=handicap,
        rules=rules.name if rules else "",
        result=parse_result(_text(header, "RE")),
        black=_player_name(header, "PB"),
        white=_player_name(header, "PW"),
        black_rank=_text(header, "BR"),
        white_rank=_text(header, "WR"),
        date=_text(header, "DT"),
        name=_text(header, "GN"),
        komi_given=komi is not None,
        handicap_from="usual points" if usual else handicap_from or ("impossible number" if named is None else ""),
        territory=_territory(nodes[first:], side),
        comments=_comments(nodes, header.get("CA", [b""])[0]),
        broken_off=broken_off,
    )
    return game if legal == len(moves) else _without_illegal_move(game, int(moves[legal]), int(colours[legal]))


def _without_illegal_move(game: GameRecord, move: int, colour: int) -> GameRecord:
    """Return a game that ends before an illegal move, with the reason."""
    played = len(game.moves)
    reason: Literal["occupied", "ko"] = "occupied" if game.position().stones.flat[move] else "ko"
    illegal = RecordedIllegalMove(played + 1, colour, gtp_name(move, game.side), reason)
    comments = {number: said for number, said in game.comments.items() if number <= played}
    return replace(game, broken_off=True, illegal_move=illegal, territory=None, comments=comments)


def _usual_stones(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> list[int]:
    try:
        return usual_stones(side, handicap, setup, moves, colours)
    except InputError as error:
        found = f"no AB, and White begins; {error}"
        raise _Bad("handicap stones missing", f"expected AB with HA[{handicap}]. Received: {found}") from None


def _legal_moves(side: int, setup: Int8, moves: Int16, colours: Int8) -> int:
    """Return the number of moves before the first illegal one; raise _Bad for another fault."""
    if setup.any() and setup_facts(side, setup)[1] >= 0:
        raise _Bad("bad set-up", "expected a liberty for every chain. Received: a chain without")
    if len(moves) > MAX_MOVES:
        raise _Bad("too large", f"expected at most {MAX_MOVES} moves. Received: {len(moves)}")
    illegal = check_game(side, setup, moves, colours, True)
    return len(moves) if illegal < 0 else illegal


def _text(header: Node, name: str) -> str:
    """The first value of a property, decoded, on one line and at most 100 characters; "" where there is none."""
    values = header.get(name)
    if not values or not values[0]:
        return ""
    text = decode(sgf_grammar.simpletext_value(values[0]), header.get("CA", [b""])[0])
    return printable(text[:_MAX_TEXT].strip())


def _player_name(header: Node, name: str) -> str:
    """As `_text`, but "" for the question mark that some programs write for an unknown player."""
    found = _text(header, name)
    return "" if found == "?" else found


def _comments(nodes: list[Node], charset: bytes) -> dict[int, str]:
    """The comments on each position of the main line, decoded, at most 2,000 characters each."""
    found: dict[int, str] = {}
    played = 0
    for node in nodes:
        played += ("B" in node) + ("W" in node)
        if "C" in node:
            said = decode(sgf_grammar.text_value(node["C"][0]), charset)
            text = "\n".join(part for part in (found.get(played, ""), said.strip()) if part)
            found[played] = printable(text[:_MAX_COMMENT], kept="\n")
    return found


def decode(value: bytes, charset: bytes) -> str:
    """Return text of any encoding: the first that fits of UTF-8, the record's own and GB 18030, else Latin-1.

    UTF-8 that lost some bytes, as in archives of games on Fox, keeps its other letters.
    """
    for encoding in ("utf-8", charset.decode("ascii", "replace"), "damaged utf-8", "gb18030"):
        try:
            return _damaged(value) if encoding == "damaged utf-8" else value.decode(encoding)
        except (ValueError, LookupError):
            continue
    return value.decode("latin-1")


def _damaged(value: bytes) -> str:
    """Return UTF-8 with "\ufffd" for lost letters; raise ValueError if more are lost than left, or one is left."""
    text = value.decode("utf-8", "replace")
    kept = sum("\u0800" <= letter != "\ufffd" for letter in text)
    if kept < max(2, text.count("\ufffd")):
        raise ValueError("hardly any UTF-8")
    return text


def _side(text: str) -> int:
    if not text:
        return 19
    match = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", text)
    if match is None:
        raise _Bad("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: SZ[{cut(text)}]")
    side = int(match[1])
    if match[2] and int(match[2]) != side:
        raise _Bad("not square", f"expected a square board. Received: SZ[{text}]")
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise _Bad("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: {side}")
    return side


def _player(text: str, setup: Int8) -> int:
    if text:
        return WHITE if text.lower() in ("w", "white", "2") else BLACK
    return WHITE if (setup == BLACK).any() and not (setup == WHITE).any() else BLACK


@cache
def _points(side: int) -> dict[bytes, int]:
    """Return the flat index of every point, and the pass, as most records write them: a faster `parse_sgf`."""
    return {sgf_name(point, side).encode(): point for point in range(pass_point(side) + 1)}


def _setup(nodes: list[Node], side: int) -> Int8:
    setup = np.zeros(side * side, np.int8)
    for node in nodes:
        points = {
            name: [point for value in node.get(name, ()) for point in _area(value, side)] for name in ("AB", "AW", "AE")
        }
        if twice := set(points["AB"]).intersection(points["AW"]):
            found = f"{gtp_name(min(twice), side)} in both"
            raise _Bad("bad set-up", f"expected AB and AW without a common point. Received: {found}")
        for name, colour in (("AB", BLACK), ("AW", WHITE), ("AE", 0)):
            setup[points[name]] = colour
    return setup


def _territory(nodes: list[Node], side: int) -> Int8 | None:
    """Return the points of TB, 1, and TW, -1, after the last move; None where there are none, or no such points."""
    last = max((index for index, node in enumerate(nodes) if "B" in node or "W" in node), default=0)
    marked = [node for node in nodes[last:] if "TB" in node or "TW" in node]
    if not marked:
        return None
    territory = np.zeros(side * side, np.int8)
    try:
        for name, colour in (("TB", BLACK), ("TW", WHITE)):
            for value in filter(None, marked[-1].get(name, ())):
                territory[list(_area(value, side))] = colour
    except _Bad:
        return None
    return territory


def _area(value: bytes, side: int) -> Iterator[int]:
    """The points of one value of AB, AW or AE: a point, or a rectangle such as `aa:cc`."""
    corner, _, other = value.partition(b":")
    try:
        (top, left), (bottom, right) = (divmod(_point(text, side), side) for text in (corner, other or corner))
    except CoordinateError:
        top = bottom = left = right = side
    if max(top, bottom) >= side:
        raise _Bad("bad set-up", _expected_point(value, side))
    for row in range(min(top, bottom), max(top, bottom) + 1):
        for column in range(min(left, right), max(left, right) + 1):
            yield row * side + column


def _moves(nodes: list[Node], side: int) -> tuple[Int16, Int8]:
    points = _points(side)
    moves: list[int] = []
    colours: list[int] = []
    for index, node in enumerate(nodes):
        for name, values in node.items():
            if name == "B" or name == "W":
                point = points.get(values[0])
                moves.append(_odd_point(values[0], side, len(moves)) if point is None else point)
                colours.append(BLACK if name == "B" else WHITE)
            elif name in ("AB", "AW", "AE") and index:
                found = f"{name} after move {len(moves)}"
                raise _Bad("set-up after moves", f"expected set-up before the first move only. Received: {found}")
    return np.array(moves, np.int16), np.array(colours, np.int8)


def _point(value: bytes, side: int) -> int:
    """Return the flat index of an SGF point, which may have stray blanks or capitals; raise CoordinateError."""
    return parse_sgf(value.strip().lower().decode("ascii", "replace"), side)


def _odd_point(value: bytes, side: int, played: int) -> int:
    try:
        return _point(value, side)
    except CoordinateError:
        raise _Bad("bad move", f"move {played + 1}: {_expected_point(value, side)}") from None


def _expected_point(value: bytes, side: int) -> str:
    received = cut(printable(value[:_MAX_TEXT].decode("ascii", "replace")))
    return f"expected a point of a {side}x{side} board. Received: [{received}]"
