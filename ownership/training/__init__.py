"""Networks and how they are trained; the only package that imports Keras."""
