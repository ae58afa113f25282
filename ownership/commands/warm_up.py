"""Compile the kernels for this machine, once after installing.

Examples:
    ownership warm-up

See docs/install.md.
"""

import argparse

from ownership.commands.shared.kernel_compilation import compile_kernels


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `ownership warm-up`: there are none."""


def run(arguments: argparse.Namespace) -> int:
    """Compile the kernels; return 0."""
    compile_kernels()
    return 0
