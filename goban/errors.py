"""The one base class of every error that a user's input can cause."""

from collections.abc import Iterable


class InputError(ValueError):
    """Invalid input; the message names what was expected and what was received."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message, "; did you mean ...?" with the known word most like `word`, "" if none is."""
    from difflib import get_close_matches  # not at the start of every command

    near = get_close_matches(word, sorted(set(known)), 1)
    return f"; did you mean {near[0]}?" if near else ""
