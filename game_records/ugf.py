"""Records of Pandanet and of Japanese newspapers (UGF, also named UGI): sections of a header and of moves."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from game_records.dates import date_name, parse_date
from game_records.file_format import SIDE, Format, root
from game_records.record_errors import Fault
from game_records.sgf_grammar import SgfNode
from goban.coords import sgf_name
from goban.errors import shown

_SIGN = re.compile(r"^\[Header\]\s*$.*?^\[Data\]\s*$", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_SECTION = re.compile(r"^\[(\w+)\][^\S\n]*\n(.*?)(?=^\[\w+\][^\S\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^(\w+)=(.*)$", re.MULTILINE)
# A point, the player, who may be left out, and the number of the move, 0 for stones of a handicap.
_MOVE = re.compile(r"([A-Z]{2}),(?:([BW])\d?|MK),(\d+)(?:,|\s|$)")
_PASSES: Final = ("Y", "Z")  # first letters of moves that are passes
_RULES: Final = {"JPN": "Japanese", "CHN": "Chinese", "KOR": "Korean"}
_ENDS: Final = {"C": "R", "R": "R", "T": "T", "F": "F"}  # without a count; C is for a win in the middle game


def _nodes(text: str) -> list[SgfNode]:
    sections = {name.lower(): body for name, body in _SECTION.findall(text.replace("\r\n", "\n").replace("\r", "\n"))}
    fields = {name.lower(): value.strip() for name, value in _FIELD.findall(sections.get("header", ""))}
    side = int(fields["size"]) if re.fullmatch(r"\d{1,2}", fields.get("size", ""), re.ASCII) else SIDE
    moves = list(_moves(sections.get("data", ""), side, fields.get("coordinatetype", "").upper() == "IGS"))
    stones = [point for number, colour, point in moves if number == 0 and colour == "B"]
    return [root(_header(fields), stones), *({colour: [point]} for number, colour, point in moves if number)]


def _header(fields: Mapping[str, str]) -> dict[str, str]:
    handicap, _, komi = fields.get("hdcp", "").partition(",")
    day = parse_date(fields.get("date", ""))
    return {
        "SZ": fields.get("size", ""),
        "HA": handicap,
        "KM": komi.partition(",")[0],
        "RU": _RULES.get(fields.get("rule", "").upper(), fields.get("rule", "")),
        "RE": _result(fields.get("winner", "")),
        "DT": date_name(day) if day else "",
        "GN": fields.get("title", "").rstrip(","),
        **_player(fields.get("playerb", ""), "B"),
        **_player(fields.get("playerw", ""), "W"),
    }


def _result(written: str) -> str:
    """Return a result such as "B,7.50" or "W,C" as SGF has it."""
    winner, _, how = (part.strip() for part in written.upper().partition(","))
    if winner == "D":
        return "0"
    return f"{winner}+{_ENDS.get(how, how)}" if winner in ("B", "W") else ""


def _player(written: str, letter: str) -> dict[str, str]:
    name, _, rest = written.partition(",")
    return {f"P{letter}": name, f"{letter}R": rest.partition(",")[0]}


def _moves(data: str, side: int, from_below: bool) -> Iterator[tuple[int, str, str]]:
    """Yield number, colour and point of each stone and move; raise Fault for data without any.

    Args:
        data: the text of the section.
        side: of the board.
        from_below: whether rows are counted from the lowest.
    """
    colour, lines = "W", [line.strip() for line in data.splitlines() if line.strip()]
    matches = [match for line in lines if (match := _MOVE.match(line))]
    if lines and not matches:
        raise Fault("bad syntax", f"expected moves of UGF, such as QP,B1,1,0. Received: {shown(lines[0])}")
    for match in matches:
        colour = match[2] or ("W" if colour == "B" else "B")
        yield int(match[3]), colour, _point(match[1], side, from_below)


def _point(written: str, side: int, from_below: bool) -> str:
    """Return a point of SGF, "" for a pass; the written text if it is neither."""
    column, row = (ord(letter) - ord("A") for letter in written)
    row = side - 1 - row if from_below else row
    if max(column, row) < side and row >= 0:
        return sgf_name(row * side + column, side)
    return "" if written[0] in _PASSES else written


UGF: Final = Format("UGF", (".ugf", ".ugi"), _SIGN, _nodes)
