"""Measurements behind figures of the docs, which docs/measured.md lists."""
