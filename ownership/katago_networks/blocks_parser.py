"""The blocks of a network's trunk in KataGo's model files."""

from collections.abc import Callable
from typing import Final

import numpy as np

from ownership.katago_networks.network_parts import (
    Attention,
    Block,
    FeedForward,
    Nested,
    PolicyHead,
    Pooling,
    Residual,
    ValueHead,
    Weights,
)
from ownership.katago_networks.weights_parser import MOST_CHANNELS, WeightsReader

MOST_BLOCKS: Final = 512  # in all, those inside of others too
_MOST_DEPTH: Final = 4
_SCORES: Final = 3


def read_stack(reader: WeightsReader, count: int, channels: int) -> tuple[Block, ...]:
    """Return the next `count` blocks; each reads and writes `channels` channels."""
    reader.blocks += count
    if reader.blocks > MOST_BLOCKS:
        raise reader.error(f"at most {MOST_BLOCKS} blocks", f"{reader.blocks} or more")
    blocks = []
    for _ in range(count):
        kind = reader.word()
        if kind not in _KINDS:
            raise reader.error(f"a block of {', '.join(_KINDS)}", repr(kind))
        reader.place = reader.word()
        blocks.append(_KINDS[kind](reader, channels))
    return tuple(blocks)


def _residual(reader: WeightsReader, channels: int) -> Residual:
    first = reader.normalization(channels)
    regular = reader.convolution(channels)
    width = regular.kernel.shape[3]
    return Residual(first, regular, reader.normalization(width), reader.convolution(width, channels))


def _pooling(reader: WeightsReader, channels: int) -> Pooling:
    first = reader.normalization(channels)
    regular, pooled = reader.convolution(channels), reader.convolution(channels)
    width, narrow = regular.kernel.shape[3], pooled.kernel.shape[3]
    return Pooling(
        first,
        regular,
        pooled,
        reader.normalization(narrow),
        reader.matrix(3 * narrow, width),
        reader.normalization(width),
        reader.convolution(width, channels),
    )


def _nested(reader: WeightsReader, channels: int) -> Nested:
    count = reader.whole(1, MOST_BLOCKS)
    first = reader.normalization(channels)
    narrow = reader.convolution(channels)
    width = narrow.kernel.shape[3]
    if reader.depth == _MOST_DEPTH:
        raise reader.error(f"blocks inside of at most {_MOST_DEPTH} others", f"blocks inside of {_MOST_DEPTH + 1}")
    reader.depth += 1
    blocks = read_stack(reader, count, width)
    reader.depth -= 1
    return Nested(first, narrow, blocks, reader.normalization(width), reader.convolution(width, channels))


def _attention(reader: WeightsReader, channels: int) -> Attention:
    heads, key_heads, width, value_width = (reader.whole(1, MOST_CHANNELS) for _ in range(4))
    rotary, learnt = reader.whole(0, 1) == 1, reader.whole(0, 1) == 1
    if heads % key_heads or (rotary and width % 2):
        raise reader.error("heads that keys divide, of even width", f"{heads}, {key_heads}, {width}")
    norm = reader.rms(channels)
    query, key = reader.matrix(channels, heads * width), reader.matrix(channels, key_heads * width)
    value = reader.matrix(channels, key_heads * value_width)
    out = reader.matrix(heads * value_width, channels)
    frequencies = None
    if rotary:
        frequencies = _learnt_frequencies(reader, key_heads, width) if learnt else _fixed_frequencies(reader, width)
    return Attention(norm, heads, key_heads, query, key, value, out, frequencies)


def _learnt_frequencies(reader: WeightsReader, heads: int, width: int) -> Weights:
    reader.word()
    shape = tuple(reader.whole(1, MOST_CHANNELS) for _ in range(3))
    if shape != (heads, width // 2, 2):
        raise reader.error(f"rotary frequencies of shape {(heads, width // 2, 2)}", str(shape))
    return reader.floats(*shape)


def _fixed_frequencies(reader: WeightsReader, width: int) -> Weights:
    """Return the frequencies that a base gives: the first half of the pairs turns by row, the rest by column."""
    reader.word()
    base, half = reader.number(), width // 4
    steps = base ** (-2.0 * np.arange(half) / (width // 2))
    frequencies = np.zeros((1, width // 2, 2), np.float32)
    frequencies[0, :half, 1] = frequencies[0, half : 2 * half, 0] = steps
    return frequencies


def _feed_forward(reader: WeightsReader, channels: int) -> FeedForward:
    given, width, gated = reader.whole(1, MOST_CHANNELS), reader.channels(), reader.whole(0, 1)
    if given != channels or not gated:
        raise reader.error(f"a gated layer of {channels} channels", f"{given} channels, gated {gated}")
    norm = reader.rms(channels)
    linear, gate = reader.matrix(channels, width), reader.matrix(channels, width)
    return FeedForward(norm, linear, gate, reader.matrix(width, channels))


_KINDS: Final[dict[str, Callable[[WeightsReader, int], Block]]] = {
    "ordinary_block": _residual,
    "gpool_block": _pooling,
    "nested_bottleneck_block": _nested,
    "transformer_attention_block": _attention,
    "transformer_ffn_block": _feed_forward,
}


def read_policy(reader: WeightsReader) -> PolicyHead:
    """Return the policy head, which comes next."""
    reader.place = reader.word()
    if reader.version >= 17:
        reader.whole(2, 4)
        reader.zeros(3)
    points, pooled = reader.convolution(), reader.convolution()
    width, narrow = points.kernel.shape[3], pooled.kernel.shape[3]
    pooled_norm = reader.normalization(narrow)
    to_bias, points_norm = reader.matrix(3 * narrow, width), reader.normalization(width)
    logits = reader.convolution(width)
    hidden = reader.matrix(3 * narrow)
    bias, activation, out = None, "identity", None
    if reader.version >= 15:
        bias, activation = reader.bias(hidden.shape[1]), reader.activation()
        out = reader.matrix(hidden.shape[1])
    return PolicyHead(points, pooled, pooled_norm, to_bias, points_norm, logits, hidden, bias, activation, out)


def read_value(reader: WeightsReader) -> ValueHead:
    """Return the value head, which comes next."""
    reader.place = reader.word()
    if reader.version >= 17:
        reader.zeros(3)
    hidden = reader.convolution()
    width = hidden.kernel.shape[3]
    norm = reader.normalization(width)
    pooled = reader.matrix(3 * width)
    units = pooled.shape[1]
    return ValueHead(
        hidden,
        norm,
        pooled,
        reader.bias(units),
        reader.activation(),
        reader.matrix(units, 3),
        reader.bias(3),
        score := _score(reader, units),
        reader.bias(score.shape[1]),
        reader.convolution(width, 1),
    )


def _score(reader: WeightsReader, units: int) -> Weights:
    """Read the matrix of the score head: mean, deviation, lead and others."""
    matrix = reader.matrix(units)
    if matrix.shape[1] < _SCORES:
        raise reader.error(f"at least {_SCORES} outputs of the score", str(matrix.shape[1]))
    return matrix
