"""Records as the page shows them."""

import pytest

from game_records.sgf import parse_game
from ownership.inference.evaluator import Evaluator
from ownership.review.move_losses import reviewed_moves
from ownership.review.review_json import players_json
from ownership.review.searched_positions import review
from ownership.review.write_analysis import reviewed_record
from ownership.scoring.scored_game import ScoreOptions
from ownership.server.record_json import game_json

GAME = b"(;SZ[5];B[cc];W[bb];B[dd])"


@pytest.mark.parametrize("reviewed", [1, 3, 4])
def test_players_are_judged_by_a_whole_review(reviewed: int, bundled: Evaluator) -> None:
    found = list(review(parse_game(GAME), bundled, ScoreOptions(symmetries=1), 2))[:reviewed]
    record = reviewed_record(GAME, found, reviewed_moves(found))
    shown = game_json(parse_game(record), record)["review"]
    assert len(shown["positions"]) == reviewed
    if reviewed == 4:
        assert shown["players"].keys() == players_json(reviewed_moves(found)).keys()
    else:
        assert shown["players"] is None


def test_a_record_without_an_analysis_has_no_review() -> None:
    assert game_json(parse_game(GAME), GAME)["review"] is None
