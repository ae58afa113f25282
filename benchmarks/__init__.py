"""Measurements: `python -m benchmarks [NAME ...]` runs them all, or some, on real games where there are any."""
