"""The komi of a record: the property KM of SGF."""

import re

from game_records.written_points import HUNDREDTHS_FROM, written_points

_REVERSE = re.compile(r"^\D*-|逆|倒[贴貼]|역덤|revers", re.IGNORECASE)


def parse_komi(text: str) -> float | None:
    """Return a KM property in points, between -100 and 100; None where it holds no such number.

    From 100 upwards it is in hundredths (`650`); quarters (`3.75`, `375`, `3又3/4子`) count stones, each worth two
    points. One that White gives is negative, by its sign or in words (`逆コミ5目半`).
    """
    komi = written_points(text, hundredths=True)
    if komi is None or komi >= HUNDREDTHS_FROM:
        return None
    return -komi if _REVERSE.search(text) else komi
