"""The parts of a network of KataGo: weights as plain arrays, in the order in which they are used."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Convolution:
    """A convolution without bias: `kernel` float32 (height, width, in, out); `dilation` (rows, columns)."""

    kernel: Weights
    dilation: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Normalization:
    """Batch normalization with fixed statistics, as `scale` and `bias`, float32 (C,), and the activation after it."""

    scale: Weights
    bias: Weights
    activation: str


@dataclass(frozen=True, eq=False)
class RootMeanSquare:
    """RMS normalization: `scale` and `bias` float32 (C,); `spatial`, whether the mean is over the board as well."""

    scale: Weights
    bias: Weights
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
    pooled_to_bias: Weights
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
    query: Weights
    key: Weights
    value: Weights
    out: Weights
    frequencies: Weights | None


@dataclass(frozen=True, eq=False)
class FeedForward:
    """A gated two-layer perceptron on each point (SwiGLU); added to the input. Weights float32 (in, out)."""

    norm: RootMeanSquare
    linear: Weights
    gate: Weights
    out: Weights


Block = Residual | Pooling | Nested | Attention | FeedForward


@dataclass(frozen=True, eq=False)
class PolicyHead:
    """Logits of the moves: the first channel of `points`, and of the pass."""

    points: Convolution
    pooled: Convolution
    pooled_norm: Normalization
    pooled_to_bias: Weights
    points_norm: Normalization
    logits: Convolution
    pass_hidden: Weights
    pass_bias: Weights | None
    pass_activation: str
    pass_out: Weights | None


@dataclass(frozen=True, eq=False)
class ValueHead:
    """Win, loss and no result; the score; the ownership."""

    hidden: Convolution
    hidden_norm: Normalization
    pooled: Weights
    pooled_bias: Weights
    pooled_activation: str
    value: Weights
    value_bias: Weights
    score: Weights
    score_bias: Weights
    ownership: Convolution


@dataclass(frozen=True)
class Multipliers:
    """The factors that turn outputs of the score head into points."""

    deviation: float = 20.0
    lead: float = 20.0


@dataclass(frozen=True, eq=False)
class KataGoModel:
    """A network of KataGo: its weights, in the order in which they are used.

    Attributes:
        strict_pass_alive: whether the planes of areas are those with suicide allowed, under all rules.
    """

    name: str
    version: int
    multipliers: Multipliers
    planes: Convolution
    globals: Weights
    blocks: tuple[Block, ...]
    tip: Normalization | RootMeanSquare
    policy: PolicyHead
    value: ValueHead
    strict_pass_alive: bool = False
