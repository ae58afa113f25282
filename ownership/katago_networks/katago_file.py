"""KataGo's model files: `.bin.gz` and `.txt.gz` of versions 8 to 17 in, weights as plain arrays out."""

import gzip
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, NamedTuple

from game_records.game_record import printable
from ownership.katago_networks.blocks_parser import MOST_BLOCKS, read_policy, read_stack, read_value
from ownership.katago_networks.network_parts import (
    Block,
    Convolution,
    KataGoModel,
    Multipliers,
    Normalization,
    RootMeanSquare,
    Weights,
)
from ownership.katago_networks.weights_parser import MOST_CHANNELS, KataGoFileError, WeightsReader
from planes.katago_inputs import KATAGO_NUMBERS, KATAGO_PLANES

OLDEST: Final = 8
NEWEST: Final = 17
# What zip archives raise: RuntimeError for one with a password, OSError without a number for damaged bzip2 data.
_DAMAGED: Final = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, KeyError),
)


@dataclass(frozen=True)
class NetworkFile:
    """A file on disk that holds a network, or a member of a zip archive."""

    path: Path
    member: str = ""

    def __str__(self) -> str:
        return printable(f"{self.path}: {self.member}" if self.member else str(self.path))

    @property
    def name(self) -> str:
        """The file's own name, without folders."""
        return printable(Path(self.member).name if self.member else self.path.name)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """Open the file as it is; raise OSError, or KataGoFileError if the block finds the archive damaged."""
        if not self.member:
            with self.path.open("rb") as stream:
                yield stream
            return
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(self.member) as stream:
                yield stream
        except _DAMAGED as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise KataGoFileError(f"{self}: expected a zip archive that can be read. Received: {error}") from None


class Head(NamedTuple):
    """The beginning of a file; `strict`: see `KataGoModel.strict_pass_alive`."""

    name: str
    version: int
    multipliers: Multipliers
    strict: bool


def read_model(file: NetworkFile | Path) -> KataGoModel:
    """Return the network of a file.

    Raises:
        OSError: the file cannot be read.
        KataGoFileError: it holds no network, a damaged one, or one of a version or kind that is not supported.
    """
    with _reading(file) as reader:
        return _model(reader)


def read_head(file: NetworkFile | Path) -> Head:
    """Return how a file begins; raise as `read_model` does."""
    with _reading(file) as reader:
        return _head(reader)


@contextmanager
def _reading(file: NetworkFile | Path) -> Iterator[WeightsReader]:
    found = NetworkFile(file) if isinstance(file, Path) else file
    with found.open() as stream:
        packed = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        try:
            unpacked = gzip.GzipFile(fileobj=stream) if packed else stream
            yield WeightsReader(str(found), unpacked, found.path.stat().st_size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise KataGoFileError(f"{found}: expected a whole gzip file. Received: {error}") from None


def _head(reader: WeightsReader) -> Head:
    name, reader.version = reader.word(), reader.whole(0, 10**6)
    if not OLDEST <= reader.version <= NEWEST:
        raise reader.error(f"a network of version {OLDEST}..{NEWEST}", f"version {reader.version}")
    planes, inputs = reader.whole(1, 1000), reader.whole(1, 1000)
    if (planes, inputs) != (KATAGO_PLANES, KATAGO_NUMBERS):
        raise reader.error(f"{KATAGO_PLANES} planes and {KATAGO_NUMBERS} global inputs", f"{planes} and {inputs}")
    multipliers = _multipliers(reader) if reader.version >= 13 else Multipliers()
    return Head(name, reader.version, multipliers, _options(reader) if reader.version >= 15 else False)


def _model(reader: WeightsReader) -> KataGoModel:
    head = _head(reader)
    first, matrix, blocks, tip = _trunk(reader)
    policy, value = read_policy(reader), read_value(reader)
    reader.expect_end()
    return KataGoModel(
        head.name, head.version, head.multipliers, first, matrix, blocks, tip, policy, value, head.strict
    )


def _multipliers(reader: WeightsReader) -> Multipliers:
    """Read seven factors, of which two belong to outputs that are used here."""
    _, _, deviation, lead, *_ = (reader.number() for _ in range(7))
    return Multipliers(deviation, lead)


def _options(reader: WeightsReader) -> bool:
    """Read the options of newer files; return whether pass-alive areas are those with suicide allowed."""
    if reader.whole(0, 1000) != 0:
        raise reader.error("a network that reads the position alone", "one that reads facts about the players")
    strict = reader.whole(0, 1) == 1
    reader.zeros(6)
    return strict


def _trunk(reader: WeightsReader) -> tuple[Convolution, Weights, tuple[Block, ...], Normalization | RootMeanSquare]:
    reader.word()
    count, channels = reader.whole(1, MOST_BLOCKS), reader.channels()
    for _ in range(4):
        reader.whole(0, MOST_CHANNELS)
    root_mean_square = False
    if reader.version >= 15:
        root_mean_square = reader.whole(0, 1) == 1
        reader.zeros(5)
    first = reader.convolution(KATAGO_PLANES, channels)
    matrix = reader.matrix(KATAGO_NUMBERS, channels)
    blocks = read_stack(reader, count, channels)
    tip = reader.spatial_rms(channels) if root_mean_square else reader.normalization(channels)
    return first, matrix, blocks, tip
