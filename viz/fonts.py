"""Fonts for names in any script: the fonts of this machine that have the letters."""

import logging
from functools import cache
from typing import Final

from matplotlib.font_manager import FontEntry, findSystemFonts, fontManager
from matplotlib.ft2font import FT2Font

BASE: Final = "DejaVu Sans"
_BOXES: Final = "Last Resort"  # fonts that have a box for every letter

# A heading in a font without bold letters is written in its normal ones, which is worth no warning.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


@cache
def families(text: str) -> tuple[str, ...]:
    """Return the font families for a text: the usual one, then those that have the letters that it lacks."""
    return (BASE, *_found(frozenset(text))[0])


@cache
def missing_letters(text: str) -> str:
    """Return the letters of a text that no font of this machine has, each once, in their order."""
    missing = _found(frozenset(text))[1]
    return "".join(dict.fromkeys(letter for letter in text if letter in missing))


@cache
def _found(letters: frozenset[str]) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return families that have letters which the usual one lacks, those with most of them first, and what is left."""
    usual = next(entry for entry in fontManager.ttflist if entry.name == BASE and _is_regular(entry))
    left = {letter for letter in letters if letter.isprintable()} - _letters(usual.fname)
    if not left:
        return (), frozenset()
    names: list[str] = []
    candidates = {entry.fname: entry.name for entry in _installed()}
    while left and candidates:
        best = max(sorted(candidates), key=lambda path: len(left & _letters(path)))
        had = left & _letters(best)
        if not had:
            break
        names.append(candidates.pop(best))
        left -= had
    return tuple(names), frozenset(left)


def _installed() -> list[FontEntry]:
    """Return the upright fonts of normal weight, also those that were installed after matplotlib's list was made."""
    known = {entry.fname for entry in fontManager.ttflist}
    for path in sorted(set(findSystemFonts()) - known):
        try:
            fontManager.addfont(path)
        except (OSError, RuntimeError):
            continue  # no font that matplotlib can read
    return [entry for entry in fontManager.ttflist if _is_regular(entry) and not entry.name.startswith(_BOXES)]


def _is_regular(entry: FontEntry) -> bool:
    return entry.style == "normal" and entry.weight in (400, "normal", "regular", "book", "medium", 500)


@cache
def _letters(path: str) -> frozenset[str]:
    """Return the letters that a font draws; none for one of pictures, which cannot be scaled."""
    try:
        font = FT2Font(path)
        return frozenset(map(chr, font.get_charmap())) if font.scalable else frozenset()
    except (OSError, RuntimeError):
        return frozenset()
