"""The review that a record holds: as it was written, and in spite of damage."""

import base64
import gzip
import json
from typing import Any

import numpy as np
import pytest

from game_records.sgf import parse_game
from game_records.sgf_tree import nodes_by_ply, read_tree
from ownership.inference.evaluator import Evaluator
from ownership.review.move_losses import reviewed_moves
from ownership.review.read_analysis import recorded_review
from ownership.review.review_json import players_json
from ownership.review.searched_positions import ReviewedPosition, review
from ownership.review.write_analysis import reviewed_record
from ownership.scoring.scored_game import ScoreOptions

RECORD = b"(;SZ[7]KM[9]RU[Chinese];B[dd];W[dc];B[aa];W[ed];B[cc](;W[ec];B[];W[])(;W[ff]))"


@pytest.fixture(scope="module")
def positions(bundled: Evaluator) -> list[ReviewedPosition]:
    return list(review(parse_game(RECORD), bundled, ScoreOptions(symmetries=1), 16))


@pytest.fixture(scope="module")
def record(positions: list[ReviewedPosition]) -> bytes:
    return reviewed_record(RECORD, positions, reviewed_moves(positions))


def test_a_review_is_read_as_it_was_written(positions: list[ReviewedPosition], record: bytes) -> None:
    found = recorded_review(parse_game(record), read_tree(record))
    assert [each.move for each in found] == list(range(9))
    for was, now in zip(positions, found, strict=True):
        assert (now.visits, now.black_wins is None) == (was.visits, was.black_wins is None)
        assert now.score == pytest.approx(was.score, abs=1e-5)
        assert (now.interval is None) == (was.interval is None)
        assert now.interval is None or now.interval == pytest.approx(was.interval, abs=1e-4)
        assert [each.line for each in now.candidates] == [each.line[:10] for each in was.candidates[:8]]
        assert [each.visits for each in now.candidates] == [each.visits for each in was.candidates[:8]]
        assert np.abs(now.ownership - was.ownership).max() < 0.01
    moves, before = reviewed_moves(found), reviewed_moves(positions)
    assert [move.lost for move in moves] == pytest.approx([move.lost for move in before], abs=1e-5)
    assert [move.is_best for move in moves] == [move.is_best for move in before]
    assert players_json(moves)["black"]["game"]["mean_points_lost"] == pytest.approx(
        players_json(before)["black"]["game"]["mean_points_lost"], abs=1e-3
    )


def packed(value: Any) -> str:
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.b64encode(gzip.compress(data)).decode()


OWNERS = packed(np.zeros(9, "<f2").tobytes())
ROOT = {"winrate": 0.5, "scoreLead": 1.5, "visits": 9}
MOVE = {"move": "B2", "order": 0, "visits": 8, "winrate": 0.5, "scoreLead": 1.5, "prior": 0.4, "pv": ["B2", "A1"]}


def read(*values: str) -> int:
    """Return how many positions of a record with these values of KT are read."""
    data = f"(;SZ[3]KT{''.join(f'[{each}]' for each in values)};B[bb];W[])".encode()
    return len(recorded_review(parse_game(data), read_tree(data)))


def test_a_position_of_katrain_is_read() -> None:
    assert read(OWNERS, OWNERS, packed({"root": ROOT, "moves": {"B2": MOVE}, "completed": True})) == 1


@pytest.mark.parametrize(
    "rest",
    [
        {},
        [],
        {"root": ROOT, "moves": {"B2": MOVE | {"pv": ["Z9"]}}},
        {"root": ROOT, "moves": {"B2": MOVE | {"pv": []}}},
        {"root": ROOT, "moves": {"B2": MOVE | {"prior": "much"}}},
        {"root": ROOT | {"scoreLead": float("nan")}, "moves": {}},
        {"root": ROOT | {"winrate": 7}, "moves": {}},
        {"root": ROOT, "moves": [MOVE]},
        b"[" * 100_000,
        json.dumps({"root": ROOT, "moves": {}}).encode() + b" " * (1 << 20),
    ],
)
def test_an_analysis_that_is_none_is_left_out(rest: Any) -> None:
    assert read(OWNERS, OWNERS, packed(rest)) == 0


@pytest.mark.parametrize(
    "values",
    [
        ["x"],
        ["x", "y", "z"],
        [OWNERS, OWNERS, packed({"root": ROOT, "moves": {}})[:-9]],
        [packed(b"1"), OWNERS, packed({"root": ROOT, "moves": {}})],
    ],
)
def test_values_that_cannot_be_unpacked_are_left_out(values: list[str]) -> None:
    assert read(*values) == 0


def test_a_record_without_a_review_has_none() -> None:
    assert recorded_review(parse_game(RECORD), read_tree(RECORD)) == []
    assert "KT" not in nodes_by_ply(read_tree(RECORD))[0]
