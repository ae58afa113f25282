"""KataGo's model files: `.bin.gz` and `.txt.gz` of versions 8 to 17 in, weights as plain arrays out."""

import gzip
import zlib
from pathlib import Path
from typing import Final

from ownership.katago.blocks import MOST_BLOCKS, read_stack
from ownership.katago.heads import read_policy, read_value
from ownership.katago.model import (
    GLOBAL_INPUTS,
    SPATIAL_PLANES,
    Block,
    Convolution,
    Floats,
    KataGoModel,
    Multipliers,
    Normalization,
    RootMeanSquare,
)
from ownership.katago.reading import MOST_CHANNELS, KataGoFileError, Reader

OLDEST: Final = 8
NEWEST: Final = 17


def read_model(path: Path) -> KataGoModel:
    """Return the network of a file.

    Raises:
        OSError: the file cannot be read.
        KataGoFileError: it holds no network, a damaged one, or one of a version or kind that is not supported.
    """
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            return _model(Reader(path, gzip.GzipFile(fileobj=file) if packed else file))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise KataGoFileError(f"{path}: expected a whole gzip file. Received: {error}") from None


def _model(reader: Reader) -> KataGoModel:
    name, reader.version = reader.word(), reader.whole(0, 10**6)
    if not OLDEST <= reader.version <= NEWEST:
        raise reader.error(f"a network of version {OLDEST}..{NEWEST}", f"version {reader.version}")
    planes, inputs = reader.whole(1, 1000), reader.whole(1, 1000)
    if (planes, inputs) != (SPATIAL_PLANES, GLOBAL_INPUTS):
        raise reader.error(f"{SPATIAL_PLANES} planes and {GLOBAL_INPUTS} global inputs", f"{planes} and {inputs}")
    multipliers = _multipliers(reader) if reader.version >= 13 else Multipliers()
    strict = _options(reader) if reader.version >= 15 else False
    first, matrix, blocks, tip = _trunk(reader)
    model = KataGoModel(
        name, reader.version, multipliers, first, matrix, blocks, tip, read_policy(reader), read_value(reader), strict
    )
    reader.expect_end()
    return model


def _multipliers(reader: Reader) -> Multipliers:
    """Read seven factors, of which three belong to outputs that are used here."""
    _, mean, deviation, lead, *_ = (reader.number() for _ in range(7))
    return Multipliers(mean, deviation, lead)


def _options(reader: Reader) -> bool:
    """Read the options of newer files; return whether pass-alive areas are those with suicide allowed."""
    if reader.whole(0, 1000) != 0:
        raise reader.error("a network that reads the position alone", "one that reads facts about the players")
    strict = reader.whole(0, 1) == 1
    reader.zeros(6)
    return strict


def _trunk(reader: Reader) -> tuple[Convolution, Floats, tuple[Block, ...], Normalization | RootMeanSquare]:
    reader.word()
    count, channels = reader.whole(1, MOST_BLOCKS), reader.channels()
    for _ in range(4):
        reader.whole(0, MOST_CHANNELS)
    root_mean_square = False
    if reader.version >= 15:
        root_mean_square = reader.whole(0, 1) == 1
        reader.zeros(5)
    first = reader.convolution(SPATIAL_PLANES, channels)
    matrix = reader.matrix(GLOBAL_INPUTS, channels)
    blocks = read_stack(reader, count, channels)
    tip = reader.spatial_rms(channels) if root_mean_square else reader.normalization(channels)
    return first, matrix, blocks, tip
