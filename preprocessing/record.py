"""A game record as the rest of the toolkit sees it, and the text that servers write into one.

Colours, points and flat indices follow `goban.coords`.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from sgfmill import sgf_grammar

from goban.coords import BLACK, WHITE, sgf_name
from goban.position import Position

Kind = Literal["counted", "resign", "time", "forfeit", "draw", "void", "unknown"]

_NUMBER = re.compile(r"[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)")
_MARGIN = re.compile(r"(\d*(?:[.,]\d+)?)\s*(?:又)?\s*(?:(\d)/([1-9]))?\s*(?:目|子|집|점)?\s*(半|반)?")
_WINNER = re.compile(r"(b|black|黑|黒|흑|w|white|白|백)(?![a-z])", re.IGNORECASE)
_WHOLE: dict[str, Kind] = {
    **dict.fromkeys(("0", "draw", "jigo", "tie", "和", "和棋", "持碁", "ジゴ", "무승부"), "draw"),
    **dict.fromkeys(("void", "no result", "无胜负", "無勝負", "무효"), "void"),
}
_REASON: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("resign", re.compile(r"\br\b|resig|中盘|中盤|中押|불계", re.IGNORECASE)),
    ("time", re.compile(r"\bt\b|time|超时|超時|时间|時間|시간", re.IGNORECASE)),
    ("forfeit", re.compile(r"\bf\b|forfeit|disconnect|반칙", re.IGNORECASE)),
)


@dataclass(frozen=True)
class Result:
    """How a game ended: `winner` BLACK, WHITE or 0; `margin` in points, None unless counted; the record's own text."""

    winner: int
    margin: float | None
    kind: Kind
    text: str

    @property
    def score(self) -> float | None:
        """The recorded score, Black minus White, komi included; None where the record gives none."""
        if self.kind == "draw":
            return 0.0
        return None if self.margin is None else self.winner * self.margin


def parse_result(text: str) -> Result:
    """Return what an RE property says, in any spelling of docs/records.md; "unknown" for everything else.

    A margin in quarters is a count of stones, as Chinese servers write it, and is doubled to points.
    """
    text = text.strip()
    whole = _WHOLE.get(text.lower())
    if whole is not None:
        return Result(0, None, whole, text)
    who = _WINNER.match(text)
    if who is None:
        return Result(0, None, "unknown", text)
    winner = BLACK if who[1].lower() in ("b", "black", "黑", "黒", "흑") else WHITE
    rest = text[who.end() :]
    for kind, pattern in _REASON:
        if pattern.search(rest):
            return Result(winner, None, kind, text)
    margin = _margin(rest)
    # A win by nothing is a server's way of saying that it does not know.
    return Result(winner, margin, "counted", text) if margin else Result(winner, None, "unknown", text)


def _margin(text: str) -> float | None:
    first = re.search(r"[\d.,]*\d|半|반", text)
    match = _MARGIN.match(text, first.start()) if first else None
    if match is None:
        return None
    number, over, under, half = match.groups()
    value = Fraction(number.replace(",", ".") or 0) if len(number) < 9 else Fraction(0)
    if over:
        value += Fraction(int(over), int(under))
    if half:
        value += Fraction(1, 2)
    return _in_points(value)


def parse_komi(text: str) -> float | None:
    """Return a KM property in points (-400..400), or None where it holds no such number.

    Hundredths (`650`) become points; quarters (`3.75`, `375`) are a count of stones and are doubled: 7.5 points.
    """
    match = _NUMBER.search(text)
    if match is None or len(match[0]) > 9:
        return None
    value = Fraction(match[0].replace(",", "."))
    if abs(value) >= 100:
        value /= 100
    komi = _in_points(value)
    return komi if abs(komi) <= 400 else None


def _in_points(value: Fraction) -> float:
    return float(value * 2 if value.denominator == 4 else value)


@dataclass(frozen=True, eq=False)
class Game:
    """One game record: the main line, checked to be legal.

    source: where it comes from, such as "games/a.zip/b.sgf#12"; setup: int8 (side * side,) of colours;
    to_move: colour of the first to move; moves: int16 (M,) flat indices, side * side for a pass;
    colours: int8 (M,); komi: points, 0 where the record says nothing; rules: name of a ruleset or "".
    """

    source: str
    side: int
    setup: NDArray[np.int8]
    to_move: int
    moves: NDArray[np.int16]
    colours: NDArray[np.int8]
    komi: float
    handicap: int
    rules: str
    result: Result
    black: str = ""
    white: str = ""
    black_rank: str = ""
    white_rank: str = ""
    date: str = ""

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits that name this side, set-up and moves, whatever the names and the result."""
        digest = hashlib.blake2b(bytes([self.side]), digest_size=8)
        for array in (self.setup, self.moves.astype("<i2"), self.colours):
            digest.update(array.tobytes())
        return digest.hexdigest()

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first move, then the one after each move."""
        position = self._start()
        yield position
        for point, colour in zip(self.moves.tolist(), self.colours.tolist(), strict=True):
            position = position.play(point, colour, suicide=True)
            yield position

    def position(self, ply: int | None = None) -> Position:
        """Return the position after `ply` moves (0..M, the end by default); raise IndexError outside."""
        plies = len(self.moves) if ply is None else ply
        if not 0 <= plies <= len(self.moves):
            raise IndexError(f"ply must be 0..{len(self.moves)}. Received: {plies}")
        position = self._start()
        for point, colour in zip(self.moves[:plies].tolist(), self.colours[:plies].tolist(), strict=True):
            position = position.play(point, colour, suicide=True)
        return position

    def to_sgf(self) -> bytes:
        """Return the game as SGF in UTF-8: set-up, moves, players, komi, handicap, rules and result."""
        root = {
            name: [sgf_grammar.escape_text(text.encode())] for name, text in self._header().items() if text not in ("", "0")
        }
        for name, colour in (("AB", BLACK), ("AW", WHITE)):
            points = np.flatnonzero(self.setup == colour).tolist()
            if points:
                root[name] = [sgf_name(point, self.side).encode() for point in points]
        tree = sgf_grammar.Coarse_game_tree()
        tree.sequence = [root, *self._nodes()]
        return bytes(sgf_grammar.serialise_game_tree(tree))

    def _start(self) -> Position:
        stones = self.setup.reshape(self.side, self.side)
        return Position.from_stones(stones, self.to_move)

    def _header(self) -> dict[str, str]:
        return {
            **{"GM": "1", "FF": "4", "CA": "UTF-8", "SZ": str(self.side), "KM": f"{self.komi:g}"},
            **{"HA": str(self.handicap), "RU": self.rules, "RE": self.result.text, "DT": self.date},
            **{"PB": self.black, "PW": self.white, "BR": self.black_rank, "WR": self.white_rank},
            "PL": "B" if self.to_move == BLACK else "W",
        }

    def _nodes(self) -> Iterator[dict[str, list[bytes]]]:
        for point, colour in zip(self.moves.tolist(), self.colours.tolist(), strict=True):
            yield {"B" if colour == BLACK else "W": [sgf_name(point, self.side).encode()]}
