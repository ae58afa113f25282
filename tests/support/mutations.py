"""Records with faults drawn at random: the same number gives the same record."""

from collections.abc import Callable, Iterator

import numpy as np

from game_records.game_record import GameRecord
from game_records.record_errors import RecordError
from game_records.registered_formats import parse_record
from game_records.sgf_collection import split_games
from tests.support.paths import EXAMPLES
from tests.support.records import FINISHED, GIB, GIB_2025, NGF, NGF_OF_SINA, OPEN, UGF

_PIECES = (
    *(
        b"(",
        b")",
        b";",
        b"[",
        b"]",
        b"\\",
        b":",
        b"\n(;",
        b"\0",
        b"\xff",
        b"\r\n",
        b"AB[aa]",
        b"AW[bb:cc]",
        b"AE[aa]",
        b"W[ee]",
    ),
    *(
        b"Black[aa]",
        b"White[]",
        b"KM[350]",
        b"RE[W+3]",
        b"SZ[5]",
        b"HA[4]",
        b"PL[W]",
        b"TB[aa:bb]",
        b"l2SZ[9]",
        b"GI",
        b"[Data]\n",
    ),
    *(
        "逆コミ".encode(),
        "黒".encode("cp932"),
        "黑".encode("gb18030"),
        b"CA[gbk]",
        b"W[NaN]",
        b"DT[1950]",
        b"B[dundefined]",
    ),
)
_Change = Callable[[bytes, np.random.Generator], bytes]


def _sources() -> list[bytes]:
    examples = [path.read_bytes() for path in sorted(EXAMPLES.glob("*.sgf"))]
    servers = [
        GIB.encode("gb18030"),
        GIB_2025.encode(),
        NGF.encode(),
        NGF_OF_SINA.encode("gb18030"),
        UGF.encode("cp932"),
    ]
    several = b"\n".join([FINISHED, OPEN, *examples[:1]])
    return [*examples, *servers, FINISHED, OPEN, several, examples[0].decode().encode("utf-16-le")]


def _slice(data: bytes, random: np.random.Generator) -> slice:
    begin = int(random.integers(len(data) + 1))
    return slice(begin, begin + int(random.integers(1, 40)))


def _without(data: bytes, random: np.random.Generator) -> bytes:
    part = _slice(data, random)
    return data[: part.start] + data[part.stop :]


def _repeated(data: bytes, random: np.random.Generator) -> bytes:
    part = _slice(data, random)
    return data[: part.stop] + data[part.start :]


def _moved(data: bytes, random: np.random.Generator) -> bytes:
    part, at = data[_slice(data, random)], int(random.integers(len(data) + 1))
    return data[:at] + part + data[at:]


def _inserted(data: bytes, random: np.random.Generator) -> bytes:
    at = int(random.integers(len(data) + 1))
    return data[:at] + _PIECES[int(random.integers(len(_PIECES)))] + data[at:]


def _with_another_byte(data: bytes, random: np.random.Generator) -> bytes:
    changed = bytearray(data or b" ")
    changed[int(random.integers(len(changed)))] = int(random.integers(256))
    return bytes(changed)


def _cut(data: bytes, random: np.random.Generator) -> bytes:
    return data[: int(random.integers(len(data) + 1))]


_CHANGES: tuple[_Change, ...] = (_without, _repeated, _moved, _inserted, _inserted, _with_another_byte, _cut)


def mutated(count: int) -> Iterator[bytes]:
    """Yield records in all formats, each with up to four faults."""
    sources = _sources()
    for number in range(count):
        random = np.random.default_rng(number)
        data = sources[number % len(sources)]
        for _ in range(int(random.integers(1, 5))):
            data = _CHANGES[int(random.integers(len(_CHANGES)))](data, random)
        yield data


def readings(data: bytes) -> list[str]:
    """Return in words all that is read of each game in a file, or why it cannot be used."""
    return [_reading(game) for game in list(split_games([data])) or [data]]


def _reading(data: bytes) -> str:
    try:
        game = parse_record(data, "mutated")[0]
    except RecordError as error:
        return str(error)
    values = {name: _value(getattr(game, name)) for name in GameRecord.__dataclass_fields__}
    return f"{game.id} {values}"


def _value(value: object) -> object:
    return value.tolist() if isinstance(value, np.ndarray) else value
