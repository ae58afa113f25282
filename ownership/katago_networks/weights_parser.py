"""Words, numbers, weights and layers of KataGo's model files.

A file is a sequence of words with blocks of float32 in between, which `.bin.gz` holds as `@BIN@` and little-endian
bytes.
"""

import gzip
import math
from typing import IO, Final

import numpy as np

from goban.errors import InputError, shown
from ownership.katago_networks.network_parts import Convolution, Normalization, RootMeanSquare, Weights

KATAGO_ACTIVATIONS: Final = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
}
MOST_CHANNELS: Final = 1 << 14
_MOST_WEIGHTS: Final = 1 << 29
_MOST_PACKED: Final = 4  # weights that a byte of a file may stand for, those of zero included
_SMALL_FILE: Final = 1 << 20
_CHUNK: Final = 1 << 16
_LONGEST_WORD: Final = 200
_BINARY: Final = b"@BIN@"


class KataGoFileError(InputError):
    """A file that holds no network of KataGo that can be used."""


class WeightsReader:
    """Reads a file from front to back, and unpacks no more of it than the sizes read so far call for.

    Args:
        name: of the file, for messages.
        stream: the file, unpacked.
        size: of the file on disk in bytes, which bounds how many weights it may hold.

    Attributes:
        version: of the file's format, once it is known.
        place: the name of the part that comes next, which messages give.
        blocks: the blocks of the trunk that the file has announced so far.
        depth: how many blocks the next one is inside of.

    All methods raise KataGoFileError where the file holds something else.
    """

    def __init__(self, name: str, stream: IO[bytes] | gzip.GzipFile, size: int) -> None:
        self.version = self.blocks = self.depth = 0
        self.place = "the head"
        self._most = min(_MOST_WEIGHTS, _MOST_PACKED * max(size, _SMALL_FILE))
        self._name = name
        self._stream = stream
        self._data = bytearray()  # unpacked, from some place on
        self._at = 0  # of what comes next
        self._weights = 0

    def convolution(self, inputs: int | None = None, outputs: int | None = None) -> Convolution:
        """Read a convolution of the channels that are given, of any number where they are not."""
        self.place = self.word()
        height, width = self.whole(1, 99), self.whole(1, 99)
        channels = self.channels(inputs), self.channels(outputs)
        dilation = self.whole(1, 99), self.whole(1, 99)
        if not height % 2 or not width % 2:
            raise self.error("a convolution of odd size", f"{height}x{width}")
        return Convolution(self.floats(height, width, *channels), dilation)

    def normalization(self, channels: int) -> Normalization:
        """Read batch normalization, as one scale and one bias, with the activation after it."""
        self.place = self.word()
        self.channels(channels)
        epsilon, has_scale, has_bias = self.number(), self.whole(0, 1), self.whole(0, 1)
        mean, variance = self.floats(channels), self.floats(channels)
        scale = self.floats(channels) if has_scale else np.ones(channels, np.float32)
        bias = self.floats(channels) if has_bias else np.zeros(channels, np.float32)
        if (variance < 0).any():
            raise self.error("variances of 0 or more", f"{variance.min():g}")
        scale = (scale / np.sqrt(variance + np.float32(epsilon))).astype(np.float32)
        with np.errstate(over="ignore", invalid="ignore"):  # what is no number is found before the export
            shift = (bias - scale * mean).astype(np.float32)
        return Normalization(scale, shift, self.activation())

    def rms(self, channels: int) -> RootMeanSquare:
        """Read RMS normalization over the channels."""
        self.place = self.word()
        self.channels(channels)
        epsilon = self.number()
        return RootMeanSquare(self.floats(channels), np.zeros(channels, np.float32), epsilon)

    def spatial_rms(self, channels: int) -> RootMeanSquare:
        """Read RMS normalization with a bias, over the channels or the board as well."""
        self.place = self.word()
        self.channels(channels)
        epsilon, spatial = self.number(), self.whole(0, 1) == 1
        self.zeros(1)
        return RootMeanSquare(self.floats(channels), self.floats(channels), epsilon, spatial, self.activation())

    def matrix(self, inputs: int | None = None, outputs: int | None = None) -> Weights:
        """Read a matrix, float32 (inputs, outputs)."""
        self.place = self.word()
        return self.floats(self.channels(inputs), self.channels(outputs))

    def bias(self, channels: int) -> Weights:
        """Read a bias, float32 (channels,)."""
        self.place = self.word()
        return self.floats(self.channels(channels))

    def activation(self) -> str:
        """Read the name of an activation, one of Keras."""
        self.place = self.word()
        if self.version < 11:
            return "relu"
        kind = self.word()
        if kind not in KATAGO_ACTIVATIONS:
            raise self.error(f"an activation of {', '.join(KATAGO_ACTIVATIONS)}", repr(kind))
        return KATAGO_ACTIVATIONS[kind]

    def channels(self, expected: int | None = None) -> int:
        """Read a number of channels."""
        found = self.whole(1, MOST_CHANNELS)
        if expected is not None and found != expected:
            raise self.error(f"{expected} channels", str(found))
        return found

    def zeros(self, count: int) -> None:
        """Read options that must be off."""
        for _ in range(count):
            if (option := self.word()) != "0":
                raise self.error("an option that is known (0)", option)

    def word(self) -> str:
        """Return the next word."""
        ahead = self._ahead(_LONGEST_WORD)
        words = ahead.split(maxsplit=1)
        if not words:
            raise self.error("more of the network", "no more words")
        self._at += ahead.index(words[0]) + len(words[0])
        word = words[0].decode("ascii", "replace")
        if not word.isprintable():
            raise self.error("a word that can be printed", shown(word))
        return word

    def whole(self, least: int, most: int) -> int:
        """Read a whole number, `least` to `most`."""
        word = self.word()
        if not word.isdigit() or not least <= int(word) <= most:
            raise self.error(f"a whole number {least}..{most}", repr(word))
        return int(word)

    def number(self) -> float:
        """Read a number above 0."""
        word = self.word()
        try:
            number = float(word)
        except ValueError:
            number = np.nan
        if not np.isfinite(number) or number <= 0:
            raise self.error("a number above 0", repr(word))
        return number

    def floats(self, *shape: int) -> Weights:
        """Read weights of a shape, float32."""
        count = math.prod(shape)
        self._weights += count
        if self._weights > self._most:
            raise self.error(f"at most {self._most} weights in a file of this size", f"{self._weights} or more")
        marker = self._ahead(_LONGEST_WORD).find(_BINARY)
        if marker >= 0:
            self._at += marker + len(_BINARY)
            block = self._ahead(4 * count)
            if len(block) < 4 * count:
                raise self.error(f"{count} weights", "the end of the file")
            self._at += 4 * count
            values = np.frombuffer(block, "<f4").astype(np.float32)
        else:
            values = self._text_floats(count)
        if not np.isfinite(values).all():
            raise self.error("finite weights", "NaN or infinity")
        return values.reshape(shape)

    def _text_floats(self, count: int) -> Weights:
        """Read numbers of a `.txt.gz` file."""
        values: list[bytes] = []
        while len(values) < count:
            ahead = self._ahead(_CHUNK)
            if len(ahead) == _CHUNK:  # the last word may go on
                ahead = ahead[: max(ahead.rfind(b" "), ahead.rfind(b"\n"))]
            words = ahead.split(maxsplit=count - len(values))
            if not words:
                raise self.error(f"{count} weights", "the end of the file")
            rest = words.pop() if len(words) > count - len(values) else b""
            self._at += len(ahead) - len(rest)
            values += words
        try:
            return np.array(values, np.float32)
        except ValueError:
            raise self.error(f"{count} weights", "other text") from None

    def _ahead(self, count: int) -> bytes:
        """Return the next bytes, `count` of them unless the file ends before; they stay ahead."""
        if self._at + count > len(self._data):
            del self._data[: self._at]
            self._at = 0
            while len(self._data) < count and (chunk := self._stream.read(count - len(self._data) + _CHUNK)):
                self._data += chunk
        return bytes(self._data[self._at : self._at + count])

    def expect_end(self) -> None:
        """Read the rest of the file, which must be white space."""
        while rest := self._ahead(_CHUNK):
            if rest.strip():
                raise self.error("the end of the file", "more data")
            self._at += len(rest)

    def error(self, expected: str, received: str) -> KataGoFileError:
        """Return the error of a file that holds something else than expected."""
        return KataGoFileError(
            f"{self._name}: expected a network of KataGo, in {self.place[:80]} {expected}. Received: {received}"
        )
