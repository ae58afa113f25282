"""The ranks of players: the properties BR and WR of SGF, read and written."""

import re

from game_records.written_points import NUMERALS

_RANK = re.compile(
    rf"(?<![\d.,{NUMERALS}])(?P<number>\d{{1,2}}|[{NUMERALS}])\s*(?:st|nd|rd|th)?\s*"
    r"(?:(?P<kyu>k|kyu|gup|级|級|급)|(?P<professional>p|pro)|d|dan|段|단)(?![a-z])",
    re.IGNORECASE,
)
_PROFESSIONAL = re.compile(r"(?<![a-z])(?:p|pro|professional)(?![a-z])|职业|職業|プロ|프로", re.IGNORECASE)
_TOP_DAN = 9


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
    return int(text) if text.isdecimal() else max(1, NUMERALS.index(text))


def rank_name(rank: int) -> str:
    """Return "30k" for -29, "1k" for 0, "9d" for 9, "1p" for 10."""
    if rank > _TOP_DAN:
        return f"{rank - _TOP_DAN}p"
    return f"{rank}d" if rank > 0 else f"{1 - rank}k"
