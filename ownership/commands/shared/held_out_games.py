"""Games that a command measures models on: progress, and a warning about games that a model has learned from."""

import sys
from collections.abc import Iterator

import numpy as np

from game_datasets.batches import Batch
from game_datasets.game_table import GameTable
from goban.errors import plural
from ownership.commands.shared.progress import progress_bar
from ownership.inference.learned_games import learned_openings
from ownership.inference.model_catalogue import place_of
from ownership.inference.model_files import ModelFiles


def warn_of_training_games(model: ModelFiles, table: GameTable) -> None:
    """Print a warning on stderr if a model has learned from some of the games."""
    known = int(np.isin(table.opening, learned_openings(model)).sum())
    if known:
        print(
            f"ownership: warning: {place_of(model)} learned from {known:,} of {plural(len(table), 'game')}, "
            "or from games that begin as these do",
            file=sys.stderr,
        )


def watched(batches: Iterator[Batch], positions: int) -> Iterator[Batch]:
    """Yield the batches, whose positions are counted on stderr, given how many there are."""
    with progress_bar(unit="position", total=positions) as bar:
        for batch in batches:
            yield batch
            bar.update(len(batch.target))
