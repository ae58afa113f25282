"""Soft datasets: positions labelled by a teacher, one Parquet row a position, which need no other file.

============= ============== ========================================================================
column        type           meaning
============= ============== ========================================================================
source        string         where the position comes from, for people
teacher       string         name of the teacher
side          int8           board side
setup         list<int16>    stone codes: 2 * point + (1 if White)
moves         list<int16>    moves that led to the position, same code; the point side * side is a pass
to_move       int8           side to move: 1 Black, -1 White
rules         string         canonical name of the ruleset that the teacher assumed
komi          float32        points, likewise
ownership     binary         side * side int8 values: 127 surely Black's, -127 surely White's
lead          float32        expected score, Black minus White, komi included; null when unknown
deviation     float32        standard deviation of the final score in points; null when unknown
win_rate      float32        probability that Black wins; null when unknown
policy_moves  list<int16>    the likeliest next moves, as points; side * side is a pass; null when unknown
policy        list<float32>  their probabilities
============= ============== ========================================================================
"""

from collections.abc import Iterator, Sequence
from fnmatch import filter as matching
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goban.coords import MAX_SIDE, MIN_SIDE
from goban.rulesets import RULESETS
from preprocessing.dataset.columns import (
    Fault,
    Lists,
    bools,
    bytes_of,
    code_fault,
    lists,
    misplayed_rows,
    numbers,
    raise_first,
    setup_fault,
    typed,
    valid,
)
from preprocessing.dataset.rows import DatasetError, Row
from preprocessing.dataset.shards import read_parquet, write_parquet
from preprocessing.records.game import MAX_MOVES
from preprocessing.storage import Folder

SURE: Final = 127  # the ownership of a point that is surely Black's
_KIND: Final = "a Parquet file of soft rows, as `ownership teach` writes it"
_LEAST_PROBABILITY: Final = 0.0005
_MOST_POINTS: Final = 2000.0
_NEVER_NULL: Final = ("source", "teacher", "setup", "moves", "rules", "komi", "ownership")
_DICTIONARY: Final = ["source", "teacher", "rules"]


def soft_name(number: int) -> str:
    """Return the file name of a soft dataset's shard by its number, from 0."""
    return f"soft-{number:05}.parquet"


def soft_files(place: Path | str) -> list[tuple[Folder, str]]:
    """Return the Parquet files of a soft dataset, which is a folder of them, or one file.

    Raises:
        DatasetError: there is none.
    """
    head, separator, name = str(place).rpartition("/")
    if name.endswith(".parquet"):
        return [(Folder(head or separator or "."), name)]
    folder = Folder(place)
    names = matching(folder.names(), "soft-*.parquet")
    if not names:
        raise DatasetError(f"{place}: expected a soft dataset, a folder with soft-*.parquet files, found none")
    return [(folder, name) for name in names]


def is_soft(place: Path | str) -> bool:
    """Return whether a place has a soft dataset, or has a file's name, and not a dataset of games."""
    if str(place).endswith(".parquet"):
        return True
    names = Folder(place).names()
    return bool(matching(names, "soft-*.parquet")) and not matching(names, "shard-*.parquet")


def write_soft(folder: Folder, name: str, rows: Sequence[Row]) -> None:
    """Write rows, dictionaries with the columns of the schema, as one file, so that it is there whole or not at all."""
    import pyarrow as pa

    dialect = {"compression": "zstd", "compression_level": 6, "use_dictionary": _DICTIONARY}
    write_parquet(folder, name, pa.Table.from_pylist(list(rows), schema=soft_schema()), dialect)


def read_soft(folder: Folder, name: str) -> Any:
    """Return one file as an Arrow table.

    Raises:
        DatasetError: it cannot be read, or holds what no soft dataset holds; it names file, row, field and value.
    """
    types = soft_schema()
    table = typed(read_parquet(folder, name, types.names, _KIND), types, f"{folder}/{name}")
    raise_first(_faults(table), table, f"{folder}/{name}")
    return table


def soft_ownership(ownership: NDArray[np.floating[Any]]) -> bytes:
    """Return the ownership of the points, N*N values in [-1, 1], +1 Black, as a row holds it."""
    scaled: NDArray[np.int8] = np.rint(np.clip(ownership, -1, 1).ravel() * SURE).astype(np.int8)
    return scaled.tobytes()


def soft_policy(policy: NDArray[np.floating[Any]] | None) -> Row:
    """Return the columns of a policy, N*N + 1 probabilities of which only the largest are kept; None for unknown."""
    if policy is None:
        return {"policy_moves": None, "policy": None}
    likely = np.argsort(-policy, kind="stable")
    likely = likely[: max(1, int(np.sum(policy >= _LEAST_PROBABILITY)))]
    return {"policy_moves": likely.astype(np.int16), "policy": policy[likely].astype(np.float32)}


def soft_schema() -> Any:
    """Return the Arrow schema of a file, the table in this module's docstring."""
    import pyarrow as pa

    codes, text, points = pa.list_(pa.int16()), pa.string(), pa.float32()
    types = {
        "source": text,
        "teacher": text,
        "side": pa.int8(),
        "setup": codes,
        "moves": codes,
        "to_move": pa.int8(),
        "rules": text,
        "komi": points,
        "ownership": pa.binary(),
        "lead": points,
        "deviation": points,
        "win_rate": points,
        "policy_moves": codes,
        "policy": pa.list_(pa.float32()),
    }
    return pa.schema(list(types.items()))


def _faults(table: Any) -> Iterator[Fault]:
    """Yield what may be wrong, each check trusting those before it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    side, to_move = numbers(table, "side"), numbers(table, "to_move")
    yield Fault("side", (side < MIN_SIDE) | (side > MAX_SIDE), f"a board side {MIN_SIDE}..{MAX_SIDE}")
    yield Fault("to_move", np.abs(to_move) != 1, "1 or -1")
    for name in _NEVER_NULL:
        yield Fault(name, ~valid(table, name), "a value")
    known = pc.is_in(table["rules"], value_set=pa.array(list(RULESETS)))
    yield Fault("rules", ~bools(known), f"one of {', '.join(RULESETS)}")
    for name in ("komi", "lead"):
        yield Fault(name, ~(np.abs(numbers(table, name)) <= _MOST_POINTS), "a number of points")
    deviation, chance = numbers(table, "deviation"), numbers(table, "win_rate")
    yield Fault("deviation", ~((deviation >= 0) & (deviation <= _MOST_POINTS)), "a number of points, 0 or more")
    yield Fault("win_rate", ~((chance >= 0) & (chance <= 1)), "a probability")
    yield from _board_faults(table, side)
    yield from _policy_faults(table, side)


def _board_faults(table: Any, side: Any) -> Iterator[Fault]:
    points = side**2
    setup, moves, ownership = lists(table, "setup"), lists(table, "moves"), bytes_of(table, "ownership")
    yield code_fault("setup", setup, 2 * points)
    yield setup_fault(side, setup)
    yield code_fault("moves", moves, 2 * points + 2)
    yield Fault("moves", moves.lengths >= MAX_MOVES, f"fewer than {MAX_MOVES} moves")
    illegal = misplayed_rows(side, setup.values, setup.offset, moves.values, moves.offset)
    yield Fault("moves", illegal, "legal moves (simple ko, suicide allowed)")
    yield Fault("ownership", ownership.lengths != points, "a byte for each point of the board")
    yield Fault("ownership", ownership.any_in_row(ownership.values < -SURE), f"values {-SURE}..{SURE}")


def _policy_faults(table: Any, side: Any) -> Iterator[Fault]:
    moves, chances = lists(table, "policy_moves"), lists(table, "policy")
    yield Fault("policy", valid(table, "policy") != valid(table, "policy_moves"), "probabilities of policy_moves")
    yield Fault("policy", moves.lengths != chances.lengths, "a probability for each move")
    yield code_fault("policy_moves", moves, side**2 + 1)
    yield Fault("policy_moves", _doubled(moves), "each move once")
    good = (chances.values >= 0) & (chances.values <= 1)
    yield Fault("policy", chances.any_in_row(~good), "probabilities")
    rows = np.repeat(np.arange(len(side)), chances.lengths)
    sums = np.bincount(rows, weights=chances.values, minlength=len(side))
    yield Fault("policy", valid(table, "policy") & ~((sums > 0) & (sums < 1.01)), "probabilities that sum to 1 at most")


def _doubled(moves: Lists) -> Any:
    """Return which rows have a move twice, bool (R,)."""
    rows = np.repeat(np.arange(len(moves.lengths)), moves.lengths)
    order = np.lexsort((moves.values, rows))
    same = (np.diff(rows[order]) == 0) & (np.diff(moves.values[order]) == 0)
    return np.bincount(rows[order][1:][same], minlength=len(moves.lengths)) > 0
