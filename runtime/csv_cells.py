"""Tables of comma-separated values that spreadsheets open."""

from typing import Final

_RUN_BY_SPREADSHEETS: Final = ("=", "+", "-", "@", "\t", "\r")


def inert_cell(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula: with an apostrophe before the first of `=+-@`.

    It is for names and other texts of unknown origin; numbers are written as they are.
    """
    return f"'{text}" if text.startswith(_RUN_BY_SPREADSHEETS) else text
