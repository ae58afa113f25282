"""This process: how many processors it may use, how its threads share the heap, what TensorFlow logs."""

import os
import sys
from pathlib import Path
from typing import Final

_GPU: Final = Path("/dev/nvidiactl")  # exists where a driver runs a GPU
_ARENA_MAX, _MMAP_THRESHOLD = -8, -3  # of glibc's malloc.h
_LARGE: Final = 1 << 17  # bytes


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_heap() -> None:
    """Let threads that start from now on share one heap, and give large blocks back when they are freed.

    By default glibc gives each thread a heap, which keeps what was freed there. Other C libraries are left as they are.
    """
    import ctypes  # not at the start of every command

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt is not None:
        mallopt(_ARENA_MAX, 1)
        mallopt(_MMAP_THRESHOLD, _LARGE)


def quiet_tensorflow() -> None:
    """Let TensorFlow, loaded after this, log errors alone; without a GPU nothing, as it logs that as an error."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2" if _GPU.exists() else "3")
