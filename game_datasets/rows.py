"""Rows of datasets, of games and of positions that a teacher labelled: dictionaries with the columns of `columns`.

The same input gives the same files, byte for byte. The seconds of each scoring are in timing-*.parquet.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban.coords import BLACK
from goban.errors import InputError

SPLITS = ("train", "validation", "test")
OWNERSHIP_SCALE: Final = 127  # the ownership of a point that is surely Black's
_VALIDATION_PERCENT, _TEST_PERCENT = 4, 4
_LEAST_PROBABILITY: Final = 0.0005

Row = dict[str, Any]


class DatasetError(InputError):
    """A dataset that is missing, damaged, empty, or made with other options."""


@dataclass(frozen=True, eq=False)
class Label:
    """The training target of one game.

    Attributes:
        target: int8 (N, N), the owner of each point at the end: 1 Black, -1 White, 0 neither (dame, and empty points
            in a seki).
        score: points, Black minus White under area counting, the record's komi included.
        scorer: what decided: "GNU Go 3.8", the name of a model, or that name and " + record".
    """

    target: NDArray[np.int8]
    score: float
    scorer: str


def split_of(opening: str) -> str:
    """Return the split of the games with this opening, 16 hexadecimal digits: 4% test, 4% validation, the rest train.

    Games that go apart late, or that were copied in a mirror, are near-duplicates and stay in one split.
    """
    percent = int(opening[:8], 16) % 100
    if percent < _TEST_PERCENT:
        return "test"
    return "validation" if percent < _TEST_PERCENT + _VALIDATION_PERCENT else "train"


def encode_points(points: NDArray[Any], colours: NDArray[Any]) -> NDArray[np.int16]:
    """Return the codes 2 * point + (1 if White), int16, of stones or moves."""
    return (2 * points.astype(np.int16) + (colours < 0)).astype(np.int16)


def decode_points(codes: NDArray[np.int16]) -> tuple[NDArray[np.int16], NDArray[np.int8]]:
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
    points, colours = decode_points(setup)
    stones[points] = colours
    points, colours = decode_points(moves)
    to_move = int(colours[0]) if len(colours) else BLACK
    return GameRecord(side=side, setup=stones, to_move=to_move, move_points=points, move_colours=colours, **rest)


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
        "setup": encode_points(setup, game.setup[setup]),
        "moves": encode_points(game.move_points, game.move_colours),
        "split": split_of(game.opening),
    }


def soft_ownership(ownership: NDArray[np.floating[Any]]) -> bytes:
    """Return the ownership of the points, N*N values in [-1, 1], +1 Black, as a row holds it."""
    scaled: NDArray[np.int8] = np.rint(np.clip(ownership, -1, 1).ravel() * OWNERSHIP_SCALE).astype(np.int8)
    return scaled.tobytes()


def soft_policy(policy: NDArray[np.floating[Any]] | None) -> Row:
    """Return the columns of a policy, N*N + 1 probabilities of which only the largest are kept; None for unknown."""
    if policy is None:
        return {"policy_moves": None, "policy": None}
    likely = np.argsort(-policy, kind="stable")
    likely = likely[: max(1, int(np.sum(policy >= _LEAST_PROBABILITY)))]
    return {"policy_moves": likely.astype(np.int16), "policy": policy[likely].astype(np.float32)}
