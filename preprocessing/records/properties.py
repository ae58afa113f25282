"""SGF properties: results, komi, handicap, ranks and dates as servers and editors write them.

docs/records.md lists the ways.
"""

import re
import unicodedata
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK, WHITE
from goban.errors import InputError
from goban.kernels import check_game
from goban.rulesets import fixed_handicap, handicap_moves
from preprocessing.records.game import HandicapSource, Kind, Result

_WHOLE: dict[str, Kind] = {
    **dict.fromkeys(("0", "draw", "jigo", "tie", "和", "和棋", "平局", "持碁", "ジゴ", "무승부"), "draw"),
    **dict.fromkeys(("void", "no result", "无胜负", "無勝負", "무효"), "void"),
}
# Professional records begin with the number of the last move, as in "257手完, 黒中押し勝ち".
_WINNER = re.compile(
    r"(?:\d{1,3}\s*(?:手|moves?\b)[^,，、.\s]*[,，、.\s]+)?(?:(b|black|黑|黒|흑)|w|white|白|백)(?![a-z])", re.IGNORECASE
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
_DATE = re.compile(
    r"(?<!\d)(?P<year>[12]\d{3})"
    r"(?:(?P<separated>[-/.年])?(?P<month>0[1-9]|1[0-2]|[1-9](?!\d))"
    r"(?:(?(separated)[-/.月])(?P<day>0[1-9]|[12]\d|3[01]|[1-9](?!\d)))?)?(?!\d)"
)

_MOST_STONES: Final = 9  # stones at the beginning of a record that are taken for a handicap

Date = tuple[int, ...]
Int8 = NDArray[np.int8]
Int16 = NDArray[np.int16]


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
    points = _points(text)
    return points if points is not None and 0 < points <= 1000 and points % 0.5 == 0 else None


def parse_komi(text: str) -> float | None:
    """Return a KM property in points, between -100 and 100; None where it holds no such number.

    From 100 upwards it is in hundredths (`650`); quarters (`3.75`, `375`, `3又3/4子`) count stones, each worth two
    points.
    """
    komi = _points(text, hundredths=True)
    if komi is None or komi >= _MOST_KOMI:
        return None
    return -komi if re.match(r"\D*-", text) else komi


def _points(text: str, *, hundredths: bool = False) -> float | None:
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
    value = (_decimal(number[0]) if number else 0.0) + half
    if hundredths and value >= _MOST_KOMI:
        value /= 100
    return value * 2 if "子" in text else _in_points(value)


def _plain(text: str) -> str:
    """Return a text with the numbers of East Asia and the fractions of one character in ASCII; tens stay."""
    text = unicodedata.normalize("NFKC", re.sub("[¼½¾]", r" \g<0>", text)).replace("\N{FRACTION SLASH}", "/")
    text = _NUMERAL.sub(lambda match: str(_NUMERALS.index(match[0])), text)
    return re.sub(r"([24])分之([1-9])", r" \2/\1", text)


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _in_points(value: float) -> float:
    return value * 2 if value * 4 % 2 == 1 else value


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


def parse_date(text: str) -> Date | None:
    """Return the first day in a DT property as (year, month, day), as (year, month) or (year,) where it has no more.

    None where there is no year from 1000 to 2999. Does not check the length of the month.
    """
    match = _DATE.search(text)
    return tuple(int(part) for part in match.group("year", "month", "day") if part) if match else None


def date_name(date: Date) -> str:
    """Return "2010-06-15", "2010-06" or "2010"."""
    return "-".join(f"{part:02}" for part in date)


def named_handicap(text: str, side: int, setup: Int8, colours: Int8) -> int | None:
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


def usual_stones(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> list[int]:
    """Return the usual points of handicap stones that a record names and does not place; none for other records.

    The fifth and sixth stone are in the middle of the left and right side or, if moves of the record are there, of the
    upper and lower side.

    Args:
        side: of the board, N.
        handicap: the record's number.
        setup: int8 (N*N,), stones before the first move.
        moves: int16 (M,), flat indices.
        colours: int8 (M,), of the moves.

    Raises:
        InputError: there are no usual points for so many stones, or no game can go on from them.
    """
    if handicap < 2 or (setup == BLACK).any() or not len(colours) or colours[0] != WHITE:
        return []
    stones = fixed_handicap(side, handicap)
    for chosen in (stones, [point % side * side + point // side for point in stones]):
        start = setup.copy()
        start[chosen] = BLACK
        if not setup[chosen].any() and check_game(side, start, moves, colours, True) < 0:
            return chosen
    raise InputError("stones on the usual points would make a move illegal")


def handicap_of_moves(side: int, handicap: int, setup: Int8, moves: Int16, colours: Int8) -> tuple[int, HandicapSource]:
    """Return the handicap of a record, and "first moves" if it names none and Black begins with several stones."""
    placed = handicap_moves(side, colours[: _MOST_STONES + 1].tolist(), moves[: _MOST_STONES + 1].tolist())
    if handicap > 1 or setup.any() or not placed:
        return handicap, ""
    return placed, "first moves"
