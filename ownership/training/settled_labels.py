"""When the owner of each point became final, in the eyes of a model: labels of the games of datasets, in a file.

    python -m ownership.training.settled_labels DATASET... -o labels.npz [--split train] [--games N] [--model NAME|DIR]

The model evaluates every second position of a game. A point is settled from the first of these on after which, up to
the end, the model always gives the final owner at least three chances in four. All other points, also those that nobody
owns, are settled at the end of the game, when the players agree.
"""

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from game_datasets.evaluation_positions import table_planes
from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from goban.errors import InputError
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from runtime.command_line import exit_with
from runtime.safe_writing import replacing

STEP: Final = 2  # plies between the positions that the model evaluates
SURE: Final = 0.5  # ownership from which a model's owner counts: three chances in four


@dataclass(frozen=True, eq=False)
class SettledLabels:
    """The labels of G games.

    Attributes:
        ids: of the games.
        offset: int64 (G + 1,), where the labels of each game begin.
        plies: int16, for each point of a board, row by row, the moves after which its owner is final.
    """

    ids: NDArray[np.str_]
    offset: NDArray[np.int64]
    plies: NDArray[np.int16]

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: row for row, name in enumerate(self.ids.tolist())}

    def of_game(self, name: str) -> NDArray[np.int16] | None:
        """Return the labels of a game, int16 (N * N,), or None where it has none."""
        row = self._rows.get(name)
        return None if row is None else self.plies[self.offset[row] : self.offset[row + 1]]

    def write(self, path: str | Path) -> None:
        """Write a file that `read_labels` reads."""
        with replacing(path) as partial, partial.open("wb") as file:
            np.savez_compressed(file, ids=self.ids, offset=self.offset, plies=self.plies)


def read_labels(paths: Iterable[str | Path]) -> SettledLabels:
    """Return the labels of files; raise InputError for other files."""
    ids, plies = list[NDArray[np.str_]](), list[NDArray[np.int16]]()
    sizes = list[NDArray[np.int64]]()
    for path in paths:
        try:
            with np.load(path, allow_pickle=False) as file:
                names, offset, values = (file[name] for name in ("ids", "offset", "plies"))
        except (OSError, ValueError, KeyError) as error:
            reason = getattr(error, "strerror", None) or "another file"
            raise InputError(f"{path}: expected labels of settled_labels. Received: {reason}") from None
        ids.append(names)
        sizes.append(np.diff(offset))
        plies.append(values)
    offset = np.append(0, np.cumsum(np.concatenate(sizes)))
    return SettledLabels(np.concatenate(ids), offset, np.concatenate(plies))


def settled_plies(evaluator: Evaluator, table: GameTable, game: int) -> NDArray[np.int16]:
    """Return the number of moves after which the owner of each point is final, int16 (N, N).

    Args:
        evaluator: a model of `ownership train` with an ownership.
        table: the games.
        game: a row with a target. Games start to be evaluated with Black or with White to move.
    """
    length = int(table.lengths[game])
    plies = np.arange(game % STEP, length + 1, STEP, dtype=np.int16)
    return settled_from(plies, _ownership(evaluator, table, game, plies), table.target_of(game), length)


def settled_from(
    plies: NDArray[np.int16], ownership: NDArray[np.float32], owner: NDArray[np.int8], length: int
) -> NDArray[np.int16]:
    """Return the first of P plies from which on each point is its final owner's, int16 (N, N), else the game's length.

    Args:
        plies: int16 (P,), rising.
        ownership: Black's, float32 (P, N, N).
        owner: at the end, int8 (N, N).
        length: of the game in moves.
    """
    settled = np.full(owner.shape, length, np.int16)
    still = np.ones(owner.shape, np.bool_)
    for ply, seen in zip(plies[::-1].tolist(), ownership[::-1], strict=True):
        still &= seen * owner >= SURE
        settled[still] = ply
    return settled


def _ownership(evaluator: Evaluator, table: GameTable, game: int, plies: NDArray[np.int16]) -> NDArray[np.float32]:
    """Return the ownership of positions of a game, Black's, float32 (P, N, N)."""
    games, parts = np.full(len(plies), game, np.int32), []
    for batch in table_planes(table, games, plies, evaluator.feature_set, chains=True, batch_size=MAX_BATCH):
        assert batch.chains is not None
        outputs = evaluator.predict(batch.planes, batch.chains)
        parts.append((2 * outputs["ownership"] - 1) * batch.to_move[:, None, None])
    return np.concatenate(parts)


def main(argv: list[str] | None = None) -> int:
    """Write the labels of the games that players finished; return 0."""
    parser = argparse.ArgumentParser(prog="python -m ownership.training.settled_labels")
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("-o", "--output", required=True, metavar="FILE")
    parser.add_argument("--split", metavar="NAME", help="of the datasets, by default all")
    parser.add_argument("--games", type=int, metavar="N", help="at most, always the same")
    parser.add_argument("--model", metavar="NAME|DIR")
    arguments = parser.parse_args(argv)
    table = load_games(arguments.datasets, arguments.split, most=arguments.games)
    evaluator = Evaluator.load(arguments.model, cached=0, bulk=True)
    rows = np.flatnonzero(table.branch < 0).tolist()
    found = [settled_plies(evaluator, table, row).ravel() for row in tqdm(rows, unit="game")]
    offset = np.cumsum([0, *map(len, found)])
    SettledLabels(np.array([table.ids[row] for row in rows]), offset, np.concatenate(found)).write(arguments.output)
    return 0


if __name__ == "__main__":
    exit_with(main)
