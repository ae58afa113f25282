"""`ownership import`, and the models that it makes."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from game_records.game_record import GameRecord
from game_records.result_property import parse_result
from goban import coords
from goban.game import Game
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.cli import main
from ownership.inference.evaluator import Evaluator
from ownership.search.leaf_evaluation import NetworkLeaves
from ownership.teaching.teacher_interface import ModelTeacher
from ownership.teaching.teacher_positions import Question
from tests.support.positions import random_positions

keras = pytest.importorskip("keras", reason="making a model needs the train extra")
pytest.importorskip("tensorflow", reason="making a model needs the train extra")

from ownership.katago_networks.build_katago_network import build_katago_network  # noqa: E402
from ownership.katago_networks.katago_file import read_model  # noqa: E402
from planes.katago_inputs import katago_numbers, katago_planes  # noqa: E402

TERMS = Terms(RULESETS["japanese"], 6.5)


def test_the_description_names_the_source(imported: Path) -> None:
    described = json.loads((imported / "model" / "model.json").read_text())
    assert described["name"] == "small"
    assert described["source"]["file"] == "net.bin.gz"
    assert described["source"]["version"] == 14
    assert described["source"]["sha256"] == hashlib.sha256((imported / "net.bin.gz").read_bytes()).hexdigest()
    assert described["licence"] == "not known from the file; see where it comes from"
    assert described["network"]["architecture"] == "katago"
    assert described["network"]["feature_set"] == "katago7"
    assert described["export"]["weights"] in ("float16", "float32")


@pytest.mark.parametrize("side", [5, 9])
def test_predictions_are_the_networks(imported: Path, side: int) -> None:
    evaluator = Evaluator.load(imported / "model")
    network = build_katago_network(read_model(imported / "net.bin.gz"))
    positions = random_positions(side, 6)
    inputs = {
        "planes": katago_planes(positions, [TERMS] * 6),
        "globals": katago_numbers(positions, [TERMS] * 6),
    }
    expected = network.predict_on_batch(inputs)
    for index, (position, found) in enumerate(zip(positions, evaluator.evaluate(positions, terms=TERMS), strict=True)):
        sign = position.to_move
        np.testing.assert_allclose(found.owners, sign * (2 * expected["ownership"][index] - 1), atol=0.1)
        assert found.lead == pytest.approx(sign * float(expected["score"][index, 0]), abs=2)
        assert found.deviation == pytest.approx(float(expected["score"][index, 1]), abs=2)
        win, loss, no_result = expected["value"][index].tolist()
        assert found.win_rate == pytest.approx((win if sign > 0 else loss) + no_result / 2, abs=0.1)
        assert found.policy is not None and found.policy.sum() == pytest.approx(1, abs=1e-4)
        assert not found.policy[~position.legal_points()].any()


def test_predictions_depend_on_rules_and_komi(imported: Path) -> None:
    evaluator = Evaluator.load(imported / "model")
    position = Position.empty(9).play(40)
    asked = [Terms(RULESETS[name], komi) for name, komi in (("chinese", 7.5), ("chinese", -40.0), ("japanese", 7.5))]
    alone = [evaluator.evaluate([position], terms=terms)[0] for terms in asked]
    together = evaluator.evaluate([position] * 3, terms=asked)
    for answers in zip(alone, together, strict=True):
        assert len({(each.lead, each.win_rate) for each in answers}) == 1
    assert len({each.lead for each in alone}) == len({each.win_rate for each in alone}) == 3


def test_the_search_and_students_get_the_lead_of_the_network(imported: Path) -> None:
    evaluator = Evaluator.load(imported / "model")
    game = Game.empty(9, ruleset=RULESETS["area"], komi=3.5).play(40).play(20)
    [expected] = evaluator.evaluate([game.position], terms=game.terms)
    [leaf] = NetworkLeaves(evaluator, game.ruleset, game.komi).evaluate([game.position])
    assert leaf.score == expected.lead
    record = GameRecord.of_game(game, "here", parse_result(""))
    [label] = ModelTeacher(evaluator, "small", 1).ask([Question(record, 2, game.position, 0, 0)])
    assert label is not None
    assert (label.komi, label.lead, label.win_rate) == (3.5, expected.lead, expected.win_rate)


def test_symmetries_turn_the_answer_with_the_board(imported: Path) -> None:
    evaluator = Evaluator.load(imported / "model", cached=0)
    position = Position.empty(7).play(9).play(17)
    turned = Position.empty(7).play(coords.destinations(7)[3, 9]).play(coords.destinations(7)[3, 17])
    one, other = (evaluator.evaluate([each], 8, TERMS)[0] for each in (position, turned))
    np.testing.assert_allclose(coords.apply_symmetry(one.owners, 3), other.owners, atol=1e-5)
    assert one.lead == pytest.approx(other.lead, abs=1e-4)
    assert one.win_rate == pytest.approx(other.win_rate, abs=1e-5)


def test_a_game_is_scored_with_it(imported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "game.sgf"
    record.write_text("(;SZ[9]KM[7]RU[Chinese];B[ee];W[cc];B[];W[])")
    assert main(["score", str(record), "--model", str(imported / "model")]) == 0
    assert "chinese rules" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("field", "value"),
    [("version", "8"), ("filters", 0), ("blocks", None), ("feature_set", "katago3"), ("strict_pass_alive", 1)],
)
def test_a_description_that_was_changed(imported: Path, tmp_path: Path, field: str, value: object) -> None:
    (tmp_path / "model.tflite").write_bytes((imported / "model" / "model.tflite").read_bytes())
    described = json.loads((imported / "model" / "model.json").read_text())
    described["network"][field] = value
    (tmp_path / "model.json").write_text(json.dumps(described))
    with pytest.raises(ValueError, match=field):
        Evaluator.load(tmp_path)
