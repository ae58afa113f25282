"""Accuracy and Brier score."""

from ownership.evaluation.measure import accuracy, brier

__all__ = ["accuracy", "brier"]
