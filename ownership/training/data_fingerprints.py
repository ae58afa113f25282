"""Fingerprints of what a network learned from: of games, a teacher's positions and the first weights."""

import hashlib

from ownership.inference.model_files import ModelFiles
from ownership.training.training_games import TrainingGames, trained_path


def fingerprints_of(games: TrainingGames, initial_weights: ModelFiles | None) -> dict[str, str]:
    """Return what a training learns from in short: `GameTable.fingerprint` by split, and of the first weights.

    Raises:
        ModelError: the first model has no best.keras.
    """
    tables = {"train": games.train, "validation": games.held_out, "soft": games.soft}
    found = {name: table.fingerprint for name, table in tables.items() if table is not None}
    return found | ({"initial_weights": fingerprint(initial_weights)} if initial_weights else {})


def fingerprint(start: ModelFiles) -> str:
    """Return a name for the weights to begin with; raise ModelError if there are none."""
    return hashlib.blake2b(trained_path(start).read_bytes(), digest_size=8).hexdigest()
