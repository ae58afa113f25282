"""How layers keep their answers although an exported network rounds their kernels and inputs."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from ownership.inference.litert_network import NamedArrays
from ownership.inference.model_files import ModelConfig
from ownership.inference.network_config import NetworkConfig
from ownership.networks.score_layers import MarginDistribution, ScoreDistribution

OWNER = "owner"  # the layer of the ownership head
_ROUNDED_FROM = 1024  # weights of a kernel that the converter makes int8
_INT8 = 127
_STEPS = 255  # of an input
_TINY = 1e-12
_TRUNK = ("stem", "block")


def is_rounded(layer: Any) -> bool:
    """Return whether the converter rounds the kernel of a layer."""
    return isinstance(layer, keras.layers.Conv2D | keras.layers.Dense) and (
        int(np.prod(layer.kernel.shape)) >= _ROUNDED_FROM
    )


def _rounding_error(kernel: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the error of rounding a kernel to int8, with a step for each output channel."""
    step = np.maximum(np.abs(kernel).max(axis=tuple(range(kernel.ndim - 1))) / _INT8, _TINY)
    error: NDArray[np.float32] = kernel - np.round(kernel / step) * step
    return error


def mean_errors(
    model: keras.Model, layers: Sequence[keras.layers.Conv2D], check: Sequence[NamedArrays]
) -> list[NDArray[np.float64]]:
    """Return the mean loss of the outputs of convolutions by the rounding of their kernels, (C,) each."""
    if not layers:
        return []
    kernels = [each.kernel.numpy() for each in layers]
    errors = [_rounding_error(kernel) for kernel in kernels]
    seen = keras.Model(model.inputs, {each.name: each.input for each in layers})
    sums = [np.zeros(kernel.shape[-1]) for kernel in kernels]
    for inputs in check:
        found = seen(inputs)
        for total, layer, kernel in zip(sums, layers, errors, strict=True):
            mean = ops.mean(layer.convolution_op(found[layer.name], kernel), axis=(0, 1, 2))
            total += len(inputs["planes"]) * ops.convert_to_numpy(mean)
    positions = sum(len(inputs["planes"]) for inputs in check)
    return [total / positions for total in sums]


def last_layers(model: keras.Model, config: ModelConfig) -> list[Any]:
    """Return the rounded layers of the last residual block and of the heads but that of the ownership.

    What the last block answers only the heads read, and long training makes it large: there rounding loses most.
    """
    if not isinstance(config, NetworkConfig) or config.architecture != "residual":
        return []
    hidden = [each.hidden for each in model.layers if isinstance(each, MarginDistribution | ScoreDistribution)]
    return [
        each
        for each in (*model.layers, *hidden)
        if is_rounded(each)
        and each.name != OWNER
        and (each.name.startswith(f"block{config.blocks}_") or not each.name.startswith(_TRUNK))
    ]


@contextmanager
def owner_kept(model: keras.Model) -> Iterator[None]:
    """Let the kernel of the ownership head stay float32, by parts that the converter does not round to int8.

    It has one output channel: the rounding of all its weights adds up at every point of the board, always to the same
    side.
    """

    def convolve(x: Any, kernel: Any) -> Any:
        step = (_ROUNDED_FROM - 1) // int(np.prod(kernel.shape[:2]))
        starts = range(0, kernel.shape[2], step)
        return sum(ops.conv(x[..., at : at + step], kernel[:, :, at : at + step], padding="same") for at in starts)

    with _convolving([each for each in _owner(model) if is_rounded(each)], convolve):
        yield


@contextmanager
def owner_in_halves(model: keras.Model) -> Iterator[None]:
    """Let the ownership head add up products with its kernel in float16, and with what float16 leaves out."""
    owner = _owner(model)
    values = owner[0].kernel.numpy() if owner else np.zeros(())
    near = values.astype(np.float16).astype(np.float32)

    def convolve(x: Any, _: Any) -> Any:
        return ops.conv(x, near, padding="same") + ops.conv(x, values - near, padding="same")

    with _convolving(owner, convolve):
        yield


def _owner(model: keras.Model) -> list[keras.layers.Conv2D]:
    """Return the layer of the ownership head, none where it is no convolution."""
    return [each for each in model.layers if each.name == OWNER and isinstance(each, keras.layers.Conv2D)]


@contextmanager
def _convolving(layers: Sequence[keras.layers.Conv2D], convolve: Callable[[Any, Any], Any]) -> Iterator[None]:
    """Let layers convolve in another way."""
    for layer in layers:
        layer.convolution_op = convolve
    try:
        yield
    finally:
        for layer in layers:
            del layer.convolution_op


@contextmanager
def in_two_parts(layers: Sequence[Any]) -> Iterator[None]:
    """Let layers add up products of rounded kernels and inputs and of the rounding errors of both.

    Three products take the place of one; that of both remainders is left out.
    """
    for layer in layers:
        if isinstance(layer, keras.layers.Conv2D):
            layer.convolution_op = _by_parts(
                layer.kernel.numpy(), lambda x, kernel: ops.conv(x, kernel, padding="same")
            )
        else:
            layer.call = _dense(layer, _by_parts(layer.kernel.numpy(), ops.matmul))
    try:
        yield
    finally:
        for layer in layers:
            del layer.__dict__["convolution_op" if isinstance(layer, keras.layers.Conv2D) else "call"]


def _by_parts(kernel: NDArray[np.float32], product: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return the product of an input with a kernel, by parts."""
    lost = _rounding_error(kernel)
    rounded = kernel - lost

    def by_parts(x: Any, _: Any = None) -> Any:
        step = _step(x)
        near = ops.round(x / step) * step
        return product(near, rounded) + product(x - near, rounded) + product(near, lost)

    return by_parts


def _step(x: Any) -> Any:
    """Return the step to which the runtime rounds the input of each position."""
    axes = tuple(range(1, len(x.shape)))
    largest = ops.max(ops.maximum(x, 0.0), axis=axes, keepdims=True)
    least = ops.min(ops.minimum(x, 0.0), axis=axes, keepdims=True)
    return ops.maximum((largest - least) / _STEPS, _TINY)


def _dense(layer: keras.layers.Dense, product: Callable[[Any], Any]) -> Callable[..., Any]:
    """Return the call of a dense layer by another product."""

    def call(x: Any, training: bool | None = None) -> Any:
        return layer.activation(product(x) + layer.bias)

    return call
