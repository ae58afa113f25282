"""The komi of a record: as its property KM writes it, and the usual one by rules, year and board where it does not.

The komi of a game that is begun here, or of a position, is `DEFAULT_KOMI` in `goban/rulesets.py`.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal

from game_records.written_points import HUNDREDTHS_FROM, written_points

Counting = Literal["area", "territory"]

_REVERSE = re.compile(r"^\D*-|逆|倒[贴貼]|역덤|revers", re.IGNORECASE)
_FULL_BOARD: Final = 19
# The likeliest first, from a year on. Japan raised its komi from 4.5 to 5.5 in 1974 and to 6.5 in 2002, China in 2002
# from 5.5 to 7.5. Before 1950 most games had none, and few whole numbers of points were ever usual.
_USUAL: Final[dict[Counting, tuple[tuple[int, tuple[float, ...]], ...]]] = {
    "area": ((2002, (7.5, 6.5, 5.5, 7.0, 0.5, 0.0)), (0, (5.5, 7.5, 6.5, 5.0, 7.0, 0.5, 0.0))),
    "territory": (
        (2002, (6.5, 5.5, 7.5, 7.0, 0.5, 0.0)),
        (1974, (5.5, 6.5, 4.5, 5.0, 0.0, 0.5)),
        (1950, (4.5, 5.5, 5.0, 0.0)),
        (0, (0.0, 4.5, 5.5, 5.0)),
    ),
}
_OLD: Final = 2002  # the year before which 19x19 games of unknown rules are taken for Japanese ones
_WITH_HANDICAP: Final = (0.5, 0.0, 5.5, 6.5, 7.5)
_SMALL_BOARD: Final = (0.0, 7.0, 7.5, 6.5, 5.5, 0.5)  # there is no custom
_IN_STONES: Final = 3.5  # points of komi that is not usual by area rules: stones, each worth two points


def parse_komi(text: str) -> float | None:
    """Return a KM property in points, between -100 and 100; None where it holds no such number.

    From 100 upwards it is in hundredths (`650`); quarters (`3.75`, `375`, `3又3/4子`) count stones, each worth two
    points. One that White gives is negative, by its sign or in words (`逆コミ5目半`).
    """
    komi = written_points(text, hundredths=True)
    if komi is None or komi >= HUNDREDTHS_FROM:
        return None
    return -komi if _REVERSE.search(text) else komi


def usual_komis(side: int, handicap: int, counting: Counting, year: int | None) -> tuple[float, ...]:
    """Return the komi that a record without one may mean, the likeliest first.

    Args:
        side: of the board.
        handicap: stones; 1 is an even game in which Black gives no komi.
        counting: what scores.
        year: of the game, None if it is unknown.
    """
    if side != _FULL_BOARD:
        return _SMALL_BOARD
    if handicap:
        return _WITH_HANDICAP
    return next(komis for since, komis in _USUAL[counting] if year is None or year >= since)


def is_old(side: int, year: int | None) -> bool:
    """Return whether a game of unknown rules is from the time when most records on 19x19 were Japanese ones."""
    return side == _FULL_BOARD and year is not None and year < _OLD


def fitting_komis(komis: Sequence[float], score: float | None) -> tuple[float, ...]:
    """Return those komis that give a score with a whole number of points; all if none does, or for no score."""
    fit = tuple(komi for komi in komis if score is None or (komi - score) % 1 == 0)
    return fit or tuple(komis)


def in_points(komi: float, in_hundredths: bool, counting: Counting | None, score: float | None) -> float:
    """Return a komi in points, which may be 3.5 stones.

    By area rules `350` is unless the recorded score has half a point, and `3.5` is if the score is a whole number.

    Args:
        komi: as it is written.
        in_hundredths: whether it is written as `350`.
        counting: what scores, None if the record does not name it.
        score: the recorded score, None where there is none.
    """
    if abs(komi) != _IN_STONES or counting == "territory":
        return komi
    known = in_hundredths and counting is not None
    return 2 * komi if (known if score is None else score % 1 == 0) else komi
