"""How many positions a model evaluates in a second on this machine."""

import json
import os
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import numpy as np

from goban.coords import pass_point
from goban.position import Position
from goban.user_folders import data_folder
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_files import ModelFiles
from runtime.safe_writing import replacing

_POSITIONS: Final = 64
_SECONDS: Final = 1.0  # of measurement for each model
_SIDE: Final = 19


def measured_speed(files: ModelFiles) -> int:
    """Return how many 19x19 positions a model evaluates in a second, planes included; takes a second or more."""
    positions = _random_game(_POSITIONS)
    evaluator = Evaluator(files, cached=0)
    batch = positions[: os.cpu_count() or 1]
    evaluator.evaluate(batch)
    started, done = perf_counter(), 0
    while perf_counter() - started < _SECONDS:
        evaluator.evaluate(batch)
        done += len(batch)
        batch = positions
    return max(1, round(done / (perf_counter() - started)))


def known_speed(files: ModelFiles) -> int:
    """Return the same as it was measured when these weights were first asked about, or measure it now."""
    kept, key = _kept_speeds(), str(files.weights.resolve())
    facts = files.weights.stat()
    of_now = {"bytes": facts.st_size, "changed": facts.st_mtime_ns, "processors": os.cpu_count()}
    entry = kept.get(key)
    if isinstance(entry, dict) and of_now.items() <= entry.items() and isinstance(entry.get("speed"), int):
        return int(entry["speed"])
    speed = measured_speed(files)
    with suppress(OSError):  # a speed that cannot be kept is measured again
        _speeds_file().parent.mkdir(parents=True, exist_ok=True)
        with replacing(_speeds_file()) as partial:
            partial.write_text(json.dumps({**kept, key: {**of_now, "speed": speed}}, indent=1), "utf-8")
    return speed


def _kept_speeds() -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        if isinstance(kept := json.loads(_speeds_file().read_text("utf-8")), dict):
            return kept
    return {}


def _speeds_file() -> Path:
    return data_folder() / "speeds.json"


def _random_game(moves: int) -> list[Position]:
    """Return the positions after each move of a random game: equal ones would be evaluated once."""
    random, position = np.random.default_rng(1), Position.empty(_SIDE)
    positions = []
    for _ in range(moves):
        legal = np.flatnonzero(position.legal_points()[: pass_point(_SIDE)])
        position = position.play(int(random.choice(legal)))
        positions.append(position)
    return positions
