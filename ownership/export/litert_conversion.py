"""From a Keras model to the bytes of a LiteRT file, with int8 weights or float32 ones."""

import tempfile
from collections.abc import Sequence
from typing import Any

import keras

from goban.errors import InputError
from ownership.export.rounding_corrections import OWNER, is_rounded, mean_errors, owner_kept
from ownership.inference.litert_network import NamedArrays


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
        return convert(model)
    finally:
        for layer, bias in zip(shifted, biases, strict=True):
            layer.bias.assign(bias)


def convert(model: keras.Model, *, quantized: bool = True) -> bytes:
    """Return the LiteRT file of a network: signature `serving_default`, any batch and side.

    It needs TensorFlow, and does not check the result: see `difference_from_keras`.

    Args:
        model: a float32 network built by `build_network`.
        quantized: whether weights are dynamic-range int8, except in the ownership head, else float32.

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
            with owner_kept(model):
                tf.saved_model.save(holder, folder, signatures=serve.get_concrete_function())
        except tf.errors.OpError as error:
            reason = error.message.partition("\n")[0]
            raise ExportError(f"{folder}: expected room for a copy of the network. Received: {reason}") from None
        converter = tf.lite.TFLiteConverter.from_saved_model(folder)
        if quantized:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
        content: bytes = converter.convert()
    return content
