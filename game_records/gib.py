"""Records of Tygem (GIB).

pysgf reads them too, but takes every file for UTF-8, where Tygem writes GB 18030 and EUC-KR.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from game_records.dates import date_name, parse_date
from game_records.file_format import SIDE, Format, root, usual_stones
from game_records.sgf_grammar import SgfNode
from goban.coords import sgf_name

_SIGN = re.compile(r"\\\[(?:GIBOKIND|GAMEINFOMAIN|GAMETAG)=|^STO 0 \d+ [12] \d+ \d+", re.MULTILINE)
_HEADER = re.compile(r"\\\[(\w+)=(.*?)\\\]", re.DOTALL)
_FIELD = re.compile(r"(?:^|,)\s*([A-Z]+):?([^,]*)")
_NAME = re.compile(r"(.*?)\s*\(([^()]*)\)\s*$")
_RESULTS: Final = {"3": "B+R", "4": "W+R", "7": "B+T", "8": "W+T"}
_WINNERS: Final = {"0": "B", "1": "W"}  # of counted games
_TAGS: Final = {"W": "GRLT", "Z": "ZIPSU", "G": "GONGJE", "C": "GDATE"}  # names in GAMETAG
_KYU: Final = 18  # levels below those of dan
_DAN: Final = 9


def _nodes(text: str) -> list[SgfNode]:
    header = _header(text)
    moves = ({colour: [point]} for colour, point in _moves(text))
    return [root(header, usual_stones(header["HA"])), *moves]


def _header(text: str) -> dict[str, str]:
    written = dict(_HEADER.findall(text))
    info = {_TAGS[name]: value for name, value in _fields(written, "GAMETAG").items() if name in _TAGS}
    info |= _fields(written, "GAMEINFOSUB") | _fields(written, "GAMEINFOMAIN")
    handicap = re.search(r"^INI 0 \d+ (\d+)", text, re.MULTILINE)
    komi = info.get("GONGJE", "")
    return {
        "SZ": info.get("LINE", ""),
        "KM": f"{int(komi) / 10:g}" if komi.isdecimal() else "",
        "HA": handicap[1] if handicap else "",
        "RE": _result(info) or written.get("GAMERESULT", ""),
        "DT": _date(written.get("GAMEDATE") or info.get("GDATE", "")),
        "GN": written.get("GAMENAME") or info.get("GNAME", ""),
        **_player(written, "B", "BLACK"),
        **_player(written, "W", "WHITE"),
    }


def _fields(written: Mapping[str, str], name: str) -> dict[str, str]:
    return dict(_FIELD.findall(written.get(name, "")))


def _date(written: str) -> str:
    """Return the day in a text such as "2016- 3-26-17-29-25" or "2016:03:26:17:29"."""
    day = parse_date(written.replace(" ", "").replace(":", "-"))
    return date_name(day) if day else ""


def _result(info: Mapping[str, str]) -> str:
    code, margin = info.get("GRLT", ""), info.get("ZIPSU", "")
    if code in _WINNERS and margin.isdecimal():
        return f"{_WINNERS[code]}+{int(margin) / 10:g}"
    return _RESULTS.get(code, "")


def _player(written: Mapping[str, str], letter: str, colour: str) -> dict[str, str]:
    user = _fields(written, f"{letter}USERINFO")
    name = written.get(f"GAME{colour}NAME") or user.get(f"{letter}ID", "")
    with_rank = _NAME.match(name)
    if with_rank:
        return {f"P{letter}": with_rank[1], f"{letter}R": with_rank[2]}
    return {f"P{letter}": name, f"{letter}R": _rank(user.get(f"{letter}LV", ""))}


def _rank(level: str) -> str:
    """Return the rank of a level: 1 is 17 kyu, 17 is 1 kyu, 18 is 1 dan; "" for one beyond 9 dan."""
    number = int(level) if re.fullmatch(r"\d{1,2}", level, re.ASCII) else _KYU + _DAN
    if number < _KYU:
        return f"{_KYU - number}k"
    return f"{number - _KYU + 1}d" if number < _KYU + _DAN else ""


def _moves(text: str) -> Iterator[tuple[str, str]]:
    """Yield colour and point of each move (STO) and pass (SKI)."""
    for line in text.splitlines():
        words = line.split()
        if len(words) > 3 and words[0] in ("STO", "SKI"):
            yield "B" if words[3] == "1" else "W", _point(words[4:6]) if words[0] == "STO" else ""


def _point(words: list[str]) -> str:
    """Return the point of a column and a row from 0; the written text if there is no such point."""
    numbers = [int(word) for word in words if re.fullmatch(r"\d{1,2}", word, re.ASCII)]
    if len(numbers) != 2 or max(numbers) >= SIDE:
        return " ".join(["STO", *words])
    return sgf_name(numbers[1] * SIDE + numbers[0], SIDE)


GIB: Final = Format("GIB", (".gib",), _SIGN, _nodes)
