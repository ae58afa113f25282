"""From a Keras model to the bytes of a LiteRT file, with weights of int8, float16 or float32."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, Literal

import keras

from goban.errors import InputError
from ownership.export.rounding_corrections import OWNER, is_rounded, mean_errors, owner_in_halves, owner_kept
from ownership.inference.litert_network import NamedArrays

Weights = Literal["int8", "float16", "float32"]
_OWNER_BY: dict[Weights, Callable[[keras.Model], AbstractContextManager[None]]] = {
    "int8": owner_kept,
    "float16": owner_in_halves,
    "float32": lambda _: nullcontext(),
}


class ExportError(InputError):
    """An exported model whose outputs differ from the Keras model's, or that cannot be made."""


def convert_rounded(model: keras.Model, check: Sequence[NamedArrays], parted: Sequence[Any] = ()) -> bytes:
    """Return the LiteRT file of a network with int8 weights, without the bias that their rounding has on average.

    Each channel of a convolution is shifted by the mean of what it loses (Nagel and others: Data-Free Quantization
    Through Weight Equalization and Bias Correction, 2019).

    Args:
        model: as for `convert`; it is left as it was.
        check: inputs of real positions.
        parted: layers that are not shifted, because they lose nothing, see `in_two_parts`.
    """
    rounded = [each for each in model.layers if isinstance(each, keras.layers.Conv2D) and is_rounded(each)]
    shifted = [each for each in rounded if each.use_bias and each.name != OWNER and each not in parted]
    biases = [each.bias.numpy() for each in shifted]
    errors = mean_errors(model, shifted, check)
    try:
        for layer, bias, error in zip(shifted, biases, errors, strict=True):
            layer.bias.assign(bias + error)
        return convert(model, "int8")
    finally:
        for layer, bias in zip(shifted, biases, strict=True):
            layer.bias.assign(bias)


def convert(model: keras.Model, weights: Weights) -> bytes:
    """Return the LiteRT file of a network: signature `serving_default`, any batch and side.

    It needs TensorFlow, and does not check the result: see `difference_from_keras`.

    Args:
        model: a float32 network built by `build_network`.
        weights: how it keeps them. Those of the ownership head are always exact: int8 ones leave its kernel as it is,
            float16 ones add up to each of its weights.

    Returns:
        the bytes of a .tflite file.

    Raises:
        ExportError: the folder of temporary files, which TMPDIR names, has no room.
    """
    import tensorflow as tf

    specs = {each.name: tf.TensorSpec(each.shape, each.dtype, each.name) for each in model.inputs}
    holder = tf.Module()
    holder.weights = [weight.value for weight in model.weights]
    serve = tf.function(lambda inputs: model(inputs, training=False), input_signature=[specs])
    with tempfile.TemporaryDirectory() as folder:
        try:
            with _OWNER_BY[weights](model):
                tf.saved_model.save(holder, folder, signatures=serve.get_concrete_function())
        except tf.errors.OpError as error:
            reason = error.message.partition("\n")[0]
            raise ExportError(f"{folder}: expected room for a copy of the network. Received: {reason}") from None
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        if weights != "float32":
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
        if weights == "float16":
            converter.target_spec.supported_types = [tf.float16]
        content: bytes = converter.convert()
    return content
