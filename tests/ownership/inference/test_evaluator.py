"""Positions in, ownership out; the cache."""

import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from goban import coords
from goban.coords import BLACK
from goban.errors import InputError
from goban.position import Position, trusted_position
from goban.rulesets import Terms
from ownership.inference.evaluator import MAX_BATCH, Evaluator
from ownership.inference.prediction import Prediction
from ownership.inference.thread_safe_lru_cache import LRUCache
from planes.position_planes import planes_and_chains

FIGHT = Position.from_diagram(
    """
    . . . . . . .
    . X O O . O .
    . X X O X O .
    . . . X . . .
    . O X X O O .
    . . O . X . .
    . . . . . . .
    """
)
INVERSE = (0, 1, 2, 3, 4, 6, 5, 7)  # of each symmetry


def played(side: int, number: int) -> list[Position]:
    """Return positions after 0, 1, ... random moves."""
    random = np.random.default_rng(side)
    positions = [Position.empty(side)]
    while len(positions) < number:
        legal = np.flatnonzero(positions[-1].legal_points()[:-1])
        positions.append(positions[-1].play(int(random.choice(legal))))
    return positions


def assert_same(answers: Sequence[Prediction], expected: Sequence[Prediction], tolerance: float = 1e-6) -> None:
    """Compare all that a model with all heads predicts."""
    for answer, right in zip(answers, expected, strict=True):
        for head in ("ownership", "policy", "deviation"):
            np.testing.assert_allclose(getattr(answer, head), getattr(right, head), atol=tolerance, err_msg=head)


def policy_of(prediction: Prediction) -> NDArray[np.float32]:
    assert prediction.policy is not None
    return prediction.policy


def turned(position: Position, k: int) -> Position:
    recent = tuple(coords.destinations(position.side)[k, point] for point in position.recent)
    ko = position.ko if position.ko < 0 else coords.destinations(position.side)[k, position.ko]
    return Position.from_stones(coords.apply_symmetry(position.stones, k), position.to_move, ko=ko, recent=recent)


def turned_prediction(prediction: Prediction, k: int) -> Prediction:
    """Return the prediction about the board turned by symmetry `k`, given that about the board."""
    side = len(prediction.owners)
    policy = np.empty_like(policy_of(prediction))
    policy[[coords.destinations(side)[k, point] for point in range(side * side + 1)]] = policy_of(prediction)
    return Prediction(coords.apply_symmetry(prediction.owners, k), policy, prediction.deviation)


@pytest.mark.parametrize("side", [2, 5, 9, 13, 19, 25])
def test_any_board_side(small_model: Path, side: int) -> None:
    answers = Evaluator.load(small_model).evaluate(played(side, 3))
    assert len(answers) == 3
    for answer in answers:
        assert answer.owners.shape == (side, side)
        assert policy_of(answer).shape == (side * side + 1,)
        assert answer.owners.dtype == policy_of(answer).dtype == np.float32
        assert np.abs(answer.owners).max() <= 1
        assert answer.deviation is not None and answer.deviation > 0


def test_a_model_predicts_nothing_without_a_head(owner_model: Path) -> None:
    answers = Evaluator.load(owner_model).evaluate(played(5, 2))
    assert [(each.owners.shape, each.policy, each.deviation) for each in answers] == [((5, 5), None, None)] * 2


@pytest.mark.parametrize("symmetries", [1, 8])
def test_the_policy_is_one_over_the_legal_moves(small_model: Path, symmetries: int) -> None:
    ko = Position.from_diagram(". X O . / X O . O / . X O . / . . . .").play(6)
    positions = [ko, *played(4, 12)]
    assert ko.ko == 5
    policy = np.stack([policy_of(each) for each in Evaluator.load(small_model).evaluate(positions, symmetries)])
    legal = np.stack([position.legal_points() for position in positions])
    np.testing.assert_array_equal(policy > 0, legal)
    np.testing.assert_allclose(policy.sum(axis=1), 1, atol=1e-5)


def test_illegal_moves_leave_the_odds_of_the_others(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    answer = policy_of(evaluator.evaluate([FIGHT])[0])
    network = evaluator.predict(*planes_and_chains([FIGHT], evaluator.feature_set))["policy"]
    legal = FIGHT.legal_points()
    np.testing.assert_allclose(answer[legal], network[0, legal] / network[0, legal].sum(), rtol=1e-5)


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
@pytest.mark.parametrize("symmetries", [1, 8])
def test_a_batch_equals_its_positions_one_by_one(model: str, symmetries: int, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model), cached=0)
    positions = played(7, MAX_BATCH + 3)
    batch = evaluator.evaluate(positions, symmetries)
    for index in (0, 1, MAX_BATCH - 1, MAX_BATCH, MAX_BATCH + 2):
        [alone] = evaluator.evaluate([positions[index]], symmetries)
        for head in ("ownership", "policy", "deviation"):
            np.testing.assert_allclose(getattr(batch[index], head), getattr(alone, head), atol=1e-6, err_msg=head)


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
@pytest.mark.parametrize("k", coords.SYMMETRIES)
def test_averaging_makes_a_turned_board_a_turned_answer(model: str, k: int, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model))
    position = FIGHT.play(0).play(6)
    expected = [turned_prediction(evaluator.evaluate([position], 8)[0], k)]
    assert_same(evaluator.evaluate([turned(position, k)], 8), expected, 1e-5)


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
def test_averaging_is_the_mean_over_turned_boards(model: str, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model))
    position = Position.from_stones(np.zeros((5, 5))).play(1).play(7)
    answers = [turned_prediction(evaluator.evaluate([turned(position, k)])[0], INVERSE[k]) for k in coords.SYMMETRIES]
    [mean] = evaluator.evaluate([position], 8)
    for head in ("ownership", "deviation"):
        expected = np.mean([getattr(each, head) for each in answers], axis=0)
        np.testing.assert_allclose(getattr(mean, head), expected, atol=1e-5, err_msg=head)
    network = evaluator.predict(*planes_and_chains([position], evaluator.feature_set), 8)["policy"]
    legal = position.legal_points()
    np.testing.assert_allclose(policy_of(mean)[legal], network[0, legal] / network[0, legal].sum(), rtol=1e-5)


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
def test_each_position_may_be_looked_at_in_a_symmetry_of_its_own(model: str, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model))
    position = FIGHT.play(0).play(6)
    alone = [evaluator.evaluate([turned(position, k)])[0] for k in coords.SYMMETRIES]
    expected = [turned_prediction(each, INVERSE[k]) for k, each in enumerate(alone)]
    answers = evaluator.evaluate([position] * 8, coords.SYMMETRIES)
    assert_same(answers, expected, 1e-5)
    assert_same(evaluator.evaluate([position, position], [5, 2]), [answers[5], answers[2]])
    for wrong in ([5], [5, 8], [-1, 0]):
        with pytest.raises(InputError, match=r"symmetries must be 2 numbers from 0 to 7\. Received: "):
            evaluator.evaluate([position, position], wrong)


def test_colours_come_from_the_position_not_from_the_side_to_move(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    reversed_colours = Position.from_stones(-FIGHT.stones, -FIGHT.to_move)
    [answer], other = evaluator.evaluate([FIGHT]), evaluator.evaluate([reversed_colours])
    assert_same(other, [Prediction(-answer.owners, answer.policy, answer.deviation)])


def test_many_threads_get_the_answers_of_one(small_model: Path) -> None:
    alone, shared = (Evaluator.load(small_model, cached=0) for _ in range(2))
    boards = [played(side, number)[-5:] for side in (5, 9, 19) for number in (1, 2, 7, 30)] * 5
    expected = [alone.evaluate(board) for board in boards]
    with ThreadPoolExecutor(8) as pool:
        for answer, right in zip(pool.map(shared.evaluate, boards), expected, strict=True):
            assert_same(answer, right)


def test_a_bad_request_spoils_no_other(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model, cached=0)
    bad = trusted_position(FIGHT.stones.flatten(), FIGHT.side, BLACK, -1, (0, 0), (10**6,), FIGHT.hash, ())
    expected = evaluator.evaluate([FIGHT])
    with ThreadPoolExecutor(4) as pool:
        requests = [pool.submit(evaluator.evaluate, [bad if number % 4 == 0 else FIGHT]) for number in range(80)]
    for number, request in enumerate(requests):
        if number % 4 == 0:
            assert isinstance(request.exception(), OverflowError)
        else:
            assert_same(request.result(), expected)


def test_predictions_are_read_only_so_that_none_is_spoilt_for_others(small_model: Path) -> None:
    [first, second] = Evaluator.load(small_model).evaluate([FIGHT, FIGHT])
    for array in (first.owners, policy_of(second)):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = -5


def test_refuses_no_planes(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    none = np.zeros((0, 9, 9, len(evaluator.feature_set.planes)), np.float32)
    with pytest.raises(InputError, match="at least one position"):
        evaluator.predict(none, np.zeros((0, 9, 9), np.int32))


def test_an_answer_is_cached_only_by_the_inputs_of_the_network(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    stones = FIGHT.stones
    same = [FIGHT, Position.from_stones(stones, prisoners=(3, 4))]
    others = [
        Position.from_stones(stones, -1),
        Position.from_stones(stones, ko=0),
        Position.from_stones(stones, recent=(0,)),
    ]
    fresh = Evaluator.load(small_model, cached=0)
    for position in same + others:
        assert_same(evaluator.evaluate([position]), fresh.evaluate([position]))
    evaluator.evaluate([FIGHT], 8)
    assert len(evaluator._cache) == 1 + len(others) + 1
    assert len(fresh._cache) == 0


def test_a_head_of_margins_gives_the_lead_and_the_chance_to_win_by_the_terms_of_the_game() -> None:
    """Black, 7 points ahead at komi 0 by the network, has lost at komi 40; a prisoner is worth a point by territory."""
    evaluator = Evaluator.load("play", threads=1)
    position = FIGHT
    captured = Position.from_stones(position.stones, position.to_move, prisoners=(1, 0))
    area, territory = Terms("chinese", 0.0), Terms("japanese", 0.0)
    even, behind = (evaluator.evaluate([position], terms=each)[0] for each in (area, Terms("chinese", 40.0)))
    assert (
        even.lead is not None and behind.lead is not None and even.win_rate is not None and behind.win_rate is not None
    )
    assert behind.lead == pytest.approx(even.lead - 40)
    assert behind.win_rate < 0.01 < even.win_rate
    mirrored = Position.from_stones(-position.stones, -position.to_move)
    [reversed_] = evaluator.evaluate([mirrored], terms=area)
    assert reversed_.lead == pytest.approx(-even.lead, abs=1e-4)
    assert reversed_.win_rate == pytest.approx(1 - even.win_rate, abs=1e-5)
    without, with_one = (evaluator.evaluate([each], terms=territory)[0].lead for each in (position, captured))
    assert without is not None and with_one == pytest.approx(without + 1)


def test_refuses_mixed_boards(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    with pytest.raises(InputError, match=r"one board side. Received: 5, 9"):
        evaluator.ownership([Position.empty(9), Position.empty(5)])
    with pytest.raises(InputError, match="at least one position"):
        evaluator.ownership([])
    with pytest.raises(InputError, match=r"expected terms for all, or for each of 1\. Received: 0"):
        evaluator.ownership([FIGHT], terms=[])
    for terms in (5, "chinese", [None]):
        with pytest.raises(TypeError, match=r"expected Terms\(ruleset, komi\), or a list of them\. Received: "):
            evaluator.ownership([FIGHT], terms=terms)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="symmetries must be 1, 4 or 8"):
        evaluator.ownership([FIGHT], symmetries=3)


def without(modules: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter in which some modules are not installed."""
    hide = f"import sys\nfor name in {modules}: sys.modules[name] = None\n"
    return subprocess.run([sys.executable, "-c", hide + code], capture_output=True, text=True)


def test_a_missing_runtime_names_the_package(small_model: Path) -> None:
    code = f"from ownership.inference.evaluator import Evaluator\nEvaluator.load({str(small_model)!r})"
    answer = without(["ai_edge_litert", "ai_edge_litert.interpreter", "tensorflow"], code)
    assert answer.stderr.splitlines()[-1].startswith("goban.errors.InputError: expected LiteRT or TensorFlow")
    assert "pip install ai-edge-litert" in answer.stderr


@pytest.mark.long
def test_tensorflow_stands_in_for_litert(small_model: Path) -> None:
    code = (
        "from ownership.inference.evaluator import Evaluator\nfrom goban.position import Position\n"
        f"print(*Evaluator.load({str(small_model)!r}).ownership([Position.empty(2)]).ravel())"
    )
    answer = without(["ai_edge_litert", "ai_edge_litert.interpreter"], code)
    expected = Evaluator.load(small_model).ownership([Position.empty(2)]).ravel()
    assert answer.returncode == 0, answer.stderr
    np.testing.assert_allclose([float(word) for word in answer.stdout.split()], expected, atol=2e-3)


def test_nothing_heavy_is_imported_and_nothing_printed(small_model: Path) -> None:
    code = (
        "import sys\nfrom ownership.inference.evaluator import Evaluator\nfrom goban.position import Position\n"
        f"Evaluator.load({str(small_model)!r}).ownership([Position.empty(5)])\n"
        "heavy = {'tensorflow', 'keras', 'pandas', 'pyarrow', 'matplotlib', 'tqdm'}\nprint(heavy & set(sys.modules))"
    )
    answer = without([], code)
    assert (answer.stdout, answer.stderr) == ("set()\n", "")


def test_drops_the_least_recently_used() -> None:
    cache = LRUCache[str, int](3)
    cache.add({"a": 1, "b": 2, "c": 3})
    assert cache.find(["a", "x"]) == {"a": 1}
    cache.add({"b": 20, "d": 4})
    assert cache.find("abcd") == {"a": 1, "b": 20, "d": 4}


def test_keeps_the_last_of_more_than_it_holds() -> None:
    cache = LRUCache[int, int](2)
    cache.add({number: -number for number in range(10)})
    assert cache.find(range(10)) == {8: -8, 9: -9}


def test_a_size_of_0_keeps_none() -> None:
    cache = LRUCache[str, int](0)
    cache.add({"a": 1})
    assert cache.find("a") == {}
    assert len(cache) == 0


def test_threads_share_it() -> None:
    cache = LRUCache[int, int](50)

    def use(seed: int) -> bool:
        random = np.random.default_rng(seed)
        for _ in range(300):
            keys = random.integers(0, 100, 5).tolist()
            if any(value != -key for key, value in cache.find(keys).items()):
                return False
            cache.add({key: -key for key in keys})
        return len(cache) <= 50

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(8)))
