"""Datasets and soft datasets read from their files into a GameTable: which rows, and each game or position once.

A group of rows of a file is unpacked at a time; the rows chosen from all go to a temporary Arrow file, and then to the
arrays of the table.
"""

import hashlib
import struct
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_datasets.arrow_to_numpy import (
    Lists,
    Texts,
    batch_tables,
    has_value,
    joined_columns,
    list_column,
    mapped_table,
    number_column,
    tables_in,
    text_column,
)
from game_datasets.columns import GAMES, SOFT
from game_datasets.file_schema import FileSchema
from game_datasets.game_filter import EVERY_GAME, GameFilter, Traits
from game_datasets.game_table import GameTable, SoftLabels, passes_at_end
from game_datasets.rows import SPLITS, DatasetError
from game_datasets.shards import Datasets, dataset_files, listed, shard_groups
from game_records.game_identity import opening_stones
from game_records.rank_property import parse_rank
from game_records.result_property import parse_result
from goban.rulesets import RULESETS
from planes.plane_names import RANKS
from runtime.folders import Folder
from runtime.mapped_arrays import first_of_each, joined, parts_of

_COLUMNS: Final = ("id", "opening", "komi", "counted_score", "ending", "result", "setup", "branch", "target")
_KEPT: Final = [*_COLUMNS, "side", "moves", "black_rank", "white_rank", "dataset"]


def load_games(
    datasets: Datasets,
    split: str | None = None,
    wanted: GameFilter = EVERY_GAME,
    *,
    unlabelled: bool = False,
    labelled: bool = True,
    most: int | None = None,
    side: int | None = None,
) -> GameTable:
    """Return games of one or more datasets, from one split or all, that are `wanted`, each once.

    They are the accepted ones; with `unlabelled` also rejected ones whose moves are the players' own, as far as they
    are longer than an opening: those broken off before may be in another split than copies that go on. A game that has
    a target in one dataset and none in another has it. `most` limits their number and always chooses the same ones.
    `side` is the only board side that a network reads, None for any.

    Raises:
        InputError: `wanted` leaves out `side`.
        DatasetError: no game has a target though `labelled` ones are needed, there is no game, or a dataset cannot be
            read.
    """
    rows = mapped_table(each.select(_KEPT) for each in _games(datasets, split, wanted, side, unlabelled))
    _check_found([rows], datasets, _kind(split, wanted, side), labelled)
    return _game_table(rows, most)


def check_games(
    datasets: Datasets,
    split: str | None = None,
    wanted: GameFilter = EVERY_GAME,
    *,
    unlabelled: bool = False,
    labelled: bool = True,
    side: int | None = None,
) -> None:
    """Raise what `load_games` raises where it finds no game; it reads no shard after the first that has one."""
    _check_found(_games(datasets, split, wanted, side, unlabelled), datasets, _kind(split, wanted, side), labelled)


def load_soft(places: Datasets, side: int | None = None) -> GameTable:
    """Return the positions of one or more soft datasets, folders, URLs or files, on one board side or any.

    A position that occurs several times counts once, with its last label.

    Raises:
        DatasetError: one is missing or damaged, or there is no position.
    """
    rows = mapped_table(_positions(places, side))
    _check_found([rows], places, f"labelled positions{_on(side)}")
    return _soft_table(rows)


def check_soft(places: Datasets, side: int | None = None) -> None:
    """Raise what `load_soft` raises where it finds no position; it reads no file after the first that has one."""
    _check_found(_positions(places, side), places, f"labelled positions{_on(side)}")


def _check_found(tables: Iterable[Any], datasets: Datasets, kind: str, labelled: bool = False) -> None:
    if not any(len(table) > (table["target"].null_count if labelled else 0) for table in tables):
        raise DatasetError(f"{', '.join(map(str, listed(datasets)))}: expected {kind}, found none")


def _kind(split: str | None, wanted: GameFilter, side: int | None) -> str:
    """Return in words which games are wanted."""
    choice = f" that pass {options}" if (options := wanted.options()) else ""
    return f"accepted games{f' of split {split}' if split else ''}{_on(side)}{choice}"


def _on(side: int | None) -> str:
    return f" on {side}x{side}, the only side of this network" if side else ""


def _games(
    datasets: Datasets, split: str | None, wanted: GameFilter, side: int | None, unlabelled: bool
) -> Iterator[Any]:
    """Yield the chosen rows of each group of rows of one shard after the other."""
    if split is not None and split not in SPLITS:
        raise DatasetError(f"split must be one of {', '.join(SPLITS)}. Received: {split}")
    chosen = wanted if side is None else wanted.on(side)
    for number, folder, name in _files(datasets, GAMES):
        for table in shard_groups(folder, name, [*_COLUMNS, "split", *Traits._fields]):
            yield _numbered(_chosen(table, split, chosen, unlabelled), number)


def _positions(places: Datasets, side: int | None) -> Iterator[Any]:
    """Yield the rows on a board side, or all, of each group of rows of one file after the other."""
    import pyarrow.compute as pc

    for number, folder, name in _files(places, SOFT):
        for table in shard_groups(folder, name, schema=SOFT):
            yield _numbered(table if side is None else table.filter(pc.equal(table["side"], side)), number)


def _files(datasets: Datasets, schema: FileSchema) -> list[tuple[int, Folder, str]]:
    """Return the number of its dataset, folder and name of each file."""
    return [(number, *found) for number, place in enumerate(listed(datasets)) for found in dataset_files(place, schema)]


def _numbered(table: Any, number: int) -> Any:
    """Return a table with the number of its dataset as a column."""
    import pyarrow as pa

    return table.append_column("dataset", pa.array(np.full(len(table), number, np.int16)))


def _chosen(table: Any, split: str | None, wanted: GameFilter, unlabelled: bool) -> Any:
    """Return the wanted rows of a table."""
    import pyarrow as pa

    moves = list_column(table, "moves").lengths
    chosen = has_value(table, "target")
    if unlabelled:
        is_own = has_value(table, "moves") & ~has_value(table, "branch")
        chosen |= is_own & (list_column(table, "setup").lengths + moves >= opening_stones(number_column(table, "side")))
    if split is not None:
        chosen &= np.array([each == split for each in table["split"].to_pylist()], np.bool_)
    if wanted.describe():
        rows = table.select([name for name in Traits._fields if name != "moves"]).to_pylist()
        for row in np.flatnonzero(chosen).tolist():
            chosen[row] = not wanted.refusal(Traits(**rows[row], moves=int(moves[row])))
    return table.filter(pa.array(chosen))


def _game_table(rows: Any, most: int | None) -> GameTable:
    return _table(joined_columns(map(_game_columns, tables_in(rows, _kept_games(rows, most)))))


def _game_columns(rows: Any) -> dict[str, Any]:
    """Return the columns of a table of games, from some rows."""
    common = _common(rows, "id", "target")
    agreed = np.isin(rows["ending"].to_pylist(), ("counted", "draw"))
    return common | {
        "opening": _hashes(rows["opening"]),
        "score": np.where(has_value(rows, "target"), number_column(rows, "counted_score"), np.nan).astype(np.float32),
        "moves": Lists(*_with_passes(*list_column(rows, "moves"), common["side"], agreed)),
        "branch": rows["branch"].fill_null(-1).to_numpy().astype(np.int16),
        "ranks": np.stack([_of_texts(rows[name], _dan) for name in ("black_rank", "white_rank")], axis=1),
        "resigned": _of_texts(rows["result"], _loser),
    }


def _soft_table(rows: Any) -> GameTable:
    columns = joined_columns(map(_soft_columns, tables_in(rows, _last_of_each(rows))))
    labels = SoftLabels(**{name: columns.pop(name) for name in SoftLabels._fields})
    return _table(columns, labels)


def _soft_columns(rows: Any) -> dict[str, Any]:
    """Return the columns of a table of labelled positions, and the labels, from some rows."""
    common, count = _common(rows, "source", "ownership"), len(rows)
    return common | {
        "opening": np.zeros(count, np.uint64),
        "score": np.full(count, np.nan, np.float32),
        "moves": Lists(*_with_turn(*list_column(rows, "moves"), common["side"], number_column(rows, "to_move"))),
        "branch": np.full(count, -1, np.int16),
        "ranks": np.zeros((count, 2), np.int8),
        "resigned": np.zeros(count, np.int8),
        **_soft_labels(rows)._asdict(),
    }


def _table(columns: dict[str, Any], soft: SoftLabels | None = None) -> GameTable:
    """Return a table of columns as `_game_columns` names them."""
    moves, setup, target = (columns.pop(name) for name in ("moves", "setup", "target"))
    return GameTable(
        **columns | {"ids": Texts(columns["ids"])},
        move_codes=moves.values,
        move_offset=moves.offset,
        setup=setup.values,
        setup_offset=setup.offset,
        target=target.values,
        target_offset=target.offset,
        soft=soft,
    )


def _common(rows: Any, name: str, target: str) -> dict[str, Any]:
    """Return the columns that games and labelled positions have from the same columns, but for name and target."""
    return {
        "ids": text_column(rows, name),
        "side": number_column(rows, "side").astype(np.int16),
        "komi": number_column(rows, "komi"),
        "setup": list_column(rows, "setup"),
        "target": list_column(rows, target),
        "dataset": number_column(rows, "dataset").astype(np.int16),
    }


def _soft_labels(rows: Any) -> SoftLabels:
    policy = list_column(rows, "policy")
    by_area = np.isin(rows["rules"].to_pylist(), [name for name, each in RULESETS.items() if each.counting == "area"])
    scored = has_value(rows, "lead") & has_value(rows, "deviation") & by_area
    return SoftLabels(
        area=np.where(scored, number_column(rows, "lead") + number_column(rows, "komi"), np.nan).astype(np.float32),
        deviation=number_column(rows, "deviation").astype(np.float32),
        win_rate=np.where(has_value(rows, "win_rate"), number_column(rows, "win_rate"), np.nan).astype(np.float32),
        policy_moves=list_column(rows, "policy_moves"),
        policy=policy._replace(values=(policy.values / policy.sums[policy.rows]).astype(np.float32)),
    )


def _of_texts(written: Any, value: Callable[[str], int]) -> NDArray[np.int8]:
    """Return a number for each text of a column, int8 (G,)."""
    known = {text: value(text) for text in dict.fromkeys(written.to_pylist())}
    return np.array([known[text] for text in written.to_pylist()], np.int8)


def _dan(written: str) -> int:
    """Return a rank as `GameTable.ranks` has it."""
    rank = parse_rank(written)
    return 0 if rank is None else min(max(rank, 1), RANKS)


def _loser(written: str) -> int:
    """Return who resigned, as `GameTable.resigned` has it, from the result as the record writes it."""
    result = parse_result(written)
    return -result.winner if result.kind == "resign" else 0


def _kept_games(rows: Any, most: int | None) -> NDArray[np.bool_]:
    """Return which rows are the first of a game, or its first with a target: a copy may have lost its result.

    With `most` only those of that many games, the ones with the lowest ids.
    """
    ids = joined(_hashes(batch["id"]) for batch in batch_tables(rows))
    kept = first_of_each(ids, joined(has_value(batch, "target") for batch in batch_tables(rows)))
    if most is not None and most < np.count_nonzero(kept):
        lowest = joined(ids[part][kept[part]] for part in parts_of(len(ids)))
        lowest.sort()
        kept &= ids < lowest[most]
    return kept


def _hashes(texts: Any) -> NDArray[np.uint64]:
    """Return the numbers that texts of 16 hexadecimal digits are, uint64 (R,)."""
    return np.frombuffer(bytes.fromhex("".join(texts.to_pylist())), ">u8").astype(np.uint64)


def _last_of_each(rows: Any) -> NDArray[np.bool_]:
    """Return which rows are the last of a position."""
    keys = joined(map(_position_hashes, batch_tables(rows)))
    return first_of_each(keys[::-1], np.zeros(len(keys), np.bool_))[::-1]


def _position_hashes(rows: Any) -> NDArray[np.uint64]:
    """Return a number for each labelled position, uint64 (R,); two positions share one with a chance of 2 ** -64."""
    turns = zip(rows["side"].to_pylist(), rows["to_move"].to_pylist(), strict=True)
    positions = zip(turns, list_column(rows, "setup").contents, list_column(rows, "moves").contents, strict=True)
    digest = b"".join(
        hashlib.blake2b(struct.pack("<bbi", *turn, len(setup)) + setup + moves, digest_size=8).digest()
        for turn, setup, moves in positions
    )
    return np.frombuffer(digest, "<u8").astype(np.uint64)


def _with_turn(
    moves: NDArray[np.int16], offset: NDArray[np.int64], side: NDArray[np.int16], to_move: NDArray[np.int64]
) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return moves and where each position's begin, each with a pass of the side to move at its end."""
    passes = 2 * side.astype(np.int64) ** 2 + (to_move < 0)
    return np.insert(moves, offset[1:], passes.astype(np.int16)), offset + np.arange(len(offset))


def _with_passes(
    moves: NDArray[np.int16], offset: NDArray[np.int64], side: NDArray[np.int16], agreed: NDArray[np.bool_]
) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return moves and where each game's begin, with the two passes that end the games on which the players agreed."""
    missing = np.where(agreed, 2 - passes_at_end(moves, offset, side), 0)
    last = np.ones(len(side), np.int16)  # 1 where White moved last, or where there is no move: Black moves first
    played = np.diff(offset) > 0
    last[played] = moves[offset[1:][played] - 1] & 1
    black_pass = 2 * side**2
    both = np.stack([black_pass + 1 - last, black_pass + last], axis=1)
    codes = both[np.arange(2) < missing[:, np.newaxis]].astype(np.int16)
    return np.insert(moves, np.repeat(offset[1:], missing), codes), offset + np.append(0, np.cumsum(missing))
