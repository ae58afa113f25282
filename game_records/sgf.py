"""One game record: SGF bytes in, a checked `GameRecord` or a `RecordError` with one of `REASONS` out.

`text` has the syntax; the meaning of nodes and their properties, and tolerance for what servers and editors write, is
decided here. docs/records.md lists what they write.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Final

import numpy as np

from game_records.game_record import (
    MAX_MOVES,
    GameRecord,
    HandicapSource,
    IllegalReason,
    Kind,
    RecordedIllegalMove,
    Result,
    printable,
)
from game_records.text import SETUP, Fault, Node, Reader, game_reader, plain_text
from game_records.usual_komi import in_points
from goban.array_types import Int8, Int16
from goban.coords import (
    BLACK,
    EMPTY,
    MAX_SIDE,
    MIN_SIDE,
    WHITE,
    CoordinateError,
    gtp_name,
    opponent,
    parse_gtp,
    parse_sgf,
    pass_point,
    sgf_name,
)
from goban.errors import InputError, cut, shown
from goban.katago_rules import record_rules, record_uncounted
from goban.move_kernels import check_game, replay_to, setup_facts
from goban.rulesets import Ruleset, fixed_handicap, handicap_moves

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
    "bad diagram",
    "handicap stones missing",
    "bad move",
    "illegal move",
)
_MAX_TEXT = 100
_MAX_COMMENT = 2_000
_OF_GO: Final = frozenset(("GM", "FF", "CA", "SZ", "KM", "HA", "RU", "RE", "PB", "PW", "B", "W", "C", *SETUP))

_MAX_SETUPS: Final = 1_000  # after moves, each of which takes as long as a short game
_JUST_PLACED: Final = 2  # a black stone of the same node
_MOST_STONES: Final = 9  # stones at the beginning of a record that are taken for a handicap
_MARKS: Final = {"TB": BLACK, "TW": WHITE}
_COLOURS: Final = {"B": BLACK, "W": WHITE}


class RecordError(InputError):
    """A record that cannot be used: `reason` is one of REASONS, `detail` is what was found where."""

    def __init__(self, source: str, reason: str, detail: str) -> None:
        super().__init__(f"{source}: {reason}: {detail}")
        self.source, self.reason, self.detail = source, reason, detail


def parse_game(data: bytes, source: str = "record") -> GameRecord:
    """Return the main line of the first game in SGF `data`, up to where it breaks off or breaks the rules.

    Raises:
        RecordError: it cannot be used.

    Reads no file, and does not look at what follows the first game.
    """
    try:
        reader = game_reader(data)
        game = game_of_nodes(_main_line(reader), source, reader.skipped, reader.is_closed)
        if not game.broken_off or game.illegal_move or reader.is_cut:
            return game
        return replace(game, unclosed=True)
    except Fault as bad:
        raise RecordError(source, bad.reason, bad.detail) from None


def _main_line(reader: Reader) -> list[Node]:
    nodes = reader.main_line()
    if "text" in reader.skipped and reader.is_closed and _OF_GO.isdisjoint(name for node in nodes for name in node):
        raise Fault("bad syntax", f"expected properties such as SZ[19]; {reader.skipped['text']}")
    return nodes


def game_of_nodes(
    nodes: list[Node], source: str, skipped: dict[str, str] | None = None, is_closed: bool = True
) -> GameRecord:
    """Return the game of nodes that follow each other; raise Fault. `skipped`, `is_closed`: as of a `Reader`."""
    begun = next((i for i, node in enumerate(nodes) if "B" in node or "W" in node), len(nodes))
    header = {name: values for node in reversed(nodes[: begun + 1]) for name, values in node.items()}
    if _text(header, "GM") not in ("", "1"):
        raise Fault("not Go", f"expected GM[1]. Received: GM[{cut(_text(header, 'GM'))}]")
    side = _side(_text(header, "SZ"))
    line = _Line(side, np.zeros(side * side, np.int8))
    line.read(nodes)
    setup, (moves, colours) = line.setup, line.as_arrays()
    broken_off = not is_closed
    if broken_off and not len(moves) and not line.earlier:
        raise Fault("truncated", "expected a game closed by ')'. Received: the end, before the first move")
    named = _named_handicap(_text(header, "HA"), side, setup, colours)
    handicap, handicap_from = _handicap_of_moves(side, named or 0, setup, moves, colours)
    usual = [] if line.earlier else _usual_stones(side, handicap, setup, moves, colours)
    setup[usual] = BLACK
    legal = _legal_moves(side, setup, moves, colours)
    rules = record_rules(_text(header, "RU"))
    result = parse_result(_text(header, "RE"))
    komi = _komi(_text(header, "KM") or _text(header, "KO"), rules, result)  # records of the Nihon Ki-in have KO
    game = GameRecord(
        source=source,
        side=side,
        setup=setup,
        to_move=int(colours[0]) if len(colours) else line.player or _first_player(setup),
        moves=moves[:legal],
        colours=colours[:legal],
        komi=komi or 0.0,
        handicap=handicap,
        rules=rules.name if rules else "",
        result=result,
        black=_player_name(header, "PB"),
        white=_player_name(header, "PW"),
        black_rank=_text(header, "BR"),
        white_rank=_text(header, "WR"),
        date=_text(header, "DT"),
        name=_text(header, "GN"),
        komi_given=komi is not None,
        handicap_from="usual points" if usual else handicap_from or ("impossible number" if named is None else ""),
        territory=_marked_territory(nodes[line.first :], side),
        comments=_comments(nodes[line.first :]),
        broken_off=broken_off,
        prisoners=line.prisoners,
        notes=tuple(((skipped or {}) | line.notes | _terms_notes(header, komi)).values()),
    )
    if legal < len(moves):
        return _without_illegal_move(game, int(moves[legal]), int(colours[legal]))
    return game if line.off_board is None else _cut_short(game, line.off_board)


def _komi(text: str, rules: Ruleset | None, result: Result) -> float | None:
    """Return a komi in points, which by area rules may be written in stones; None where there is none."""
    komi, counting = parse_komi(text), rules.counting if rules else None
    return None if komi is None else in_points(komi, is_in_hundredths(text), counting, result.score)


def _terms_notes(header: Node, komi: float | None) -> dict[str, str]:
    """Return lines on rules that are not counted, and on a komi that is no number."""
    notes, rules, written = {}, _text(header, "RU"), _text(header, "KM")
    if left_out := record_uncounted(rules):
        notes["rules"] = f"the rules {shown(rules)} have {left_out}, which is not counted"
    if written and komi is None:
        notes["komi"] = f"expected a komi in points. Received: {shown(written)}"
    return notes


def _without_illegal_move(game: GameRecord, move: int, colour: int) -> GameRecord:
    """Return a game that ends before an illegal move, with the reason."""
    reason: IllegalReason = "occupied" if game.position().stones.flat[move] else "ko"
    return _cut_short(game, RecordedIllegalMove(len(game.moves) + 1, colour, gtp_name(move, game.side), reason))


def _cut_short(game: GameRecord, illegal: RecordedIllegalMove) -> GameRecord:
    """Return a game that ends before an illegal move, without what the record says about its end."""
    comments = {number: said for number, said in game.comments.items() if number < illegal.number}
    return replace(game, broken_off=True, illegal_move=illegal, territory=None, comments=comments)


def _named_handicap(text: str, side: int, setup: Int8, colours: Int8) -> int | None:
    """Return the handicap that an HA property names, 0 where it is missing; None for no possible number of stones.

    Above 9 the record must place as many stones, in its set-up or as Black's first moves; or it places none at all.

    Args:
        text: of the property.
        side: of the board, N.
        setup: int8 (N*N,), stones before the first move.
        colours: int8 (M,), of the moves.
    """
    first = np.flatnonzero(colours == WHITE)[:1].tolist() or [len(colours)]
    placed = int((setup == BLACK).sum()) + first[0]
    most = max(_MOST_STONES, placed) if placed or not len(colours) else side * side - 1
    number = int(text or "0") if re.fullmatch(r"[0-9]{0,3}", text) else most + 1
    return number if number <= most else None


def _usual_stones(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> list[int]:
    """Return the usual points of handicap stones that a record names and does not place; none for other records.

    The fifth and sixth stone are in the middle of the left and right side or, if moves of the record are there, of the
    upper and lower side. Raises Fault if there are no usual points for so many stones, or no game can go on from them.
    """
    if handicap < 2 or (setup == BLACK).any() or not len(colours) or colours[0] != WHITE:
        return []
    try:
        stones = fixed_handicap(side, handicap)
    except InputError as error:
        why = str(error)
    else:
        for chosen in (stones, [point % side * side + point // side for point in stones]):
            start = setup.copy()
            start[chosen] = BLACK
            if not setup[chosen].any() and check_game(side, start, moves, colours, True) < 0:
                return chosen
        why = "stones on the usual points would make a move illegal"
    found = f"no AB, and White begins; {why}"
    raise Fault("handicap stones missing", f"expected AB with HA[{handicap}]. Received: {found}")


def _handicap_of_moves(
    side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8
) -> tuple[int, HandicapSource]:
    """Return the handicap of a record, and "first moves" if it names none and Black begins with several stones."""
    placed = handicap_moves(side, colours[: _MOST_STONES + 1].tolist(), moves[: _MOST_STONES + 1].tolist())
    if handicap > 1 or setup.any() or not placed:
        return handicap, ""
    return placed, "first moves"


def _text(header: Node, name: str) -> str:
    """The first value of a property, on one line and at most 100 characters; "" where there is none."""
    values = header.get(name)
    if not values or not values[0]:
        return ""
    return printable(plain_text(values[0][: 4 * _MAX_TEXT]).replace("\n", " ")[:_MAX_TEXT].strip())


def _player_name(header: Node, name: str) -> str:
    """As `_text`, but "" for the question mark that some programs write for an unknown player."""
    found = _text(header, name)
    return "" if found == "?" else found


def _comments(nodes: list[Node]) -> dict[int, str]:
    """The comments on each position of the main line, at most 2,000 characters each."""
    found: dict[int, str] = {}
    played = 0
    for node in nodes:
        played += ("B" in node) + ("W" in node)
        before = found.get(played, "")
        if "C" in node and len(before) < _MAX_COMMENT:
            said = plain_text(node["C"][0][: 2 * _MAX_COMMENT]).strip()
            text = "\n".join(part for part in (before, said) if part)
            found[played] = printable(text[:_MAX_COMMENT], kept="\n")
    return found


def _side(text: str) -> int:
    if not text:
        return 19
    match = re.fullmatch(r"(\d{1,3})(?:\s*[:x]\s*(\d{1,3}))?", text)
    if match is None:
        raise Fault("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: SZ[{cut(text)}]")
    side = int(match[1])
    if match[2] and int(match[2]) != side:
        raise Fault("not square", f"expected a square board. Received: SZ[{text}]")
    if not MIN_SIDE <= side <= MAX_SIDE:
        raise Fault("bad side", f"expected a board side {MIN_SIDE}..{MAX_SIDE}. Received: {side}")
    return side


def _first_player(setup: Int8) -> int:
    return WHITE if (setup == BLACK).any() and not (setup == WHITE).any() else BLACK


@dataclass(slots=True)
class _Line:
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
    off_board: RecordedIllegalMove | None = None
    notes: dict[str, str] = field(default_factory=dict)
    setups: int = 0

    def read(self, nodes: Iterable[Node]) -> None:
        """Read nodes, up to a move at no point of the board, or a set-up after an illegal move."""
        for number, node in enumerate(nodes):
            if not node.keys().isdisjoint(SETUP):
                if self.moves and not self._begin_again(number):
                    return
                _set_up(node, self.setup, self.side)
            if "PL" in node:
                self.player = _player(node["PL"][0])
            for name, colour in _COLOURS.items():  # one at most: `Reader` gives each move a node
                if name in node and not self._play(node[name][0], colour):
                    return

    def _begin_again(self, number: int) -> bool:
        """Make the position after the moves the set-up; return whether the moves are legal."""
        moves, colours = self.as_arrays()
        if _legal_moves(self.side, self.setup, moves, colours) < len(moves):
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
        self.off_board = RecordedIllegalMove(number, colour, f"[{cut(printable(value[:_MAX_TEXT]))}]", "off board")

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


def _legal_moves(side: int, setup: Int8, moves: Int16, colours: Int8) -> int:
    """Return the number of moves before the first illegal one; raise Fault for chains or moves that cannot be."""
    if setup.any() and setup_facts(side, setup)[1] >= 0:
        raise Fault("bad set-up", "expected a liberty for every chain. Received: a chain without")
    illegal = check_game(side, setup, moves, colours, True)
    return len(moves) if illegal < 0 else illegal


def _marked_territory(nodes: list[Node], side: int) -> Int8 | None:
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


_WHOLE: dict[str, Kind] = {
    **dict.fromkeys(("0", "draw", "jigo", "tie", "和", "和棋", "平局", "持碁", "ジゴ", "무승부"), "draw"),
    **dict.fromkeys(("void", "no result", "无胜负", "無勝負", "무효"), "void"),
}
# Professional records begin with the number of the last move, as in "257手完, 黒中押し勝ち".
_WINNER = re.compile(
    r"(?:\d{1,3}\s*(?:手|수|moves?\b)[^,，、.\s]*[,，、.\s]+)?(?:(b|black|黑|黒|흑)|w|white|白|백)(?![a-z])",
    re.IGNORECASE,
)
_WINS = re.compile(r"\+|win|won|胜|勝|승", re.IGNORECASE)
_LOSES = re.compile(
    r"lose|lost|负|負|패|^\s+(?:resign(?:s|ed)|forfeit(?:s|ed)|ran out)\b|^[方棋番]?(?:认输|認輸|投了)", re.IGNORECASE
)
_HOW: dict[Kind, re.Pattern[str]] = {
    "resign": re.compile(r"\br\b|resig|中盘|中盤|中押|认输|認輸|投了|불계", re.IGNORECASE),
    "time": re.compile(r"\bt\b|time|超时|超時|时间|時間|시간", re.IGNORECASE),
    "forfeit": re.compile(r"\bf\b|forfeit|disconnect|掉线|弃权|반칙", re.IGNORECASE),
}
_FRACTION = re.compile(r"([1-9])/([24])")
_NUMBER = re.compile(r"\d{0,4}[.,]?\d{1,4}")
# Letters that no encoding gave, beside a number.
_UNDECODED = re.compile("\ufffd|\\d[\x80-\u04ff]")
_GLUED = re.compile(r"\d[a-z_]+[-+]?\d", re.IGNORECASE)  # 1e9, 0x10, 1_000: no number as records write it
_NUMERALS = "初一二三四五六七八九十"
_NUMERAL = re.compile(rf"[{_NUMERALS[1:-1]}](?=[目子又半]|分之)|(?<=分之)[{_NUMERALS[1:-1]}]")
_TENS = re.compile(r"[十百][\d目子又半]")
_RANK = re.compile(
    rf"(?<![\d.,{_NUMERALS}])(?P<number>\d{{1,2}}|[{_NUMERALS}])\s*(?:st|nd|rd|th)?\s*"
    r"(?:(?P<kyu>k|kyu|gup|级|級|급)|(?P<professional>p|pro)|d|dan|段|단)(?![a-z])",
    re.IGNORECASE,
)
_PROFESSIONAL = re.compile(r"(?<![a-z])(?:p|pro|professional)(?![a-z])|职业|職業|プロ|프로", re.IGNORECASE)
_TOP_DAN = 9
_MOST_KOMI = 100.0
_REVERSE = re.compile(r"^\D*-|逆|倒[贴貼]|역덤|revers", re.IGNORECASE)


def parse_result(text: str) -> Result:
    """Return the result in an RE property; "unknown" where it is missing or cannot be understood.

    Of kind "unknown" is also a win by nothing (`W+`, `W+0.0`) or by an impossible margin (`W+0.02`).
    """
    text = text.strip()
    whole = _WHOLE.get(text.casefold())
    who = _WINNER.match(text)
    if whole or not who:
        return Result(0, None, whole or "unknown", text)
    winner, rest = BLACK if who[1] else WHITE, text[who.end() :]
    if _LOSES.search(_WINS.split(rest, maxsplit=1)[0]):
        winner = -winner
    for kind, pattern in _HOW.items():
        if pattern.search(rest):
            return Result(winner, None, kind, text)
    margin = _margin(rest)
    return Result(winner, margin, "counted" if margin else "unknown", text)


def _margin(text: str) -> float | None:
    """Return the points in a text such as "+8.5", "胜2又1/4子" (stones, each worth two points) or "3目半"."""
    points = _amount(text)
    return points if points is not None and 0 < points <= 1000 and points % 0.5 == 0 else None


def parse_komi(text: str) -> float | None:
    """Return a KM property in points, between -100 and 100; None where it holds no such number.

    From 100 upwards it is in hundredths (`650`); quarters (`3.75`, `375`, `3又3/4子`) count stones, each worth two
    points. One that White gives is negative, by its sign or in words (`逆コミ5目半`).
    """
    komi = _amount(text, hundredths=True)
    if komi is None or komi >= _MOST_KOMI:
        return None
    return -komi if _REVERSE.search(text) else komi


def is_in_hundredths(text: str) -> bool:
    """Return whether the number in a KM property is one of hundredths, such as `350`."""
    number = _NUMBER.search(_plain(text))
    return number is not None and float(number[0].replace(",", ".")) >= _MOST_KOMI


def _amount(text: str, *, hundredths: bool = False) -> float | None:
    """Return the points in a text, without their sign, whether written as points or as stones; None for no number.

    A number in a text that could not be decoded is none.

    Args:
        text: such as "6.5", "6目半", "６½" or "三又四分之三子".
        hundredths: whether numbers from 100 upwards are in hundredths.
    """
    text = _plain(text)
    if _UNDECODED.search(text) or _GLUED.search(text) or _TENS.search(text):
        return None
    half = 0.5 if re.search("半|반", text) else 0.0
    fraction = _FRACTION.search(text)
    if fraction:
        half, text = int(fraction[1]) / int(fraction[2]), text.replace(fraction[0], "")
    number = _NUMBER.search(text)
    if not (number or half):
        return None
    value = (float(number[0].replace(",", ".")) if number else 0.0) + half
    if hundredths and value >= _MOST_KOMI:
        value /= 100
    return value * 2 if "子" in text or value * 4 % 2 == 1 else value


def _plain(text: str) -> str:
    """Return a text with the numbers of East Asia and the fractions of one character in ASCII; tens stay."""
    text = unicodedata.normalize("NFKC", re.sub("[¼½¾]", r" \g<0>", text)).replace("\N{FRACTION SLASH}", "/")
    text = _NUMERAL.sub(lambda match: str(_NUMERALS.index(match[0])), text)
    return re.sub(r"([24])分之([1-9])", r" \2/\1", text)


def parse_rank(text: str) -> int | None:
    """Return a BR or WR property as a number that grows with strength; None where it has no rank.

    30 kyu is -29, 1 kyu 0, 1 dan 1, 9 dan 9, and a professional of n dan 9 + n. The 10 dan of servers counts as 9.
    """
    match = _RANK.search(text)
    if match is None:
        return None
    number = _rank_number(match["number"])
    if match["kyu"]:
        return 1 - number if number else None
    if not 1 <= number <= _TOP_DAN + 1:
        return None
    professional = match["professional"] or _PROFESSIONAL.search(text)
    return min(number, _TOP_DAN) + (_TOP_DAN if professional else 0)


def _rank_number(text: str) -> int:
    return int(text) if text.isdecimal() else max(1, _NUMERALS.index(text))


def rank_name(rank: int) -> str:
    """Return "30k" for -29, "1k" for 0, "9d" for 9, "1p" for 10."""
    if rank > _TOP_DAN:
        return f"{rank - _TOP_DAN}p"
    return f"{rank}d" if rank > 0 else f"{1 - rank}k"
