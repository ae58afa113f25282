"""Measurements: `python -m benchmarks [NAME ...]` runs all, or some, on real games where there are any."""
