"""GTP arguments: text in, colours, numbers, vertices, rules and file names out, or a GtpError."""

import math
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from goban import errors
from goban.coords import BLACK, WHITE, parse_gtp, pass_point
from goban.errors import InputError, parse_object, shown
from goban.katago_rules import read_rules
from goban.rulesets import MAX_KOMI, RULESETS, Ruleset
from gogui_plugin.gtp import Command, GtpError

_COLOURS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_KGS_RULES = {"chinese": "chinese", "aga": "aga", "japanese": "japanese", "new_zealand": "new-zealand"}


def parse_colour(text: str) -> int:
    """Return BLACK or WHITE for b, black, w or white in any case; raise GtpError."""
    if text.lower() not in _COLOURS:
        raise GtpError(f"syntax error: expected a colour b or w. Received: {shown(text)}")
    return _COLOURS[text.lower()]


def is_colour(text: str) -> bool:
    """Return whether `parse_colour` would accept the text."""
    return text.lower() in _COLOURS


def whole_argument(text: str, least: float = -math.inf, most: float = math.inf) -> int:
    """Return a whole number; raise GtpError."""
    with _syntax():
        return errors.parse_whole(text, least, most)


def number_argument(text: str, least: float = -math.inf, most: float = math.inf) -> float:
    """Return a finite number; raise GtpError."""
    with _syntax():
        return errors.parse_number(text, least, most)


@contextmanager
def _syntax(failure: str = "syntax error") -> Iterator[None]:
    """Raise a GtpError that begins with a failure of GTP for an InputError in the block."""
    try:
        yield
    except InputError as error:
        raise GtpError(f"{failure}: {error}") from None


def komi_argument(text: str) -> float:
    """Return points for White, at most MAX_KOMI for either side; raise GtpError."""
    with _syntax("unacceptable komi"):
        return errors.parse_number(text, -MAX_KOMI, MAX_KOMI)


def parse_percentage(text: str) -> float:
    """Return a share in [0, 1], given as a percentage 0..100; raise GtpError."""
    return number_argument(text, 0, 100) / 100


def parse_seconds(text: str) -> float:
    """Return a number of seconds above 0; raise GtpError."""
    seconds = number_argument(text)
    if seconds <= 0:
        raise GtpError(f"expected seconds above 0. Received: {seconds:g}")
    return seconds


def parse_answer(text: str) -> str:
    """Return a text that can be the answer to a command; raise GtpError for an empty one or several lines."""
    if not text.strip() or not text.isprintable():
        raise GtpError(f"expected a text in one line. Received: {shown(text)}")
    return text.strip()


def parse_bool(text: str) -> bool:
    """Return the truth of 1, true, 0 or false; raise GtpError."""
    values = {"1": True, "true": True, "0": False, "false": False}
    if text.lower() not in values:
        raise GtpError(f"syntax error: expected true or false. Received: {shown(text)}")
    return values[text.lower()]


def parse_point(text: str, side: int) -> int:
    """Return the flat index of a point of the board, not a pass; raise InputError."""
    point = parse_gtp(text, side)
    if point == pass_point(side):
        raise GtpError("syntax error: expected a point. Received: pass")
    return point


def parse_stones(words: Sequence[str], side: int) -> list[tuple[int, int]]:
    """Return (colour, flat index) for each pair of words such as `B Q16`, passes included; raise InputError."""
    if len(words) % 2:
        raise GtpError(f"syntax error: expected colours and vertices in pairs. Received: {len(words)} words")
    return [
        (parse_colour(colour), parse_gtp(vertex, side)) for colour, vertex in zip(words[::2], words[1::2], strict=True)
    ]


def parse_file(command: Command) -> tuple[str, str]:
    """Return the file name and the rest of the arguments.

    The name may hold blanks or stand in double quotes. An unquoted number at the end is not part of it. Raises
    GtpError if there is no name.
    """
    match = re.fullmatch(r'"(?P<quoted>[^"]*)"\s*(?P<rest>.*)|(?P<bare>.*?)(?P<number>\s[0-9]+)?', command.text)
    name = (match["quoted"] or match["bare"]) if match else None
    if match is None or not name:
        raise GtpError("syntax error: expected a file name. Received: none")
    return name, (match["rest"] or match["number"] or "").strip()


def parse_kgs_rules(text: str) -> Ruleset:
    """Return the rules of a name of `kgs-rules`; raise GtpError."""
    name = text.strip().lower()
    if name not in _KGS_RULES:
        raise GtpError(f"unknown ruleset: expected {', '.join(_KGS_RULES)}. Received: {shown(name)}")
    return RULESETS[_KGS_RULES[name]]


def parse_kata_rules(text: str) -> Ruleset:
    """Return the rules of a name, a string of KataGo's or a JSON object of `kata-set-rules`; raise InputError."""
    rules = read_rules(parse_object(text) if text.startswith("{") else text)
    if rules.komi is not None:
        raise GtpError(f"expected rules without a komi, which the command komi sets. Received: {shown(text)}")
    return rules.ruleset
