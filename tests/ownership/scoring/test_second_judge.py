"""A second model is asked about ends of games that are not safe to count by the first."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from game_records.sgf import parse_game
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import NetworkConfig
from ownership.inference.second_judge import judges
from ownership.scoring.assessment import assess
from ownership.scoring.score_games import score_game
from ownership.scoring.score_position import score_position
from ownership.scoring.scored_game import ScoreOptions
from tests.support.boards import SMALL_FINISHED
from tests.support.models import write_model

DEFAULT = Terms(RULESETS["chinese"], 7.0)
FINISHED = Position.from_diagram(SMALL_FINISHED)


def test_two_judges_give_their_mean_ownership(small_model: Path, bundled: Evaluator) -> None:
    first = Evaluator.load(small_model)
    both = judges(first, "default", FINISHED.side)
    assert both is not None and both.name == "small+default"
    means = [judge.evaluate([FINISHED], 8, [DEFAULT])[0].owners for judge in (first, bundled, both)]
    np.testing.assert_allclose(means[2], (means[0] + means[1]) / 2, atol=1e-6)


def test_a_model_is_no_second_judge_of_itself(bundled: Evaluator) -> None:
    assert judges(bundled, "default", 9) is None
    assert judges(bundled, None, 9) is None
    play = Evaluator.load("play")
    other = judges(play, "play", 9)
    assert other is not None and other.name == "play+default", "the default model takes the place of the same"


def test_a_model_of_another_board_side_is_not_asked(tmp_path: Path, bundled: Evaluator) -> None:
    config = NetworkConfig("residual", "standard", filters=8, blocks=1, heads=("ownership",))
    place = str(write_model(tmp_path / "owner", config))
    assert judges(bundled, place, 9) is not None
    policy_alone = NetworkConfig("residual", "standard", filters=8, blocks=1, heads=("policy",))
    assert judges(bundled, str(write_model(tmp_path / "policy", policy_alone)), 9) is None


def test_what_is_safe_by_the_first_model_asks_no_other(bundled: Evaluator) -> None:
    answer = score_position(FINISHED, "chinese", 7, evaluator=bundled, second_judge="no such model")
    assert answer.state == "safe"


def test_what_is_not_safe_by_the_first_model_is_by_both(small_model: Path) -> None:
    unsure = Evaluator.load(small_model)
    alone = score_position(FINISHED, "chinese", 7, evaluator=unsure, second_judge=None)
    together = score_position(FINISHED, "chinese", 7, evaluator=unsure, second_judge="default")
    assert not alone.safe
    assert not np.array_equal(alone.ownership, together.ownership)
    with pytest.raises(InputError, match="no such model"):
        score_position(FINISHED, "chinese", 7, evaluator=unsure, second_judge="no such model")


def test_a_record_names_both_judges(bundled: Evaluator) -> None:
    """White's E5 has one liberty beside a dame: the count is not safe."""
    black = b"AB[ea][eb][ec][ed][fd][gd][he][ef][ff][gf][eg][eh][ei]"
    white = b"AW[da][db][dc][cd][ce][ee][fe][ge][df][dg][dh][di]"
    game = parse_game(b"(;SZ[9]RU[chinese]KM[0]" + black + white + b";B[];W[])")
    assert score_game(game, bundled).model == "default"
    assert score_game(game, bundled, ScoreOptions(second_judge="fast")).model == "default+fast"
    assert (
        score_game(replace(game, move_points=game.move_points[:1], move_colours=game.move_colours[:1]), bundled).model
        == "default"
    )


def test_two_judges_that_are_sure_need_no_rollouts(bundled: Evaluator) -> None:
    both = judges(bundled, "play", 9)
    assert both is not None
    [alone], [together] = (assess(judge, [FINISHED], [True], 8, [DEFAULT]) for judge in (bundled, both))
    assert (alone.share > 0).all()
    stones = FINISHED.stones != 0
    sure = np.abs(FINISHED.chain_means(together.prediction.owners)) >= 0.95
    assert (stones & sure).any()
    np.testing.assert_array_equal(together.share > 0, ~sure)
