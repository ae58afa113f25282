"""The heads of a network in KataGo's model files."""

from typing import Final

from ownership.katago.model import Floats, PolicyHead, ValueHead
from ownership.katago.reading import Reader

_SCORES: Final = 3


def read_policy(reader: Reader) -> PolicyHead:
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


def read_value(reader: Reader) -> ValueHead:
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


def _score(reader: Reader, units: int) -> Floats:
    """Read the matrix of the score head: mean, deviation, lead and others."""
    matrix = reader.matrix(units)
    if matrix.shape[1] < _SCORES:
        raise reader.error(f"at least {_SCORES} outputs of the score", str(matrix.shape[1]))
    return matrix
