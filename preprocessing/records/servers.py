"""Records of Tygem (GIB) and Cyberoro (NGF): text in, the nodes of an SGF record out.

pysgf reads both too, but takes every file for UTF-8, where Tygem writes GB 18030 and EUC-KR, and drops NGF's margins.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from goban.coords import sgf_name
from goban.errors import InputError, shown
from goban.rulesets import fixed_handicap
from preprocessing.records.sgf import date_name, parse_date
from preprocessing.records.text import Fault, Node, escaped

_SIDE: Final = 19
_GIB = re.compile(r"\\\[(?:GIBOKIND|GAMEINFOMAIN|GAMETAG)=|^STO 0 \d+ [12] \d+ \d+", re.MULTILINE)
_NGF = re.compile(r"^PM[A-Z]{2}[BW][A-Z]{4}\s*$", re.MULTILINE)
_NGF_MOVE = re.compile(r"^PM[A-Z]{2}([BW])([A-Z]{2})", re.MULTILINE)
_HEADER = re.compile(r"\\\[(\w+)=(.*?)\\\]", re.DOTALL)
_FIELD = re.compile(r"(?:^|,)\s*([A-Z]+):?([^,]*)")
_NAME = re.compile(r"(.*?)\s*\(([^()]*)\)\s*$")
_NGF_NAME = re.compile(r"(\S.*?)\s+(\d+)([DKP])P?\*?$")
_RESULTS: Final = {"3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}
_WINNERS: Final = {"0": "B", "1": "W"}  # of counted games


def server_nodes(text: str) -> list[Node] | None:
    """Return the nodes of a record of Tygem or Cyberoro, None for other text; raise Fault for a bad move."""
    if _GIB.search(text):
        header, moves = _gib_header(text), _gib_moves(text)
    elif _NGF.search(text):
        header, moves = _ngf_header(text.splitlines()), _ngf_moves(text)
    else:
        return None
    root = {name: [escaped(value.strip())] for name, value in header.items() if value.strip()}
    return [root | _handicap(header.get("HA", "")), *({colour: [point]} for colour, point in moves)]


def _handicap(written: str) -> Node:
    """Return the stones of a handicap, which both servers place on the usual points."""
    try:
        points = fixed_handicap(_SIDE, int(written)) if written.isdecimal() and int(written) > 1 else []
    except InputError as error:
        raise Fault("bad set-up", str(error)) from None
    return {"AB": [sgf_name(point, _SIDE) for point in points]} if points else {}


def _gib_header(text: str) -> dict[str, str]:
    written = dict(_HEADER.findall(text))
    fields = {"W": "GRLT", "Z": "ZIPSU", "G": "GONGJE"}
    tag = dict(_FIELD.findall(written.get("GAMETAG", "")))
    info = {fields[name]: value for name, value in tag.items() if name in fields}
    info |= dict(_FIELD.findall(written.get("GAMEINFOMAIN", "")))
    day = parse_date(written.get("GAMEDATE", "").replace(" ", ""))
    handicap = re.search(r"^INI 0 \d+ (\d+)", text, re.MULTILINE)
    komi = info.get("GONGJE", "")
    return {
        "SZ": info.get("LINE", ""),
        "KM": f"{int(komi) / 10:g}" if komi.isdecimal() else "",
        "HA": handicap[1] if handicap else "",
        "RE": _gib_result(info) or written.get("GAMERESULT", ""),
        "DT": date_name(day) if day else "",
        "GN": written.get("GAMENAME", ""),
        **_gib_player(written, "B", "BLACK"),
        **_gib_player(written, "W", "WHITE"),
    }


def _gib_result(info: Mapping[str, str]) -> str:
    code, margin = info.get("GRLT", ""), info.get("ZIPSU", "")
    if code in _WINNERS and margin.isdecimal():
        return f"{_WINNERS[code]}+{int(margin) / 10:g}"
    return _RESULTS.get(code, "")


def _gib_player(written: Mapping[str, str], letter: str, colour: str) -> dict[str, str]:
    user = dict(_FIELD.findall(written.get(f"{letter}USERINFO", "")))
    name = written.get(f"GAME{colour}NAME") or user.get(f"{letter}ID", "")
    with_rank = _NAME.match(name)
    return {f"P{letter}": with_rank[1], f"{letter}R": with_rank[2]} if with_rank else {f"P{letter}": name}


def _gib_moves(text: str) -> Iterator[tuple[str, str]]:
    """Yield colour and point of each move (STO) and pass (SKI)."""
    for line in text.splitlines():
        words = line.split()
        if len(words) > 3 and words[0] in ("STO", "SKI"):
            colour = "B" if words[3] == "1" else "W"
            yield colour, _point(words[4:6], line) if words[0] == "STO" else ""


def _point(words: list[str], line: str) -> str:
    numbers = [int(word) for word in words if re.fullmatch(r"\d{1,2}", word, re.ASCII)]
    if len(numbers) != 2 or max(numbers) >= _SIDE:
        raise Fault("bad move", f"expected STO with a column and a row 0..{_SIDE - 1}. Received: {shown(line.strip())}")
    return sgf_name(numbers[1] * _SIDE + numbers[0], _SIDE)


def _ngf_header(lines: list[str]) -> dict[str, str]:
    """Return the properties of the lines above the moves; of other forms of the file none are known."""
    lines = [line.strip() for line in lines[:11]]
    if len(lines) < 11 or not lines[1].isdecimal():
        return {}
    day = parse_date(lines[8][:8])
    return {
        "SZ": lines[1],
        "HA": lines[5],
        "KM": _ngf_komi(lines[7], lines[5]),
        "RE": lines[10].rstrip("!"),
        "DT": date_name(day) if day else "",
        "GN": lines[0],
        **_ngf_player(lines[2], "W"),
        **_ngf_player(lines[3], "B"),
    }


def _ngf_komi(points: str, handicap: str) -> str:
    """Return the komi; in even games the half point is not written."""
    return f"{points}.5" if points.isdecimal() and handicap == "0" else points


def _ngf_player(line: str, letter: str) -> dict[str, str]:
    named = _NGF_NAME.match(line)
    if named is None:
        return {f"P{letter}": line}
    rank = "p" if line.rstrip("*").endswith("P") else named[3].lower()
    return {f"P{letter}": named[1], f"{letter}R": named[2] + rank}


def _ngf_moves(text: str) -> Iterator[tuple[str, str]]:
    """Yield colour and point of each move; letters begin with B, and AA is a pass."""
    for colour, point in _NGF_MOVE.findall(text):
        yield colour, "" if point == "AA" else "".join(chr(ord(letter) - 1) for letter in point.lower())
