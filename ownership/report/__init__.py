"""Whole games and models as pages that people can look through: one HTML file each, without outside references."""
