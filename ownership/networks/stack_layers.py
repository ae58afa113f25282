"""Layers of stacks that Keras does not have, registered with it so that saved networks can be loaded."""

from typing import Any

import keras
import numpy as np
from keras import ops

_PACKAGE = "ownership"
_REACH, _BIAS, _SCALE = 2, 1.0, 1e-4  # of local response normalization, as usual since 2012; the power is 3/4


def _symmetrized(x: Any) -> Any:
    """Return the mean of (N, N, ...) over its 8 images under the symmetries of the square."""
    turned = (x + ops.swapaxes(x, 0, 1)) / 2
    flipped = (turned + ops.flip(turned, 0)) / 2
    return (flipped + ops.flip(flipped, 1)) / 2


def _with_equal_images(x: Any) -> Any:
    """Return (N, N, ...) in which every place has the value of one of its 8 images, the same for all."""
    side = x.shape[0]
    places = np.arange(side * side).reshape(side, side)
    first = np.minimum.reduce([np.rot90(each, turns) for each in (places, places.T) for turns in range(4)])
    return ops.reshape(ops.take(ops.reshape(x, (side * side, *x.shape[2:])), first.ravel(), axis=0), x.shape)


@keras.saving.register_keras_serializable(package=_PACKAGE)
class PositionBias(keras.layers.Layer):  # type: ignore[misc]
    """A bias at every point of a board of one side, for every channel.

    Args:
        symmetric: whether it is the same at all 8 images of a point.
        initial: a Keras initializer, or its name.

    Input and output shape:
        (B, N, N, C) float.
    """

    def __init__(self, symmetric: bool = False, initial: Any = "zeros", **options: Any) -> None:
        super().__init__(**options)
        self.symmetric = symmetric
        self.initial = keras.initializers.get(initial)

    def build(self, shape: Any) -> None:
        """Make the weights."""
        self.bias = self.add_weight(name="bias", shape=tuple(shape[1:]), initializer=self.initial)
        if self.symmetric:
            self.bias.assign(_with_equal_images(self.bias))

    def call(self, x: Any) -> Any:
        """Return the sum."""
        bias = _symmetrized(self.bias) if self.symmetric else self.bias
        return x + ops.cast(bias, x.dtype)

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        initial = keras.initializers.serialize(self.initial)
        return {**super().get_config(), "symmetric": self.symmetric, "initial": initial}


@keras.saving.register_keras_serializable(package=_PACKAGE)
class SymmetricConv2D(keras.layers.Conv2D):  # type: ignore[misc]
    """A convolution whose kernels are the mean of their 8 images, so that they learn as one in all symmetries.

    The first kernels are symmetric and as large as in other convolutions: the mean of 8 would be smaller.
    """

    def build(self, shape: Any) -> None:
        """Make the weights."""
        super().build(shape)
        self._kernel.assign(_with_equal_images(self._kernel))

    @property
    def kernel(self) -> Any:
        """The kernels that are used, (K, K, channels, filters)."""
        return _symmetrized(super().kernel)


@keras.saving.register_keras_serializable(package=_PACKAGE)
class LocalResponse(keras.layers.Layer):  # type: ignore[misc]
    """Local response normalization: features compete with features of neighbouring channels (Krizhevsky and others,
    2012).

    Input and output shape:
        (B, N, N, C) float.
    """

    def call(self, x: Any) -> Any:
        """Return each feature divided by a power of the sum of squares around it."""
        return _normalized(x)


def _normalized(x: Any) -> Any:
    channels = np.arange(x.shape[-1])
    beside = np.abs(channels[:, None] - channels) <= _REACH
    scale = ops.rsqrt(_BIAS + ops.matmul(ops.square(x), ops.cast(_SCALE * beside, x.dtype)))
    return x * scale * ops.sqrt(scale)  # powers and slices of the channels would take twenty times as long


def _copies(x: Any, count: int) -> Any:
    """Return `count` times x, whose gradients are added in one order: training is the same again from the same seed.

    TensorFlow's own sum of three or more gradients begins with one whose memory is free by then.
    """

    @ops.custom_gradient  # type: ignore[untyped-decorator]
    def copied(x: Any) -> Any:
        def gradient(*gradients: Any) -> Any:  # JAX gives one tuple of all
            return ops.sum(ops.stack(keras.tree.flatten(gradients)), axis=0)

        return (x,) * count, gradient

    return copied(x)


@keras.saving.register_keras_serializable(package=_PACKAGE)
class Unfolded(keras.layers.Layer):  # type: ignore[misc]
    """A recurrent convolution, unfolded: each step takes the layer's input and the output of the step before.

    Args:
        filters: of its kernels.
        kernel: side of these.
        steps: at least 1.
        untied: whether each step has kernels of its own.
        normalized: whether local response normalization follows each step.
        activation: of each step.
        initial: a Keras initializer of the kernels, or its name.

    Input shape:
        (B, N, N, C) float.

    Output shape:
        (B, N, N, filters) float.
    """

    def __init__(
        self,
        filters: int,
        kernel: int,
        steps: int,
        untied: bool = False,
        normalized: bool = False,
        activation: str = "relu",
        initial: Any = "he_normal",
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self.arguments = {
            "filters": filters,
            "kernel": kernel,
            "steps": steps,
            "untied": untied,
            "normalized": normalized,
            "activation": activation,
        }
        self.initial = keras.initializers.get(initial)
        self.steps, self.normalized = steps, normalized
        self.activation = keras.activations.get(activation)
        self.feeding = self._convolution("feeding", use_bias=True)
        names = [f"step{number}" for number in range(1, steps + 1)] if untied else ["step"]
        self.recurrent = [self._convolution(name, use_bias=False) for name in names]

    def _convolution(self, name: str, *, use_bias: bool) -> Any:
        initial = keras.initializers.get(keras.initializers.serialize(self.initial))
        return keras.layers.Conv2D(
            self.arguments["filters"],
            self.arguments["kernel"],
            padding="same",
            use_bias=use_bias,
            kernel_initializer=initial,
            dtype=self.dtype_policy,
            name=name,
        )

    def build(self, shape: Any) -> None:
        """Make the weights."""
        self.feeding.build(shape)
        for layer in self.recurrent:
            layer.build((*shape[:-1], self.arguments["filters"]))

    def call(self, x: Any) -> Any:
        """Return the output of the last step."""
        first, *fed = _copies(self.feeding(x), self.steps + 1)
        state = self._answer(first)
        for step in range(self.steps):
            layer = self.recurrent[step % len(self.recurrent)]
            state = self._answer(fed[step] + layer(state))
        return state

    def _answer(self, x: Any) -> Any:
        x = self.activation(x)
        return _normalized(x) if self.normalized else x

    def compute_output_shape(self, shape: Any) -> Any:
        """Return the shape with the channels of its filters."""
        return (*shape[:-1], self.arguments["filters"])

    def get_config(self) -> dict[str, Any]:
        """Return the arguments, for saving."""
        return {**super().get_config(), **self.arguments, "initial": keras.initializers.serialize(self.initial)}
