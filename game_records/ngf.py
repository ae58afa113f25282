"""Records of Cyberoro (NGF), of which pysgf drops the margins."""

import re
from collections.abc import Iterator
from typing import Final

from game_records.dates import date_name, parse_date
from game_records.file_format import Format, player, root, usual_stones
from game_records.sgf_grammar import SgfNode

_SIGN = re.compile(r"^PM[A-Z]{2}[BW][A-Z]{4}\s*$", re.MULTILINE)
_MOVE = re.compile(r"^PM[A-Z]{2}([BW])([A-Z]{2})", re.MULTILINE)
_REMARK = re.compile(r"^ID[A-Z]*\[\d+\]\s*(.*?)\s*\[EndTxt\]", re.MULTILINE)
_MARK: Final = "GI"  # before each line of the header, in files of Sina


def _nodes(text: str) -> list[SgfNode]:
    lines = text.splitlines()
    header = _marked_header(text, lines) if text.startswith(_MARK) else _header(lines)
    moves = ({colour: [point]} for colour, point in _moves(text))
    return [root(header, usual_stones(header.get("HA", ""))), *moves]


def _header(lines: list[str]) -> dict[str, str]:
    """Return the properties of the lines above the moves; of other forms of the file none are known."""
    lines = [line.strip() for line in lines[:11]]
    if len(lines) < 11 or not lines[1].isdecimal():
        return {}
    return {
        "SZ": lines[1],
        "HA": lines[5],
        "KM": _komi(lines[7], lines[5]),
        "RE": lines[10].rstrip("!"),
        "DT": _date(lines[8][:8]),
        "GN": lines[0],
        **player(lines[2], "W"),
        **player(lines[3], "B"),
    }


def _marked_header(text: str, lines: list[str]) -> dict[str, str]:
    """Return the properties of lines that begin with the mark, and the result in the remark at the end.

    The players come in the order of Chinese headers, Black first.
    """
    fields = [line.strip().removeprefix(_MARK).strip() for line in lines[:10] if line.startswith(_MARK)]
    if len(fields) < 10 or not fields[6].isdecimal():
        return {}
    remarks = _REMARK.findall(text)
    return {
        "SZ": fields[6],
        "HA": fields[7],
        "KM": _komi(fields[9], fields[7]),
        "RE": remarks[-1] if remarks else "",
        "DT": _date(fields[5]),
        "GN": fields[0],
        **player(fields[1], "B"),
        **player(fields[2], "W"),
    }


def _date(written: str) -> str:
    day = parse_date(written)
    return date_name(day) if day else ""


def _komi(points: str, handicap: str) -> str:
    """Return the komi; in even games the half point is not written."""
    return f"{points}.5" if points.isdecimal() and handicap == "0" else points


def _moves(text: str) -> Iterator[tuple[str, str]]:
    """Yield colour and point of each move; letters begin with B, and AA is a pass."""
    for colour, point in _MOVE.findall(text):
        yield colour, "" if point == "AA" else "".join(chr(ord(letter) - 1) for letter in point.lower())


NGF: Final = Format("NGF", (".ngf",), _SIGN, _nodes)
