"""Which weights answer in bulk, where no lead is shown: int8 ones if this processor multiplies them faster."""

import platform
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from ownership.inference.model_files import ModelFiles

_CPUINFO: Final = Path("/proc/cpuinfo")  # of Linux
_INT8_PRODUCTS: Final = {"avx512_vnni", "avx_vnni", "amx_int8", "asimddp", "i8mm"}


def in_bulk(files: ModelFiles, *, int8_products: bool | None = None) -> ModelFiles:
    """Return a model with the weights by which it answers in bulk: its own, or int8 ones.

    Args:
        files: the model.
        int8_products: whether the processor has them; None for this one.
    """
    if files.bulk is None or not (has_int8_products() if int8_products is None else int8_products):
        return files
    return replace(files, weights=files.bulk, sha256=files.bulk_sha256)


@cache
def has_int8_products() -> bool:
    """Return whether this processor has dot products of int8; False where it does not say."""
    if platform.system() == "Darwin":
        return platform.machine() == "arm64"
    try:
        return names_int8_products(_CPUINFO.read_text("utf-8", "replace"))
    except OSError:
        return False


def names_int8_products(cpuinfo: str) -> bool:
    """Return whether the flags of the first processor in the text of /proc/cpuinfo name dot products of int8."""
    named = (line.partition(":") for line in cpuinfo.splitlines())
    flags = next((values for name, _, values in named if name.strip() in ("flags", "Features")), "")
    return not _INT8_PRODUCTS.isdisjoint(flags.split())
