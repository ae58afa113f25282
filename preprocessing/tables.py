"""Tables for spreadsheets."""

from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def inert_cell(text: str) -> str:
    """Return a text that a spreadsheet shows and never runs: with an apostrophe first where it would be a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
