"""The JSON of a score: values are as its schema says, and have descriptions."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from game_records.sgf import parse_game
from goban.json_schema import object_of
from goban.position import Position
from ownership.inference.evaluator import Evaluator
from ownership.scoring.score_games import score_games
from ownership.scoring.score_json import BOARD, KEYS, POSITION, SCORE, ScoreKey, as_board_json, as_json
from ownership.scoring.score_position import score_position
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from tests.support.paths import EXAMPLES
from tests.support.schemas import check

FINISHED = (EXAMPLES / "finished-9x9.sgf").read_bytes()


def check_keys(values: dict[str, Any], keys: Sequence[ScoreKey[Any]]) -> None:
    """Check that an answer has these keys, in this order, and values of their schemas."""
    assert list(values) == [key.name for key in keys]
    check(json.loads(json.dumps(values)), object_of({key.name: SCORE[key.name] for key in keys}))


@pytest.mark.parametrize("record", [FINISHED, b"(;SZ[5];B[cc];W[bb])", b"(;SZ[5]AB[cc]RE[B+25];TB[aa])"])
@pytest.mark.parametrize("move", [None, 1])
def test_a_score_is_as_declared(record: bytes, move: int | None, bundled: Evaluator) -> None:
    game = parse_game(record)
    if move and not len(game.move_points):
        move = 0
    [scored] = score_games([game], bundled, ScoreOptions(move, symmetries=1))
    assert isinstance(scored, ScoredGame)
    check_keys(as_json(scored), KEYS)
    check_keys(as_board_json(scored), (*KEYS, *BOARD))


def test_an_estimate_has_the_keys_of_a_position(bundled: Evaluator) -> None:
    check_keys(as_json(score_position(Position.empty(5), evaluator=bundled)), POSITION)


def test_descriptions_have_no_markdown() -> None:
    assert not [schema["description"] for schema in SCORE.values() if set("[`") & set(schema["description"])]
