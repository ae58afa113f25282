"""The layers of networks, as Keras models."""
