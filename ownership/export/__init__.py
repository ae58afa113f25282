"""From a trained Keras model to a model directory: the LiteRT file, and proof that both answer alike."""
