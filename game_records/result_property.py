"""How a game ended: the property RE of SGF, read and written."""

import re
from dataclasses import dataclass
from typing import Literal

from game_records.written_points import written_points
from goban.coords import BLACK, WHITE, colour_letter

ResultKind = Literal["counted", "resign", "time", "forfeit", "draw", "void", "unknown"]

_WHOLE: dict[str, ResultKind] = {
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
_HOW: dict[ResultKind, re.Pattern[str]] = {
    "resign": re.compile(r"\br\b|resig|中盘|中盤|中押|认输|認輸|投了|불계", re.IGNORECASE),
    "time": re.compile(r"\bt\b|time|超时|超時|时间|時間|시간", re.IGNORECASE),
    "forfeit": re.compile(r"\bf\b|forfeit|disconnect|掉线|弃权|반칙", re.IGNORECASE),
}


@dataclass(frozen=True)
class Result:
    """How a game ended.

    Attributes:
        winner: BLACK, WHITE or 0.
        margin: points; None unless counted.
        kind: what decided.
        text: the record's own words.
    """

    winner: int
    margin: float | None
    kind: ResultKind
    text: str

    @property
    def score(self) -> float | None:
        """The recorded score, Black minus White, komi included; None where the record gives none."""
        if self.kind == "draw":
            return 0.0
        return None if self.margin is None else self.winner * self.margin

    @property
    def sgf(self) -> str:
        """The result as other programs read it in RE, such as "B+4.5" or "W+R"; of an unknown one its own words."""
        if self.kind in ("draw", "void"):
            return {"draw": "0", "void": "Void"}[self.kind]
        how = f"{self.margin:g}" if self.margin else self.kind[0].upper()
        return self.text if self.kind == "unknown" else f"{colour_letter(self.winner)}+{how}"


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
    points = written_points(text)
    return points if points is not None and 0 < points <= 1000 and points % 0.5 == 0 else None
