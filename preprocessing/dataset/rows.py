"""The dataset: Parquet shards with one row a game, never planes.

=============== ============ ==========================================================================
column          type         meaning
=============== ============ ==========================================================================
id              string       16 hexadecimal digits: hash of side, set-up stones and moves
opening         string       hash of side and first stones, one for every 8 points of the board, whichever side they are
                             seen from; of the record where there is a branch
source          string       where the record was read: path, archive member, number in its collection
side            int8         board side
komi            float32      points, by which the score counts
rules           string       canonical name of the ruleset, "" when unknown
handicap        int16        handicap stones
result          string       as the record writes it
ending          string       what that means: "counted", "draw", "resign", "time", "forfeit", "void" or "unknown"
black_rank      string       as the record writes it
white_rank      string       as the record writes it
date            string       as the record writes it
recorded_score  float32      Black minus White, komi included; null when the record has no margin
counted_score   float32      the same by area on the final board; of a rejected record the count that it contradicts,
                             by the model by the record's rules; null when there is none
setup           list<int16>  stone codes: 2 * point + (1 if White); null for duplicates and what was filtered
moves           list<int16>  move codes, same code; the point side * side is a pass; null as above
branch          int16        from how many moves on the target holds, and moves teach nothing, in a game that
                             `ownership selfplay` turned from its record; null for a game as it was played
target          binary       side * side int8 values, 1 Black, -1 White, 0 neutral; null when rejected
scorer          string       what decided the target, such as "GNU Go 3.8"
split           string       "train", "validation" or "test": a function of the opening alone
reason          string       "" when accepted, else why there is no target
detail          string       what was found, when rejected; else the komi, where it is assumed
=============== ============ ==========================================================================

The same input gives the same shards, byte for byte. How long each scoring took stands beside them, in timing-*.parquet.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goban.coords import BLACK
from goban.errors import InputError, cut
from preprocessing.labels.labeller import Label
from preprocessing.records.game import GameRecord
from preprocessing.records.properties import parse_result

SPLITS = ("train", "validation", "test")
_VALIDATION_PERCENT, _TEST_PERCENT = 4, 4

Row = dict[str, Any]


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


RECORD_COLUMNS = ("source", "side", "komi", "handicap", "rules", "result", "setup", "moves")


def record_of(row: Row) -> GameRecord:
    """Return the game of a row that has RECORD_COLUMNS, for replaying and counting: without players and date."""
    return decoded_game(
        np.array(row["setup"], np.int16),
        np.array(row["moves"], np.int16),
        source=row["source"],
        side=row["side"],
        komi=row["komi"],
        handicap=row["handicap"],
        rules=row["rules"],
        result=parse_result(row["result"]),
    )


def decoded_game(setup: NDArray[np.int16], moves: NDArray[np.int16], *, side: int, **rest: Any) -> GameRecord:
    """Return the game with these set-up stones and moves, as codes; `rest` as for GameRecord."""
    stones = np.zeros(side * side, np.int8)
    points, colours = decode(setup)
    stones[points] = colours
    points, colours = decode(moves)
    to_move = int(colours[0]) if len(colours) else BLACK
    return GameRecord(side=side, setup=stones, to_move=to_move, moves=points, colours=colours, **rest)


def owner_of(row: Row) -> NDArray[np.int8]:
    """Return the owners, int8 (N, N), of a row that has a target."""
    return np.frombuffer(row["target"], np.int8).reshape(row["side"], row["side"])


def accepted_row(game: GameRecord, label: Label) -> Row:
    """Return the row of a game that has a target."""
    return _game_columns(game) | {
        "counted_score": label.score,
        "target": label.target.tobytes(),
        "scorer": label.scorer,
        "reason": "",
        "detail": "" if game.komi_given else f"assumed: komi {game.komi:g}",
    }


def rejected_row(game: GameRecord, reason: str, detail: str, counted: float | None = None) -> Row:
    """Return the row of a readable game without a target, with the score that was counted, if any."""
    return _game_columns(game) | {"counted_score": counted, "reason": reason, "detail": detail}


def excluded_row(game: GameRecord, reason: str, detail: str) -> Row:
    """Return the row of a game that is not to be in the dataset: the same, without its moves."""
    return rejected_row(game, reason, detail) | {"setup": None, "moves": None}


def unreadable_row(source: str, reason: str, detail: str) -> Row:
    """Return the row of a record that could not be read."""
    return {"source": source, "reason": reason, "detail": detail}


def fitted(row: Row) -> Row:
    """Return a row, or where a column cannot hold its value that of an unreadable record, which names both."""
    import pyarrow as pa

    for field in schema():
        try:
            pa.array([row.get(field.name)], field.type)
        except (pa.ArrowException, OverflowError, UnicodeError):
            detail = f"{field.name}: expected {field.type}. Received: {cut(repr(row[field.name]))}"
            return unreadable_row(row["source"], "unreadable", detail)
    return row


def _game_columns(game: GameRecord) -> Row:
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
        "handicap": pa.int16(),
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
