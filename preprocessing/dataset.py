"""The dataset: Parquet shards with one row a game, never planes.

=============== ============ ==========================================================================
column          type         meaning
=============== ============ ==========================================================================
id              string       16 hexadecimal digits: hash of side, set-up stones and moves
opening         string       the same of the first 100 moves, whichever side of the board they are seen from; of the
                             record where there is a branch
source          string       where the record was read: path, archive member, number in its collection
side            int8         board side
komi            float32      points
rules           string       canonical name of the ruleset, "" when unknown
handicap        int8         handicap stones
result          string       as the record writes it
ending          string       what that means: "counted", "draw", "resign", "time", "forfeit", "void" or "unknown"
black_rank      string       as the record writes it
white_rank      string       as the record writes it
date            string       as the record writes it
recorded_score  float32      Black minus White, komi included; null when the record has no margin
counted_score   float32      the same by area on the final board; null when rejected
setup           list<int16>  stone codes: 2 * point + (1 if White); null for duplicates and what was filtered
moves           list<int16>  move codes, same code; the point side * side is a pass; null as above
branch          int16        from how many moves on the target holds, and moves teach nothing, in a game that
                             `ownership selfplay` turned from its record; null for a game as it was played
target          binary       side * side int8 values, 1 Black, -1 White, 0 nobody; null when rejected
scorer          string       what decided the target, such as "GNU Go 3.8"
split           string       "train", "validation" or "test": a function of the opening alone
reason          string       "" when accepted, else why there is no target
detail          string       what was found, when rejected
=============== ============ ==========================================================================

The same input gives the same shards, byte for byte. How long each scoring took stands beside them, in timing-*.parquet.
"""

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import filter as matching
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.errors import InputError
from preprocessing.curation import EVERY_GAME, GameFilter, Traits
from preprocessing.record import Game
from preprocessing.storage import Folder
from preprocessing.targets import Label

SPLITS = ("train", "validation", "test")
_VALIDATION_PERCENT, _TEST_PERCENT = 4, 4
_DICTIONARY = ["rules", "scorer", "split", "reason", "black_rank", "white_rank", "date", "result", "ending"]
_DIALECT = {"compression": "zstd", "compression_level": 19, "use_dictionary": _DICTIONARY}

Row = dict[str, Any]
Datasets = Path | str | Sequence[Path | str]


class DatasetError(InputError):
    """A dataset that is missing, damaged, empty, or made with other options."""


def split_of(opening: str) -> str:
    """Return the split of the games with this opening, 16 hexadecimal digits: 4% test, 4% validation, the rest train.

    Games that go apart late, or that were copied in a mirror, are near-duplicates and stay in one split.
    """
    percent = int(opening[:8], 16) % 100
    if percent < _TEST_PERCENT:
        return "test"
    return "validation" if percent < _TEST_PERCENT + _VALIDATION_PERCENT else "train"


def encode(points: NDArray[Any], colours: NDArray[Any]) -> NDArray[np.int16]:
    """Return the codes 2 * point + (1 if White), int16, of stones or moves."""
    return (2 * points.astype(np.int16) + (colours < 0)).astype(np.int16)


def decode(codes: NDArray[np.int16]) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
    """Return the points, int16, and colours, int8, of stones or moves."""
    return codes >> 1, (1 - 2 * (codes & 1)).astype(np.int8)


def accepted_row(game: Game, label: Label) -> Row:
    """Return the row of a game that has a target."""
    return _game_columns(game) | {
        "counted_score": label.score,
        "target": label.target.tobytes(),
        "scorer": label.scorer,
        "reason": "",
        "detail": "",
    }


def rejected_row(game: Game, reason: str, detail: str) -> Row:
    """Return the row of a readable game without a target."""
    return _game_columns(game) | {"reason": reason, "detail": detail}


def excluded_row(game: Game, reason: str, detail: str) -> Row:
    """Return the row of a game that is not to be in the dataset: the same, without its moves."""
    return rejected_row(game, reason, detail) | {"setup": None, "moves": None}


def unreadable_row(source: str, reason: str, detail: str) -> Row:
    """Return the row of a record that could not be read."""
    return {"source": source, "reason": reason, "detail": detail}


def _game_columns(game: Game) -> Row:
    setup = np.flatnonzero(game.setup)
    return {
        "id": game.id,
        "opening": game.opening,
        "source": game.source,
        "side": game.side,
        "komi": game.komi,
        "rules": game.rules,
        "handicap": game.handicap,
        "result": game.result.text,
        "ending": game.result.kind,
        "black_rank": game.black_rank,
        "white_rank": game.white_rank,
        "date": game.date,
        "recorded_score": game.result.score,
        "setup": encode(setup, game.setup[setup]),
        "moves": encode(game.moves, game.colours),
        "split": split_of(game.opening),
    }


def schema() -> Any:
    """Return the Arrow schema of a shard, the table in this module's docstring."""
    import pyarrow as pa

    codes, text = pa.list_(pa.int16()), pa.string()
    types = {
        "id": text,
        "opening": text,
        "source": text,
        "side": pa.int8(),
        "komi": pa.float32(),
        "rules": text,
        "handicap": pa.int8(),
        "result": text,
        "ending": text,
        "black_rank": text,
        "white_rank": text,
        "date": text,
        "recorded_score": pa.float32(),
        "counted_score": pa.float32(),
        "setup": codes,
        "moves": codes,
        "branch": pa.int16(),
        "target": pa.binary(),
        "scorer": text,
        "split": text,
        "reason": text,
        "detail": text,
    }
    return pa.schema(list(types.items()))


def shard_name(number: int) -> str:
    """Return the file name of a dataset's shard by its number, from 0."""
    return f"shard-{number:05}.parquet"


def shard_names(dataset: Folder) -> list[str]:
    """Return the file names of a dataset's shards in order; raise DatasetError when there are none."""
    names = matching(dataset.names(), "shard-*.parquet")
    if not names:
        raise DatasetError(f"{dataset}: expected a dataset folder with shard-*.parquet files, found none")
    return names


def write_shard(dataset: Folder, number: int, rows: Sequence[Row]) -> None:
    """Write one shard, and the timings of its rows that have "seconds", so that it is there whole or not at all."""
    import pyarrow as pa

    timed = [row for row in rows if "seconds" in row]
    if timed:
        columns = pa.schema([("source", pa.string()), ("scorer", pa.string()), ("seconds", pa.float32())])
        dataset.write(f"timing-{number:05}.parquet", _parquet(pa.Table.from_pylist(timed, schema=columns)))
    dataset.write(shard_name(number), _parquet(pa.Table.from_pylist(list(rows), schema=schema()), _DIALECT))


def _parquet(table: Any, dialect: dict[str, Any] | None = None) -> bytes:
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(table, stream, **(dialect or {}))
    return stream.getvalue()


def read_shard(dataset: Folder, name: str, columns: Sequence[str] | None = None) -> Any:
    """Return one shard, or file of timings, as an Arrow table; raise DatasetError when it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        shard = pq.ParquetFile(pa.BufferReader(dataset.read(name)))
        missing = set(columns or ()) - set(shard.schema_arrow.names)
        if missing:
            raise DatasetError(f"{dataset}/{name}: expected a column {min(missing)}: prepare this dataset anew")
        # Arrow's own threads outlive the call, and now and then abort a process that ends meanwhile.
        return shard.read(columns=None if columns is None else list(columns), use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise DatasetError(f"{dataset}/{name}: expected a Parquet shard of a dataset: {error}") from error


def read_rows(dataset: Folder, name: str) -> list[Row]:
    """Return the rows of one shard; raise DatasetError when it cannot be read."""
    rows: list[Row] = read_shard(dataset, name).to_pylist()
    return rows


def listed(datasets: Datasets) -> list[Path | str]:
    """Return the datasets as a list, also when it is only one."""
    return [datasets] if isinstance(datasets, Path | str) else list(datasets)


@dataclass(frozen=True, eq=False)
class GameTable:
    """Games of a dataset as flat arrays, ready for kernels. G games, M moves, S set-up stones in all.

    ids: G strings. side: int16 (G,). komi, score: float32 (G,), points, score Black minus White with komi, NaN without
    a target.
    moves: int16 (M,), codes 2 * point + (1 if White), those of game g at move_offset[g]:move_offset[g + 1]. A counted
    game ends with two passes, also where the record leaves them out.
    branch: int16 (G,), the first ply, as a number of moves played, at which the target holds and from which on moves
    teach nothing; -1 for a game as it was played.
    setup: int16 (S,), same code, with setup_offset. target: int8, those of game g, row by row, with target_offset;
    a game without a target has none there.
    All offsets: int64 (G + 1,).
    """

    ids: list[str]
    side: NDArray[np.int16]
    komi: NDArray[np.float32]
    score: NDArray[np.float32]
    moves: NDArray[np.int16]
    move_offset: NDArray[np.int64]
    branch: NDArray[np.int16]
    setup: NDArray[np.int16]
    setup_offset: NDArray[np.int64]
    target: NDArray[np.int8]
    target_offset: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def labelled(self) -> NDArray[np.bool_]:
        """Which games have a target, bool (G,)."""
        return np.diff(self.target_offset) > 0

    @property
    def first(self) -> NDArray[np.int64]:
        """The first ply of each game that may be shown, int64 (G,)."""
        return np.maximum(self.branch, 0).astype(np.int64)


def load_games(
    datasets: Datasets, split: str | None = None, wanted: GameFilter = EVERY_GAME, *, unlabelled: bool = False
) -> GameTable:
    """Return games of one or more datasets, from one split or all, that are `wanted`, each once.

    They are the accepted ones; with `unlabelled` also rejected ones whose moves are the players' own. A game that has a
    target in one dataset and none in another has it. Raises DatasetError if no game has one.
    """
    if split is not None and split not in SPLITS:
        raise DatasetError(f"split must be one of {', '.join(SPLITS)}. Received: {split}")
    places = listed(datasets)
    tables = [table for place in places for table in _chosen(Folder(place), split, wanted, unlabelled)]
    if not any(table.num_rows > table["target"].null_count for table in tables):
        kind = f"games of split {split}" if split else "games"
        choice = " that pass the filter" if wanted.describe() else ""
        raise DatasetError(f"{', '.join(map(str, places))}: expected accepted {kind}{choice}, found none")
    return _game_table(tables)


def _chosen(dataset: Folder, split: str | None, wanted: GameFilter, unlabelled: bool) -> Iterator[Any]:
    import pyarrow.compute as pc

    columns = ["id", "komi", "counted_score", "ending", "setup", "branch", "target", "split", *Traits._fields]
    for name in shard_names(dataset):
        table = read_shard(dataset, name, columns)
        useful = pc.is_valid(table["target"])
        if unlabelled:
            useful = pc.or_(useful, pc.and_(pc.is_valid(table["moves"]), pc.is_null(table["branch"])))
        table = table.filter(useful)
        if split is not None:
            table = table.filter(pc.equal(table["split"], split))
        yield table.filter(_choice(table, wanted)) if wanted.describe() else table


def _choice(table: Any, wanted: GameFilter) -> list[bool]:
    import pyarrow.compute as pc

    lengths = pc.list_value_length(table["moves"]).to_pylist()
    rows = table.select([name for name in Traits._fields if name != "moves"]).to_pylist()
    return [not wanted.refusal(Traits(**row, moves=length)) for row, length in zip(rows, lengths, strict=True)]


def _game_table(tables: list[Any]) -> GameTable:
    import pyarrow as pa

    rows = _without_copies(pa.concat_tables(tables))
    side = rows["side"].to_numpy().astype(np.int16)
    agreed = np.isin(rows["ending"].to_pylist(), ("counted", "draw"))
    moves, move_offset = _with_passes(*_flatten(rows["moves"].combine_chunks()), side, agreed)
    setup, setup_offset = _flatten(rows["setup"].combine_chunks())
    targets: list[bytes] = [target or b"" for target in rows["target"].to_pylist()]
    return GameTable(
        ids=rows["id"].to_pylist(),
        side=side,
        komi=rows["komi"].to_numpy(),
        score=rows["counted_score"].to_numpy(),
        moves=moves,
        move_offset=move_offset,
        branch=rows["branch"].fill_null(-1).to_numpy().astype(np.int16),
        setup=setup,
        setup_offset=setup_offset,
        target=np.frombuffer(b"".join(targets), dtype=np.int8),
        target_offset=_offsets(np.array([len(target) for target in targets])),
    )


def _without_copies(rows: Any) -> Any:
    """Keep the first of a game's rows, or its first with a target: a copy may have lost its result."""
    ids, labelled = rows["id"].to_pylist(), rows["target"].is_valid().to_pylist()
    kept: dict[str, int] = {}
    for row, name in enumerate(ids):
        if name not in kept or (labelled[row] and not labelled[kept[name]]):
            kept[name] = row
    return rows.take(sorted(kept.values()))


def _with_passes(
    moves: NDArray[np.int16], offset: NDArray[np.int64], side: NDArray[np.int16], agreed: NDArray[np.bool_]
) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return moves and where each game's begin, with the two passes that end the games on which the players agreed."""
    closing = passes_at_end(moves, offset, side)
    missing = np.where(agreed, 2 - np.minimum(closing, 2), 0)
    last = np.append(moves, np.int16(1))[np.where(np.diff(offset) > 0, offset[1:] - 1, -1)] & 1
    number = np.concatenate([np.arange(count) for count in missing.tolist()] or [missing])
    colour = np.repeat(last, missing) ^ (number + 1) & 1
    codes = (2 * np.repeat(side, missing) ** 2 + colour).astype(np.int16)
    return np.insert(moves, np.repeat(offset[1:], missing), codes), offset + np.append(0, np.cumsum(missing))


def passes_at_end(moves: NDArray[np.int16], offset: NDArray[np.int64], side: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return int64 (G,): how many passes, up to two, end each game; arguments as in a GameTable."""
    found = np.zeros(len(side), np.int64)
    for place in (1, 2):
        there = (np.diff(offset) >= place) & (found == place - 1)
        code = moves[offset[1:][there] - place] >> 1
        found[np.flatnonzero(there)[code == side[there].astype(np.int64) ** 2]] += 1
    return found


def _flatten(lists: Any) -> tuple[NDArray[np.int16], NDArray[np.int64]]:
    """Return the values of an Arrow list array end to end, and where each list begins."""
    lengths = lists.value_lengths().to_numpy(zero_copy_only=False)
    return lists.flatten().to_numpy(zero_copy_only=False), _offsets(lengths)


def _offsets(lengths: NDArray[Any]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
