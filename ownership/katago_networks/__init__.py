"""KataGo's networks: reading their files, and building them as Keras models."""
