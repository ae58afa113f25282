"""A format of game records: how to recognise it, and its conversion to nodes of SGF."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game_records.record_errors import Fault
from game_records.result_property import parse_result
from game_records.sgf_grammar import SgfNode, escape_value
from goban.coords import sgf_name
from goban.errors import InputError
from goban.handicap_stones import fixed_handicap

SIDE: Final = 19
_RANK: Final = re.compile(r"(\S.*?)\s+(\d{1,2}|[初一二三四五六七八九])([DKP段级級단급])(P?)\*?$")
_UNITS: Final = {"段": "d", "단": "d", "级": "k", "級": "k", "급": "k"}
_NUMERALS: Final = {"初": "1"} | {numeral: str(number) for number, numeral in enumerate("一二三四五六七八九", 1)}


@dataclass(frozen=True)
class Format:
    """A format of records that is no SGF.

    Attributes:
        name: what messages call it.
        endings: of the names of its files, with the dot.
        sign: found in every text of the format, and in no other.
        nodes: returns the nodes of SGF of the game in a text; raises Fault.
    """

    name: str
    endings: tuple[str, ...]
    sign: re.Pattern[str]
    nodes: Callable[[str], list[SgfNode]]


def root(header: Mapping[str, str], stones: Sequence[str] = ()) -> SgfNode:
    """Return the root of a record, its result as other programs read it.

    Args:
        header: properties by their names, without escapes; empty ones are left out, and missing rules are territory's.
        stones: of the handicap, as points of SGF.
    """
    values = {"RU": "territory"} | {name: value.strip() for name, value in header.items() if value.strip()}
    if "RE" in values:
        values["RE"] = parse_result(values["RE"]).sgf
    node = {name: [escape_value(value)] for name, value in values.items()}
    return node | {"AB": list(stones)} if stones else node


def usual_stones(handicap: str) -> list[str]:
    """Return the points of SGF on which a server places a handicap on 19x19; raise Fault for an impossible one."""
    try:
        points = fixed_handicap(SIDE, int(handicap)) if handicap.isdecimal() and int(handicap) > 1 else []
    except InputError as error:
        raise Fault("bad set-up", str(error)) from None
    return [sgf_name(point, SIDE) for point in points]


def player(written: str, letter: str) -> dict[str, str]:
    """Return the name and the rank of a player, such as "Jones 5D*", "Smith 9DP" or "古力 九段", as PB and BR."""
    named = _RANK.match(written)
    if named is None:
        return {f"P{letter}": written}
    unit = "p" if named[4] else _UNITS.get(named[3], named[3].lower())
    return {f"P{letter}": named[1], f"{letter}R": _NUMERALS.get(named[2], named[2]) + unit}
