"""The ways in which servers and editors write a result and a komi; docs/records.md lists them."""

import re

from goban.coords import BLACK, WHITE
from preprocessing.record import Kind, Result

_WHOLE: dict[str, Kind] = {
    **dict.fromkeys(("0", "draw", "jigo", "tie", "和", "和棋", "平局", "持碁", "ジゴ", "무승부"), "draw"),
    **dict.fromkeys(("void", "no result", "无胜负", "無勝負", "무효"), "void"),
}
_WINNER = re.compile(r"(?:(b|black|黑|黒|흑)|w|white|白|백)(?![a-z])", re.IGNORECASE)
_LOSES = re.compile(r"lose|lost|负|負|패", re.IGNORECASE)
_HOW: dict[Kind, re.Pattern[str]] = {
    "resign": re.compile(r"\br\b|resig|中盘|中盤|中押|불계", re.IGNORECASE),
    "time": re.compile(r"\bt\b|time|超时|超時|时间|時間|시간", re.IGNORECASE),
    "forfeit": re.compile(r"\bf\b|forfeit|disconnect|掉线|弃权|반칙", re.IGNORECASE),
}
_FRACTION = re.compile(r"([1-9])/([24])")
_NUMBER = re.compile(r"\d{0,4}[.,]?\d{1,4}")


def parse_result(text: str) -> Result:
    """Return what an RE property says; "unknown" where it is missing, says nothing, or cannot be understood.

    Of kind "unknown" is also a win by nothing (`W+`, `W+0.0`) or by an impossible margin (`W+0.02`).
    """
    text = text.strip()
    whole = _WHOLE.get(text.casefold())
    who = _WINNER.match(text)
    if whole or not who:
        return Result(0, None, whole or "unknown", text)
    winner, rest = BLACK if who[1] else WHITE, text[who.end() :]
    if _LOSES.search(rest):
        winner = -winner
    for kind, pattern in _HOW.items():
        if pattern.search(rest):
            return Result(winner, None, kind, text)
    margin = _margin(rest)
    return Result(winner, margin, "counted" if margin else "unknown", text)


def _margin(text: str) -> float | None:
    """Points in a text such as "+8.5", "胜2又1/4子" (stones, each worth two points) or "3目半"."""
    half = 0.5 if re.search("半|반", text) else 0.0
    fraction = _FRACTION.search(text)
    if fraction:
        half, text = int(fraction[1]) / int(fraction[2]), text.replace(fraction[0], "")
    number = _NUMBER.search(text)
    value = (_decimal(number[0]) if number else 0.0) + half
    points = value * 2 if "子" in text else _in_points(value)
    return points if 0 < points <= 1000 and points % 0.5 == 0 else None


def parse_komi(text: str) -> float | None:
    """Return a KM property in points, between -100 and 100; None where it holds no such number.

    From 100 upwards it is in hundredths (`650`); quarters (`3.75`, `375`) count stones, each worth two points.
    """
    match = re.search(r"(-?)\s*" + _NUMBER.pattern, text)
    if match is None:
        return None
    value = _decimal(match[0].lstrip("- "))
    komi = _in_points(value / 100 if value >= 100 else value)
    return (-komi if match[1] else komi) if komi < 100 else None


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _in_points(value: float) -> float:
    return value * 2 if value * 4 % 2 == 1 else value
