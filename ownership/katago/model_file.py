"""KataGo's model files: `.bin.gz` and `.txt.gz` of versions 8 to 17 in, weights as plain arrays out.

A file is a sequence of words with blocks of float32 in between, which `.bin.gz` holds as `@BIN@` and little-endian
bytes. What stands where is described by the classes below, each read by the method of `_Reader` with its name.
"""

import gzip
import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError

OLDEST, NEWEST = 8, 17
SPATIAL_PLANES, GLOBAL_INPUTS = 22, 19
ACTIVATIONS: Final = {
    "ACTIVATION_IDENTITY": "identity",
    "ACTIVATION_RELU": "relu",
    "ACTIVATION_MISH": "mish",
    "ACTIVATION_SILU": "silu",
}
_MOST_WEIGHTS: Final = 1 << 29
_SCORES: Final = 3
_CHUNK: Final = 1 << 16
_LONGEST_WORD: Final = 200
_BINARY: Final = b"@BIN@"
_MOST_BLOCKS: Final = 1000
_MOST_CHANNELS: Final = 1 << 14

Floats = NDArray[np.float32]


class KataGoFileError(InputError):
    """A file that holds no network of KataGo that can be used."""


@dataclass(frozen=True, eq=False)
class Convolution:
    """A convolution without bias: `kernel` float32 (height, width, in, out); `dilation` (rows, columns)."""

    kernel: Floats
    dilation: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Normalization:
    """Batch normalization with fixed statistics, as `scale` and `bias`, float32 (C,), and the activation after it."""

    scale: Floats
    bias: Floats
    activation: str


@dataclass(frozen=True, eq=False)
class RootMeanSquare:
    """RMS normalization: `scale` and `bias` float32 (C,); `spatial`, whether the mean is over the board as well."""

    scale: Floats
    bias: Floats
    epsilon: float
    spatial: bool = False
    activation: str = "identity"


@dataclass(frozen=True, eq=False)
class Residual:
    """Normalization, convolution, normalization, convolution; added to the input."""

    first: Normalization
    regular: Convolution
    middle: Normalization
    last: Convolution


@dataclass(frozen=True, eq=False)
class Pooling:
    """As `Residual`, with a bias for each channel from a second convolution pooled over the board."""

    first: Normalization
    regular: Convolution
    pooled: Convolution
    pooled_norm: Normalization
    pooled_to_bias: Floats
    middle: Normalization
    last: Convolution


@dataclass(frozen=True, eq=False)
class Nested:
    """A narrow stack of blocks between two convolutions; added to the input."""

    first: Normalization
    narrow: Convolution
    blocks: tuple["Block", ...]
    middle: Normalization
    wide: Convolution


@dataclass(frozen=True, eq=False)
class Attention:
    """Self-attention over the points of the board, with rotary positions; added to the input.

    Attributes:
        heads: of the queries. key_heads: of keys and values; each serves heads / key_heads queries.
        query, key, value, out: float32 (in, out).
        frequencies: float32 (key_heads or 1, pairs, 2), the angle of a pair of channels for each column and each row;
            None without rotary positions.
    """

    norm: RootMeanSquare
    heads: int
    key_heads: int
    query: Floats
    key: Floats
    value: Floats
    out: Floats
    frequencies: Floats | None


@dataclass(frozen=True, eq=False)
class FeedForward:
    """A gated two-layer perceptron on each point (SwiGLU); added to the input. Weights float32 (in, out)."""

    norm: RootMeanSquare
    linear: Floats
    gate: Floats
    out: Floats


Block = Residual | Pooling | Nested | Attention | FeedForward


@dataclass(frozen=True, eq=False)
class PolicyHead:
    """Logits of the moves: the first channel of `points`, and of the pass."""

    points: Convolution
    pooled: Convolution
    pooled_norm: Normalization
    pooled_to_bias: Floats
    points_norm: Normalization
    logits: Convolution
    pass_hidden: Floats
    pass_bias: Floats | None
    pass_activation: str
    pass_out: Floats | None


@dataclass(frozen=True, eq=False)
class ValueHead:
    """Win, loss and no result; the score; the ownership."""

    hidden: Convolution
    hidden_norm: Normalization
    pooled: Floats
    pooled_bias: Floats
    pooled_activation: str
    value: Floats
    value_bias: Floats
    score: Floats
    score_bias: Floats
    ownership: Convolution


@dataclass(frozen=True)
class Multipliers:
    """What the outputs of the score head are multiplied by to give points."""

    mean: float = 20.0
    deviation: float = 20.0
    lead: float = 20.0


@dataclass(frozen=True, eq=False)
class KataGoModel:
    """A network of KataGo: its weights, in the order in which they are used."""

    name: str
    version: int
    multipliers: Multipliers
    planes: Convolution
    globals: Floats
    blocks: tuple[Block, ...]
    tip: Normalization | RootMeanSquare
    policy: PolicyHead
    value: ValueHead
    strict_pass_alive: bool = field(default=False)


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
            return _Reader(path, gzip.GzipFile(fileobj=file) if packed else file).model()
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise KataGoFileError(f"{path}: expected a whole gzip file. Received: {error}") from None


class _Reader:
    """Reads a file from front to back, and unpacks no more of it than the sizes read so far call for."""

    def __init__(self, path: Path, stream: IO[bytes] | gzip.GzipFile) -> None:
        self._path = path
        self._stream = stream
        self._data = bytearray()  # unpacked, from some place on
        self._at = 0  # of what comes next
        self._weights = 0
        self._version = 0
        self._place = "the head"

    def model(self) -> KataGoModel:
        name, self._version = self._word(), self._whole(0, 10**6)
        if not OLDEST <= self._version <= NEWEST:
            raise self._error(f"a network of version {OLDEST}..{NEWEST}", f"version {self._version}")
        planes, inputs = self._whole(1, 1000), self._whole(1, 1000)
        if (planes, inputs) != (SPATIAL_PLANES, GLOBAL_INPUTS):
            raise self._error(f"{SPATIAL_PLANES} planes and {GLOBAL_INPUTS} global inputs", f"{planes} and {inputs}")
        multipliers = self._multipliers() if self._version >= 13 else Multipliers()
        strict = self._options() if self._version >= 15 else False
        first, matrix, blocks, tip = self._trunk()
        model = KataGoModel(
            name, self._version, multipliers, first, matrix, blocks, tip, self._policy(), self._value(), strict
        )
        while rest := self._ahead(_CHUNK):
            if rest.strip():
                raise self._error("the end of the file", "more data")
            self._at += len(rest)
        return model

    def _ahead(self, count: int) -> bytes:
        """Return the next bytes, `count` of them unless the file ends before; they stay ahead."""
        if self._at + count > len(self._data):
            del self._data[: self._at]
            self._at = 0
            while len(self._data) < count and (chunk := self._stream.read(count - len(self._data) + _CHUNK)):
                self._data += chunk
        return bytes(self._data[self._at : self._at + count])

    def _multipliers(self) -> Multipliers:
        """Read seven factors, of which three belong to outputs that are used here."""
        _, mean, deviation, lead, *_ = (self._number() for _ in range(7))
        return Multipliers(mean, deviation, lead)

    def _options(self) -> bool:
        """Read the options of newer files; return whether pass-alive areas are those with suicide allowed."""
        if self._whole(0, 1000) != 0:
            raise self._error("a network that reads the position alone", "one that reads facts about the players")
        strict = self._whole(0, 1) == 1
        self._zeros(6)
        return strict

    def _zeros(self, count: int) -> None:
        for _ in range(count):
            if (option := self._word()) != "0":
                raise self._error("an option that is known (0)", option)

    def _trunk(self) -> tuple[Convolution, Floats, tuple[Block, ...], Normalization | RootMeanSquare]:
        self._word()
        count, channels = self._whole(1, _MOST_BLOCKS), self._channels()
        for _ in range(4):
            self._whole(0, _MOST_CHANNELS)
        root_mean_square = False
        if self._version >= 15:
            root_mean_square = self._whole(0, 1) == 1
            self._zeros(5)
        first = self._convolution(SPATIAL_PLANES, channels)
        matrix = self._matrix(GLOBAL_INPUTS, channels)
        blocks = self._stack(count, channels)
        tip = self._spatial_rms(channels) if root_mean_square else self._normalization(channels)
        return first, matrix, blocks, tip

    def _stack(self, count: int, channels: int) -> tuple[Block, ...]:
        kinds: dict[str, Callable[[int], Block]] = {
            "ordinary_block": self._residual,
            "gpool_block": self._pooling,
            "nested_bottleneck_block": self._nested,
            "transformer_attention_block": self._attention,
            "transformer_ffn_block": self._feed_forward,
        }
        blocks = []
        for _ in range(count):
            kind = self._word()
            if kind not in kinds:
                raise self._error(f"a block of {', '.join(kinds)}", repr(kind))
            self._place = self._word()
            blocks.append(kinds[kind](channels))
        return tuple(blocks)

    def _residual(self, channels: int) -> Residual:
        first = self._normalization(channels)
        regular = self._convolution(channels)
        width = regular.kernel.shape[3]
        return Residual(first, regular, self._normalization(width), self._convolution(width, channels))

    def _pooling(self, channels: int) -> Pooling:
        first = self._normalization(channels)
        regular, pooled = self._convolution(channels), self._convolution(channels)
        width, narrow = regular.kernel.shape[3], pooled.kernel.shape[3]
        return Pooling(
            first,
            regular,
            pooled,
            self._normalization(narrow),
            self._matrix(3 * narrow, width),
            self._normalization(width),
            self._convolution(width, channels),
        )

    def _nested(self, channels: int) -> Nested:
        count = self._whole(1, _MOST_BLOCKS)
        first = self._normalization(channels)
        narrow = self._convolution(channels)
        width = narrow.kernel.shape[3]
        blocks = self._stack(count, width)
        return Nested(first, narrow, blocks, self._normalization(width), self._convolution(width, channels))

    def _attention(self, channels: int) -> Attention:
        heads, key_heads, width, value_width = (self._whole(1, _MOST_CHANNELS) for _ in range(4))
        rotary, learnt = self._whole(0, 1) == 1, self._whole(0, 1) == 1
        if heads % key_heads or (rotary and width % 2):
            raise self._error("heads that keys divide, of even width", f"{heads}, {key_heads}, {width}")
        norm = self._rms(channels)
        query, key = self._matrix(channels, heads * width), self._matrix(channels, key_heads * width)
        value = self._matrix(channels, key_heads * value_width)
        out = self._matrix(heads * value_width, channels)
        frequencies = None
        if rotary:
            frequencies = self._learnt_frequencies(key_heads, width) if learnt else self._fixed_frequencies(width)
        return Attention(norm, heads, key_heads, query, key, value, out, frequencies)

    def _learnt_frequencies(self, heads: int, width: int) -> Floats:
        self._word()
        shape = tuple(self._whole(1, _MOST_CHANNELS) for _ in range(3))
        if shape != (heads, width // 2, 2):
            raise self._error(f"rotary frequencies of shape {(heads, width // 2, 2)}", str(shape))
        return self._floats(*shape)

    def _fixed_frequencies(self, width: int) -> Floats:
        """Return the frequencies that a base gives: the first half of the pairs turns by row, the rest by column."""
        self._word()
        base, half = self._number(), width // 4
        steps = base ** (-2.0 * np.arange(half) / (width // 2))
        frequencies = np.zeros((1, width // 2, 2), np.float32)
        frequencies[0, :half, 1] = frequencies[0, half : 2 * half, 0] = steps
        return frequencies

    def _feed_forward(self, channels: int) -> FeedForward:
        given, width, gated = self._whole(1, _MOST_CHANNELS), self._channels(), self._whole(0, 1)
        if given != channels or not gated:
            raise self._error(f"a gated layer of {channels} channels", f"{given} channels, gated {gated}")
        norm = self._rms(channels)
        linear, gate = self._matrix(channels, width), self._matrix(channels, width)
        return FeedForward(norm, linear, gate, self._matrix(width, channels))

    def _policy(self) -> PolicyHead:
        self._place = self._word()
        if self._version >= 17:
            self._whole(2, 4)
            self._zeros(3)
        points, pooled = self._convolution(), self._convolution()
        width, narrow = points.kernel.shape[3], pooled.kernel.shape[3]
        pooled_norm = self._normalization(narrow)
        to_bias, points_norm = self._matrix(3 * narrow, width), self._normalization(width)
        logits = self._convolution(width)
        hidden = self._matrix(3 * narrow)
        bias, activation, out = None, "identity", None
        if self._version >= 15:
            bias, activation = self._bias(hidden.shape[1]), self._activation()
            out = self._matrix(hidden.shape[1])
        return PolicyHead(points, pooled, pooled_norm, to_bias, points_norm, logits, hidden, bias, activation, out)

    def _value(self) -> ValueHead:
        self._place = self._word()
        if self._version >= 17:
            self._zeros(3)
        hidden = self._convolution()
        width = hidden.kernel.shape[3]
        norm = self._normalization(width)
        pooled = self._matrix(3 * width)
        units = pooled.shape[1]
        return ValueHead(
            hidden,
            norm,
            pooled,
            self._bias(units),
            self._activation(),
            self._matrix(units, 3),
            self._bias(3),
            score := self._score(units),
            self._bias(score.shape[1]),
            self._convolution(width, 1),
        )

    def _score(self, units: int) -> Floats:
        """Read the matrix of the score head: mean, deviation, lead and others."""
        matrix = self._matrix(units)
        if matrix.shape[1] < _SCORES:
            raise self._error(f"at least {_SCORES} outputs of the score", str(matrix.shape[1]))
        return matrix

    def _convolution(self, inputs: int | None = None, outputs: int | None = None) -> Convolution:
        self._place = self._word()
        height, width = self._whole(1, 99), self._whole(1, 99)
        channels = self._channels(inputs), self._channels(outputs)
        dilation = self._whole(1, 99), self._whole(1, 99)
        if not height % 2 or not width % 2:
            raise self._error("a convolution of odd size", f"{height}x{width}")
        return Convolution(self._floats(height, width, *channels), dilation)

    def _normalization(self, channels: int) -> Normalization:
        self._place = self._word()
        self._channels(channels)
        epsilon, has_scale, has_bias = self._number(), self._whole(0, 1), self._whole(0, 1)
        mean, variance = self._floats(channels), self._floats(channels)
        scale = self._floats(channels) if has_scale else np.ones(channels, np.float32)
        bias = self._floats(channels) if has_bias else np.zeros(channels, np.float32)
        scale = (scale / np.sqrt(variance + np.float32(epsilon))).astype(np.float32)
        return Normalization(scale, (bias - scale * mean).astype(np.float32), self._activation())

    def _rms(self, channels: int) -> RootMeanSquare:
        self._place = self._word()
        self._channels(channels)
        epsilon = self._number()
        return RootMeanSquare(self._floats(channels), np.zeros(channels, np.float32), epsilon)

    def _spatial_rms(self, channels: int) -> RootMeanSquare:
        self._place = self._word()
        self._channels(channels)
        epsilon, spatial = self._number(), self._whole(0, 1) == 1
        self._zeros(1)
        return RootMeanSquare(self._floats(channels), self._floats(channels), epsilon, spatial, self._activation())

    def _matrix(self, inputs: int | None = None, outputs: int | None = None) -> Floats:
        self._place = self._word()
        return self._floats(self._channels(inputs), self._channels(outputs))

    def _bias(self, channels: int) -> Floats:
        self._place = self._word()
        return self._floats(self._channels(channels))

    def _activation(self) -> str:
        self._place = self._word()
        if self._version < 11:
            return "relu"
        kind = self._word()
        if kind not in ACTIVATIONS:
            raise self._error(f"an activation of {', '.join(ACTIVATIONS)}", repr(kind))
        return ACTIVATIONS[kind]

    def _channels(self, expected: int | None = None) -> int:
        found = self._whole(1, _MOST_CHANNELS)
        if expected is not None and found != expected:
            raise self._error(f"{expected} channels", str(found))
        return found

    def _word(self) -> str:
        ahead = self._ahead(_LONGEST_WORD)
        words = ahead.split(maxsplit=1)
        if not words:
            raise self._error("more of the network", "no more words")
        self._at += ahead.index(words[0]) + len(words[0])
        return words[0].decode("ascii", "replace")

    def _whole(self, least: int, most: int) -> int:
        word = self._word()
        if not word.isdigit() or not least <= int(word) <= most:
            raise self._error(f"a whole number {least}..{most}", repr(word))
        return int(word)

    def _number(self) -> float:
        word = self._word()
        try:
            number = float(word)
        except ValueError:
            number = np.nan
        if not np.isfinite(number) or number <= 0:
            raise self._error("a number above 0", repr(word))
        return number

    def _floats(self, *shape: int) -> Floats:
        count = math.prod(shape)
        self._weights += count
        if self._weights > _MOST_WEIGHTS:
            raise self._error(f"at most {_MOST_WEIGHTS} weights", f"{self._weights} or more")
        marker = self._ahead(_LONGEST_WORD).find(_BINARY)
        if marker >= 0:
            self._at += marker + len(_BINARY)
            block = self._ahead(4 * count)
            if len(block) < 4 * count:
                raise self._error(f"{count} weights", "the end of the file")
            self._at += 4 * count
            values = np.frombuffer(block, "<f4").astype(np.float32)
        else:
            values = self._text_floats(count)
        if not np.isfinite(values).all():
            raise self._error("finite weights", "NaN or infinity")
        return values.reshape(shape)

    def _text_floats(self, count: int) -> Floats:
        """Read numbers of a `.txt.gz` file."""
        values: list[bytes] = []
        while len(values) < count:
            ahead = self._ahead(_CHUNK)
            if len(ahead) == _CHUNK:  # the last word may go on
                ahead = ahead[: max(ahead.rfind(b" "), ahead.rfind(b"\n"))]
            words = ahead.split(maxsplit=count - len(values))
            if not words:
                raise self._error(f"{count} weights", "the end of the file")
            rest = words.pop() if len(words) > count - len(values) else b""
            self._at += len(ahead) - len(rest)
            values += words
        try:
            return np.array(values, np.float32)
        except ValueError:
            raise self._error(f"{count} weights", "other text") from None

    def _error(self, expected: str, received: str) -> KataGoFileError:
        return KataGoFileError(
            f"{self._path}: expected a network of KataGo, in {self._place[:80]} {expected}. Received: {received}"
        )
