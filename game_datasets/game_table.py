"""The games of datasets, and the positions of soft ones, as flat arrays in memory, which sampler and evaluation use."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from game_datasets.columns import GAMES, SOFT, Lists, Schema, lists, numbers, valid
from game_datasets.game_filter import EVERY_GAME, GameFilter, Traits
from game_datasets.rows import SPLITS, DatasetError, decoded_game
from game_datasets.shards import Datasets, dataset_files, listed, read_shard
from game_records.game_record import opening_stones
from game_records.rank_property import parse_rank
from game_records.result_property import parse_result
from goban.position import Position
from goban.rulesets import RULESETS
from planes.plane_names import RANKS
from planes.replayed_planes import Games
from runtime.storage import Folder

_COLUMNS: Final = ("id", "opening", "komi", "counted_score", "ending", "result", "setup", "branch", "target", "split")
_BEGINNING: Final = 16  # moves by which labelled positions of one game are known
_HELD_OUT: Final = 64


class SoftLabels(NamedTuple):
    """A teacher's labels of P positions, besides the ownership.

    Attributes:
        area: float32 (P,), the expected score by area, Black minus White without komi; NaN where the teacher does not
            predict both the score and its deviation, or assumed territory rules.
        deviation: float32 (P,), the standard deviation of the final score in points.
        win_rate: float32 (P,), the probability that Black wins with the komi of the position; NaN where unknown.
        policy_moves: lists of int16, points in the teacher's policy.
        policy: lists of float32, their probabilities, which sum to 1; an empty list where there is no policy.
    """

    area: NDArray[np.float32]
    deviation: NDArray[np.float32]
    win_rate: NDArray[np.float32]
    policy_moves: Lists
    policy: Lists


@dataclass(frozen=True, eq=False)
class GameTable:
    """Games of a dataset as flat arrays, ready for kernels: G games, M moves, S set-up stones in all.

    A position that a teacher labelled is the game that leads to it, and a pass of the side to move, which is not shown.
    A table has games or such positions.

    Attributes:
        ids: G strings; of labelled positions where these come from.
        opening: uint64 (G,), the hashes of the first stones; 0 for labelled positions.
        side: int16 (G,), of the board.
        komi: float32 (G,), points.
        score: float32 (G,), points, Black minus White with komi; NaN without a target, and for labelled positions.
        moves: int16 (M,), codes 2 * point + (1 if White), those of game g at move_offset[g]:move_offset[g + 1]. A
            counted game ends with two passes, also where the record leaves them out.
        move_offset: int64 (G + 1,).
        branch: int16 (G,), the number of moves after which the target holds and moves teach nothing; -1 for a game as
            it was played.
        setup: int16 (S,), codes as in `moves`.
        setup_offset: int64 (G + 1,).
        target: int8, owners row by row; a game without a target has none. Of labelled positions the ownership,
            -127..127.
        target_offset: int64 (G + 1,).
        ranks: int8 (G, 2), of Black and of White in dan, professionals counting as 9 dan and kyu as 1 dan; 0 where they
            are not known.
        resigned: int8 (G,), the colour that resigned; 0 where none did.
        dataset: int16 (G,), which of the datasets each game comes from, from 0.
        soft: a teacher's labels, for labelled positions; None for games.
    """

    ids: list[str]
    opening: NDArray[np.uint64]
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
    ranks: NDArray[np.int8]
    resigned: NDArray[np.int8]
    dataset: NDArray[np.int16]
    soft: SoftLabels | None = None

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """The number of moves of each game, int64 (G,)."""
        return np.diff(self.move_offset)

    @cached_property
    def replayed(self) -> Games:
        """What kernels replay. Players whose rank is not known are 9 dan, as in positions without a record."""
        arrays = {name: getattr(self, name) for name in Games._fields}
        return Games(**arrays | {"ranks": np.where(self.ranks, self.ranks, np.int8(RANKS))})

    @cached_property
    def labelled(self) -> NDArray[np.bool_]:
        """Which games have a target of their record, bool (G,)."""
        return (np.diff(self.target_offset) > 0) & (self.soft is None)

    @cached_property
    def first(self) -> NDArray[np.int64]:
        """The first ply of each game that may be shown, int64 (G,)."""
        return np.maximum(self.branch, 0).astype(np.int64) if self.soft is None else self.last

    @cached_property
    def last(self) -> NDArray[np.int64]:
        """The last ply of each game that may be shown, int64 (G,)."""
        return self.lengths - (self.soft is not None)

    @cached_property
    def held_out(self) -> NDArray[np.bool_]:
        """Which labelled positions no training learns from, bool (G,): those of one in 64 games, known by 16 moves."""
        chosen = np.zeros(len(self), np.bool_)
        for row in np.flatnonzero(self.last >= _BEGINNING) if self.soft else ():
            beginning = self.moves[self.move_offset[row] :][:_BEGINNING].tobytes()
            chosen[row] = hashlib.blake2b(beginning, digest_size=1).digest()[0] % _HELD_OUT == 0
        return chosen

    @cached_property
    def fingerprint(self) -> str:
        """16 hexadecimal digits that name games, targets and all else that is learned from."""
        if self.soft:
            names, learned = "", [*self.replayed, *self.soft[:2], *self.soft.policy_moves, *self.soft.policy]
        else:
            named = [field.name for field in fields(self) if field.name not in ("ids", "opening", "soft")]
            names, learned = "\n".join(self.ids), [getattr(self, name) for name in named]
        digest = hashlib.blake2b(names.encode(), digest_size=8)
        for array in learned:
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()

    @cached_property
    def records(self) -> NDArray[np.int64]:
        """The game, as a row, that each row comes from, int64 (G,): the row itself, but for boards of one game.

        A row whose target holds after its last move alone is a board, and rows that begin with its moves go on from it.
        """
        keys = [self._key(row) for row in range(len(self))]
        is_board = self.branch == self.lengths
        found, board = np.arange(len(self)), -1
        for row in sorted(range(len(self)), key=keys.__getitem__):
            if board >= 0 and keys[row].startswith(keys[board]):
                found[row] = board
            elif is_board[row]:
                board = row
        return found

    def _key(self, game: int) -> bytes:
        """Return side, set-up and moves as bytes with which those of each game that goes on from this one begin."""
        setup, moves = self._codes(game)
        return np.concatenate([[self.side[game]], setup, [-1], moves]).astype(np.int16).tobytes()

    def _codes(self, game: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        setup = self.setup[self.setup_offset[game] : self.setup_offset[game + 1]]
        return setup, self.moves[self.move_offset[game] : self.move_offset[game + 1]]

    def position(self, game: int, ply: int) -> Position:
        """Return a game's position after `ply` moves (0..M); raise IndexError for another number.

        The kernels of `planes` replay games themselves: they make batches without Python objects.
        """
        record = decoded_game(
            *self._codes(game),
            side=int(self.side[game]),
            source=self.ids[game],
            komi=float(self.komi[game]),
            handicap=0,
            rules="",
            result=parse_result(""),
        )
        return record.position(ply)

    def target_of(self, game: int) -> NDArray[np.int8]:
        """Return the owners, int8 (N, N), of a game that has a target."""
        side = int(self.side[game])
        return self.target[self.target_offset[game] : self.target_offset[game + 1]].reshape(side, side)


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
    a target in one dataset and none in another has it. `most` chooses so many of them, always the same ones.
    `side` is the only board side that a network reads, None for any.

    Raises:
        InputError: `wanted` leaves out `side`.
        DatasetError: no game has a target though `labelled` ones are needed, there is no game, or a dataset cannot be
            read.
    """
    tables = list(_games(datasets, split, wanted, side, unlabelled))
    _check_found(tables, datasets, _kind(split, wanted, side), labelled)
    return _game_table(tables, most)


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
    tables = list(_positions(places, side))
    _check_found(tables, places, f"labelled positions{_on(side)}")
    return _soft_table(tables)


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
    """Yield the chosen rows of one shard after the other."""
    if split is not None and split not in SPLITS:
        raise DatasetError(f"split must be one of {', '.join(SPLITS)}. Received: {split}")
    chosen = wanted if side is None else wanted.on(side)
    for number, folder, name in _files(datasets, GAMES):
        yield _numbered(_chosen(folder, name, split, chosen, unlabelled), number)


def _positions(places: Datasets, side: int | None) -> Iterator[Any]:
    """Yield the rows on a board side, or all, of one file after the other."""
    import pyarrow.compute as pc

    for number, folder, name in _files(places, SOFT):
        table = read_shard(folder, name, schema=SOFT)
        yield _numbered(table if side is None else table.filter(pc.equal(table["side"], side)), number)


def _files(datasets: Datasets, schema: Schema) -> list[tuple[int, Folder, str]]:
    """Return the number of its dataset, folder and name of each file."""
    return [(number, *found) for number, place in enumerate(listed(datasets)) for found in dataset_files(place, schema)]


def _numbered(table: Any, number: int) -> Any:
    """Return a table with the number of its dataset as a column."""
    import pyarrow as pa

    return table.append_column("dataset", pa.array(np.full(len(table), number, np.int16)))


def _chosen(dataset: Folder, name: str, split: str | None, wanted: GameFilter, unlabelled: bool) -> Any:
    import pyarrow as pa

    table = read_shard(dataset, name, [*_COLUMNS, *Traits._fields])
    moves = lists(table, "moves").lengths
    chosen = valid(table, "target")
    if unlabelled:
        is_own = valid(table, "moves") & ~valid(table, "branch")
        chosen |= is_own & (lists(table, "setup").lengths + moves >= opening_stones(numbers(table, "side")))
    if split is not None:
        chosen &= np.array([each == split for each in table["split"].to_pylist()], np.bool_)
    if wanted.describe():
        rows = table.select([name for name in Traits._fields if name != "moves"]).to_pylist()
        for row in np.flatnonzero(chosen).tolist():
            chosen[row] = not wanted.refusal(Traits(**rows[row], moves=int(moves[row])))
    return table.filter(pa.array(chosen))


def _game_table(tables: list[Any], most: int | None) -> GameTable:
    import pyarrow as pa

    rows = _without_copies(pa.concat_tables(tables))
    if most is not None:
        rows = rows.take(np.sort(np.argsort(rows["id"].to_pylist())[:most]))  # ids are hashes
    common = _common(rows, "target")
    agreed = np.isin(rows["ending"].to_pylist(), ("counted", "draw"))
    moves, move_offset = _with_passes(*lists(rows, "moves"), common["side"], agreed)
    return GameTable(
        **common,
        ids=rows["id"].to_pylist(),
        opening=np.array([int(opening, 16) for opening in rows["opening"].to_pylist()], np.uint64),
        score=np.where(valid(rows, "target"), numbers(rows, "counted_score"), np.nan).astype(np.float32),
        moves=moves,
        move_offset=move_offset,
        branch=rows["branch"].fill_null(-1).to_numpy().astype(np.int16),
        ranks=np.stack([_of_texts(rows[name], _dan) for name in ("black_rank", "white_rank")], axis=1),
        resigned=_of_texts(rows["result"], _loser),
    )


def _soft_table(tables: list[Any]) -> GameTable:
    import pyarrow as pa

    rows = _last_of_each(pa.concat_tables(tables))
    common, count = _common(rows, "ownership"), len(rows)
    moves, move_offset = _with_turn(*lists(rows, "moves"), common["side"], numbers(rows, "to_move"))
    return GameTable(
        **common,
        ids=rows["source"].to_pylist(),
        opening=np.zeros(count, np.uint64),
        score=np.full(count, np.nan, np.float32),
        moves=moves,
        move_offset=move_offset,
        branch=np.full(count, -1, np.int16),
        ranks=np.zeros((count, 2), np.int8),
        resigned=np.zeros(count, np.int8),
        soft=_soft_labels(rows),
    )


def _common(rows: Any, target: str) -> dict[str, Any]:
    """Return the fields of a table that games and labelled positions have from the same columns, but for the target."""
    setup, owners = lists(rows, "setup"), lists(rows, target)
    return {
        "side": numbers(rows, "side").astype(np.int16),
        "komi": numbers(rows, "komi"),
        "setup": setup.values,
        "setup_offset": setup.offset,
        "target": owners.values,
        "target_offset": owners.offset,
        "dataset": numbers(rows, "dataset").astype(np.int16),
    }


def _soft_labels(rows: Any) -> SoftLabels:
    policy = lists(rows, "policy")
    by_area = np.isin(rows["rules"].to_pylist(), [name for name, each in RULESETS.items() if each.counting == "area"])
    scored = valid(rows, "lead") & valid(rows, "deviation") & by_area
    return SoftLabels(
        area=np.where(scored, numbers(rows, "lead") + numbers(rows, "komi"), np.nan).astype(np.float32),
        deviation=numbers(rows, "deviation").astype(np.float32),
        win_rate=np.where(valid(rows, "win_rate"), numbers(rows, "win_rate"), np.nan).astype(np.float32),
        policy_moves=lists(rows, "policy_moves"),
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


def _without_copies(rows: Any) -> Any:
    """Keep the first of a game's rows, or its first with a target: a copy may have lost its result."""
    ids, labelled = rows["id"].to_pylist(), rows["target"].is_valid().to_pylist()
    kept: dict[str, int] = {}
    for row, name in enumerate(ids):
        if name not in kept or (labelled[row] and not labelled[kept[name]]):
            kept[name] = row
    return rows.take(sorted(kept.values()))


def _last_of_each(rows: Any) -> Any:
    """Keep the last of a position's rows."""
    turns = zip(rows["side"].to_pylist(), rows["to_move"].to_pylist(), strict=True)
    positions = zip(turns, lists(rows, "setup").contents, lists(rows, "moves").contents, strict=True)
    last = {position: number for number, position in enumerate(positions)}
    return rows.take(sorted(last.values()))


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


def passes_at_end(moves: NDArray[np.int16], offset: NDArray[np.int64], side: NDArray[np.int16]) -> NDArray[np.int64]:
    """Return int64 (G,): how many passes, up to two, end each game; arguments as in a GameTable."""
    found = np.zeros(len(side), np.int64)
    for place in (1, 2):
        there = (np.diff(offset) >= place) & (found == place - 1)
        code = moves[offset[1:][there] - place] >> 1
        found[np.flatnonzero(there)[code == side[there].astype(np.int64) ** 2]] += 1
    return found
