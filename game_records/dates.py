"""Dates as records write them."""

import re

Date = tuple[int, ...]

_DATE = re.compile(
    r"(?<!\d)(?P<year>[12]\d{3})"
    r"(?:(?P<separated>[-/.年])?(?P<month>0[1-9]|1[0-2]|[1-9](?!\d))"
    r"(?:(?(separated)[-/.月])(?P<day>0[1-9]|[12]\d|3[01]|[1-9](?!\d)))?)?(?!\d)"
)


def parse_date(text: str) -> Date | None:
    """Return the first day in a DT property as (year, month, day), as (year, month) or (year,) where it has no more.

    None where there is no year from 1000 to 2999. Does not check the length of the month.
    """
    match = _DATE.search(text)
    return tuple(int(part) for part in match.group("year", "month", "day") if part) if match else None


def date_name(date: Date) -> str:
    """Return "2010-06-15", "2010-06" or "2010"."""
    return "-".join(f"{part:02}" for part in date)
