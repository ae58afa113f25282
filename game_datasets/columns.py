"""The columns of the Parquet files of datasets: games, one row a record, and positions that a teacher labelled.

Files are written, read and checked by these columns; docs/datasets.md says what they mean. Games are not
replayed, labelled positions are.
"""

import re
from math import inf
from typing import Final, get_args

import numpy as np

from game_datasets.arrow_to_numpy import has_value, list_column, number_column
from game_datasets.column_checks import (
    Check,
    between,
    expect_at_most,
    expect_bytes,
    expect_codes,
    expect_items,
    expect_one_of,
    expect_texts,
    expect_value,
    expect_within,
    has_doubled,
    is_accepted,
    unlike_their_id,
)
from game_datasets.file_schema import Column, FileSchema
from game_datasets.row_kernels import crowded_rows, misplayed_rows
from game_datasets.rows import OWNERSHIP_SCALE, SPLITS
from game_records.game_record import MAX_MOVES
from game_records.result_property import ResultKind
from goban.coords import MAX_SIDE, MIN_SIDE
from goban.rulesets import RULESETS

_MOST_POINTS: Final = 2000  # more than any margin and komi of a record
_TEXT, _NUMBER, _CODES = "string", "float32", "list<int16>"

_A_SIDE: Final = f"a board side {MIN_SIDE}..{MAX_SIDE}"
_SIDE: Final = expect_within(MIN_SIDE, MAX_SIDE, _A_SIDE)
_POINTS: Final = expect_within(-_MOST_POINTS, _MOST_POINTS, "a number of points")
_HASH: Final = expect_texts("16 hexadecimal digits", re.compile("[0-9a-f]{16}").fullmatch)
_POSITION: Final = Check(
    "one stone a point, and a liberty for every chain",
    lambda table, name: crowded_rows(number_column(table, "side"), *list_column(table, name)),
)
_PRINTED: Final = expect_texts("a text that can be printed", str.isprintable)
_OF_GAME: Final = expect_value(beside="side")
_OF_TARGET: Final = expect_value("a value with a target", "target")
_WITH: Final = [expect_value(f"a board side with {name}", name) for name in ("setup", "moves", "target")]
_PLY: Final = Check(
    "a number of moves of the game",
    lambda table, name: ~between(0, number_column(table, name), list_column(table, "moves").lengths),
    ("moves",),
)
_TARGET: Final = Check(
    "a target without a reason", lambda table, name: ~has_value(table, name) & is_accepted(table), ("reason",)
)
_REASON: Final = Check(
    "no reason with a target", lambda table, name: has_value(table, "target") & ~is_accepted(table), ("target",)
)
_LEGAL: Final = Check(
    "legal moves (simple ko, suicide allowed)",
    lambda table, name: misplayed_rows(
        number_column(table, "side"), *list_column(table, "setup"), *list_column(table, name)
    ),
    ("setup",),
)
_AS_MANY: Final = Check(
    "a probability for each move",
    lambda table, name: list_column(table, name).lengths != list_column(table, "policy_moves").lengths,
    ("policy_moves",),
)
_SUMS: Final = Check(
    "probabilities that sum to 1 at most",
    lambda table, name: (
        has_value(table, name) & ~((list_column(table, name).sums > 0) & (list_column(table, name).sums < 1.01))
    ),
)

GAMES: Final = FileSchema(
    prefix="shard",
    folder="a dataset folder",
    kind="a Parquet file of games, as `ownership prepare` writes it",
    level=19,
    repeated=("rules", "scorer", "split", "reason", "black_rank", "white_rank", "date", "result", "ending"),
    columns={
        "id": Column(_TEXT, _OF_GAME, _HASH),
        "opening": Column(_TEXT, _OF_GAME, _HASH),
        "source": Column(_TEXT, expect_value("a text"), _PRINTED),
        "side": Column("int8", _SIDE, *_WITH),
        "komi": Column(_NUMBER, _OF_GAME, _POINTS),
        "rules": Column(_TEXT, _OF_GAME, expect_one_of(("", *RULESETS))),
        "handicap": Column("int16", _OF_GAME, expect_within(0, inf, "0 or more")),
        "result": Column(_TEXT, _OF_GAME, _PRINTED),
        "ending": Column(_TEXT, _OF_GAME, expect_one_of(get_args(ResultKind))),
        "black_rank": Column(_TEXT, _OF_GAME, _PRINTED),
        "white_rank": Column(_TEXT, _OF_GAME, _PRINTED),
        "date": Column(_TEXT, _OF_GAME, _PRINTED),
        "recorded_score": Column(_NUMBER, _POINTS),
        "counted_score": Column(_NUMBER, _POINTS, _OF_TARGET),
        "setup": Column(_CODES, expect_codes(2), _POSITION, expect_value("set-up stones with moves", "moves")),
        "moves": Column(
            _CODES,
            expect_codes(2, 2),
            expect_at_most(MAX_MOVES, f"at most {MAX_MOVES} moves"),
            _OF_TARGET,
            expect_value("moves with set-up stones", "setup"),
            Check("the moves that the id of the row is a hash of", unlike_their_id, ("id", "setup")),
        ),
        "branch": Column("int16", _PLY),
        "target": Column("binary", *expect_bytes(1, "owners 1, 0 and -1"), _TARGET),
        "scorer": Column(_TEXT, _OF_TARGET, _PRINTED),
        "split": Column(_TEXT, expect_one_of(SPLITS)),
        "reason": Column(_TEXT, expect_value("a text"), _PRINTED, _REASON),
        "detail": Column(_TEXT, _PRINTED),
    },
)

SOFT: Final = FileSchema(
    prefix="soft",
    folder="a soft dataset, a folder",
    kind="a Parquet file of soft rows, as `ownership teach` writes it",
    level=6,
    repeated=("source", "teacher", "rules"),
    columns={
        "source": Column(_TEXT, expect_value(), _PRINTED),
        "teacher": Column(_TEXT, expect_value(), _PRINTED),
        "side": Column("int8", expect_value(_A_SIDE), _SIDE),
        "setup": Column(_CODES, expect_value(), expect_codes(2), _POSITION),
        "moves": Column(
            _CODES,
            expect_value(),
            expect_codes(2, 2),
            expect_at_most(MAX_MOVES - 1, f"fewer than {MAX_MOVES} moves"),
            _LEGAL,
        ),
        "to_move": Column("int8", Check("1 or -1", lambda table, name: np.abs(number_column(table, name)) != 1)),
        "rules": Column(_TEXT, expect_value(), expect_one_of(RULESETS)),
        "komi": Column(_NUMBER, expect_value(), _POINTS),
        "ownership": Column(
            "binary", expect_value(), *expect_bytes(OWNERSHIP_SCALE, f"values {-OWNERSHIP_SCALE}..{OWNERSHIP_SCALE}")
        ),
        "lead": Column(_NUMBER, _POINTS),
        "deviation": Column(_NUMBER, expect_within(0, _MOST_POINTS, "a number of points, 0 or more")),
        "win_rate": Column(_NUMBER, expect_within(0, 1, "a probability")),
        "policy_moves": Column(_CODES, expect_codes(1, 1), Check("each move once", has_doubled)),
        "policy": Column(
            "list<float32>",
            _AS_MANY,
            expect_items("probabilities", lambda chances, side: between(0, chances, 1)),
            _SUMS,
        ),
    },
)
