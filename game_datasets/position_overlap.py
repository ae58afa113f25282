"""Which positions of games occur in others too, from whichever side the board is seen."""

from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games, load_soft
from game_datasets.shards import Datasets, is_soft, listed
from goban import coords
from goban.board_kernels import OCCUPIED, ZOBRIST, move_status, new_board, place
from goban.jit import kernel
from planes.replayed_planes import GameArrays
from runtime.mapped_arrays import joined, parts_of

Keys = NDArray[np.uint64]

_GAMES: Final = 1 << 12  # whose positions are in memory together
_WHITE: Final = np.uint64(0x9E3779B97F4A7C15)  # of positions with White to move
_SIDE: Final = np.uint64(0xD1B54A32D192ED03)  # times the board side: empty boards of two sides differ


class Shared(NamedTuple):
    """How many positions of a split there are on a board side, and how many of them occur in the split `train` too."""

    split: str
    side: int
    positions: int
    shared: int


def position_keys(games: GameArrays, side: NDArray[np.int16]) -> Keys:
    """Return a number for each position of each game, uint64 (M + G,), on disk, from the first of the first game on.

    Positions have the same number if side to move and stones, seen from one of the eight sides of the board, are the
    same. Others share one with a probability of 2 to the power of -64.

    Args:
        games: G games with M moves in all.
        side: int16 (G,), of the boards.
    """
    return joined(_keys_of(_some(games, part), side[part]) for part in parts_of(len(side), _GAMES))


def _some(games: GameArrays, part: slice) -> GameArrays:
    """Return some of the games."""
    setup, moves = (offset[part.start : part.stop + 1] for offset in (games.setup_offset, games.move_offset))
    return games._replace(
        setup=games.setup[setup[0] : setup[-1]],
        setup_offset=setup - setup[0],
        move_codes=games.move_codes[moves[0] : moves[-1]],
        move_offset=moves - moves[0],
    )


def _keys_of(games: GameArrays, side: NDArray[np.int16]) -> Keys:
    keys = np.zeros(len(games.move_codes) + len(side), np.uint64)
    for each in np.unique(side).tolist():
        _fill_keys(each, games, np.flatnonzero(side == each), coords.destinations(each), keys)
    keys ^= np.repeat(side, np.diff(games.move_offset) + 1).astype(np.uint64) * _SIDE
    return keys


@kernel
def _fill_keys(side: int, games: GameArrays, rows: NDArray[np.int64], places: NDArray[np.int16], keys: Keys) -> None:
    """Write the numbers of the positions of the games in some rows, all of that board side, but for the side."""
    points = side * side
    for row in rows:
        setup = np.zeros(points, np.int8)
        for code in games.setup[games.setup_offset[row] : games.setup_offset[row + 1]]:
            setup[code >> 1] = 1 - 2 * (code & 1)
        board = new_board(side, setup)
        before = np.zeros(points, np.int8)
        seen = np.zeros(8, np.uint64)  # from each side
        start = games.move_offset[row]
        count = games.move_offset[row + 1] - start
        white = 0
        for ply in range(count + 1):
            if ply > 0:
                code = games.move_codes[start + ply - 1]
                point, colour = int(code >> 1), 1 - 2 * int(code & 1)
                white = int(colour > 0)
                if point < points and move_status(board, point, colour) != OCCUPIED:
                    place(board, point, colour)
            if ply < count:
                white = int(games.move_codes[start + ply] & 1)
            for point in range(points):
                old, new = before[point], board.stones[point]
                if old == new:
                    continue
                for k in range(8):
                    if old != 0:
                        seen[k] ^= ZOBRIST[old + 1, places[k, point]]
                    if new != 0:
                        seen[k] ^= ZOBRIST[new + 1, places[k, point]]
                before[point] = new
            keys[start + row + ply] = seen.min() ^ (_WHITE if white else np.uint64(0))


def keys_at(table: GameTable, rows: NDArray[np.int32], plies: NDArray[np.int16]) -> Keys:
    """Return the numbers of some positions, given by their rows and plies, uint64 (P,)."""
    keys: Keys = position_keys(table.replayed, table.side)[table.move_offset[rows] + rows + plies]
    return keys


def learned_keys(datasets: Datasets) -> Keys:
    """Return the numbers of all positions that a network may learn from, uint64, rising, on disk.

    They are the positions of the split `train`, of games without a target too, and of soft datasets.

    Raises:
        DatasetError: a dataset cannot be read, or has none.
    """
    keys = joined(keys for place in listed(datasets) for keys, _ in _shown(_learned(place)))
    keys.sort()
    return keys


def occur(keys: Keys, learned: Keys) -> NDArray[np.bool_]:
    """Return which positions occur among others, bool (P,), given the numbers of both, the others' ascending."""
    found: NDArray[np.bool_] = learned[np.minimum(np.searchsorted(learned, keys), len(learned) - 1)] == keys
    return found


def _learned(place: Path | str) -> GameTable:
    return load_soft(place) if is_soft(place) else _moves(place, "train")


def _moves(dataset: Path | str, split: str) -> GameTable:
    return load_games(dataset, split, unlabelled=True, labelled=False)


def _shown(table: GameTable) -> Iterator[tuple[Keys, NDArray[np.int16]]]:
    """Yield the numbers of the positions that may be shown, and the side of each board, some games at a time."""
    for part in parts_of(len(table), _GAMES):
        counts = table.lengths[part] + 1
        rows = np.repeat(np.arange(part.start, part.stop), counts)
        plies = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        shown = (plies >= table.first[rows]) & (plies <= table.last[rows])
        yield _keys_of(_some(table.replayed, part), table.side[part])[shown], table.side[rows[shown]]


def shared_positions(dataset: Path | str, splits: Collection[str]) -> Iterator[Shared]:
    """Yield for each board side of these splits, all with accepted games, how many positions occur in `train` too."""
    learned = learned_keys(dataset)
    for split in splits:
        positions, shared = Counter[int](), Counter[int]()
        for keys, sides in _shown(_moves(dataset, split)):
            positions.update(sides.tolist())
            shared.update(sides[occur(keys, learned)].tolist())
        yield from (Shared(split, side, positions[side], shared[side]) for side in sorted(positions))
