"""Files, other programs and workers: what every job needs of the machine."""
