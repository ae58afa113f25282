"""Labels of when points are settled, the target that `train` learns from them, and the measures of their forecast."""

from configparser import ConfigParser
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from game_datasets.game_table import GameTable
from game_datasets.load_table import load_games
from goban.coords import destinations
from goban.errors import InputError
from ownership.inference import own_targets
from ownership.inference.evaluator import Evaluator
from ownership.inference.network_config import NetworkConfig
from ownership.inference.settling_network import RANGES, network_answer, settling_planes
from ownership.training import settled_target
from ownership.training.own_target_values import known_own, wanted_own
from ownership.training.settled_cases import UNKNOWN, settling_cases
from ownership.training.settled_labels import _ownership, read_labels, settled_from, settled_plies
from ownership.training.settled_labels import main as write_labels
from ownership.training.settled_measures import concordance, fit_monotone, reliability_rows
from ownership.training.settled_target import SOON, VARIABLE, SettledSoon
from ownership.training.training_games import sampler_for
from ownership.training.training_options import TrainingOptions
from tests.support.paths import ROOT
from tests.support.positions import write_dataset

SIDE = 7


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_dataset(tmp_path_factory.mktemp("settled") / "games", SIDE)


@pytest.fixture(scope="module")
def labels(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "labels.npz"
    assert write_labels([str(dataset), "-o", str(path), "--model", "fast"]) == 0
    return path


@pytest.fixture
def games(dataset: Path) -> GameTable:
    return load_games(dataset)


def test_a_point_is_settled_from_the_first_position_after_which_its_owner_stays() -> None:
    seen = np.array([[0.9, 0.9, -0.9], [0.6, 0.4, -0.6], [0.9, 0.6, 0.9], [1.0, 0.7, -0.4]], np.float32)[:, None]
    owner = np.array([[1, 1, -1]], np.int8)
    plies = np.array([1, 3, 5, 7], np.int16)
    assert settled_from(plies, seen, owner, 8).tolist() == [[1, 5, 8]]
    assert settled_from(plies, seen, np.zeros_like(owner), 8).tolist() == [[8, 8, 8]], "dame, at the end"


def test_the_command_writes_what_the_model_sees(games: GameTable, labels: Path) -> None:
    found, evaluator = read_labels([labels]), Evaluator.load("fast", cached=0, bulk=True)
    for row in (0, len(games) - 1):
        expected, length = settled_plies(evaluator, games, row), int(games.lengths[row])
        np.testing.assert_array_equal(found.of_game(games.ids[row]), expected.ravel())
        assert expected.max() <= length and (expected[games.target_of(row) == 0] == length).all()
    assert found.of_game("another") is None


def test_the_ownership_that_labels_follow_is_blacks(games: GameTable) -> None:
    evaluator, plies = Evaluator.load("fast", cached=0), np.array([3, 10], np.int16)
    seen = _ownership(evaluator, games, 0, plies)
    expected = evaluator.evaluate([games.position(0, ply) for ply in plies.tolist()])
    np.testing.assert_allclose(seen, [each.owners for each in expected], atol=1e-4)


def test_labels_of_several_files_are_read_as_one(games: GameTable, labels: Path, tmp_path: Path) -> None:
    whole = read_labels([labels])
    parts = [tmp_path / "a.npz", tmp_path / "b.npz"]
    type(whole)(whole.ids[:1], whole.offset[:2], whole.plies[: whole.offset[1]]).write(parts[0])
    type(whole)(whole.ids[1:], whole.offset[1:] - whole.offset[1], whole.plies[whole.offset[1] :]).write(parts[1])
    joined = read_labels(parts)
    assert all(np.array_equal(joined.of_game(name), whole.of_game(name)) for name in games.ids)  # type: ignore[arg-type]
    parts[0].write_bytes(b"text")
    with pytest.raises(InputError, match=r"a\.npz: expected labels of settled_labels\. Received: another file$"):
        read_labels(parts)
    with pytest.raises(InputError, match="Received: No such file"):
        read_labels([tmp_path / "none"])


@pytest.fixture
def target(labels: Path, monkeypatch: pytest.MonkeyPatch) -> SettledSoon:
    monkeypatch.setenv(VARIABLE, str(labels))
    return SettledSoon()


def test_the_target_is_turned_as_its_batch_is(games: GameTable, labels: Path, target: SettledSoon) -> None:
    config = NetworkConfig("residual", "classic8", filters=4, blocks=1, heads=("ownership",))
    batch = sampler_for(config, TrainingOptions(samples=1, batch_size=32), games).batch(3)
    assert len(set(batch.symmetry.tolist())) > 4
    values, known = target.values(batch, games), read_labels([labels])
    for each, game, ply, turn in zip(values, batch.game, batch.ply, batch.symmetry, strict=True):
        plies = known.of_game(games.ids[game])
        assert plies is not None
        turned = np.empty(SIDE * SIDE)
        turned[destinations(SIDE)[turn, : SIDE * SIDE]] = [float(final <= ply + SOON) for final in plies]
        np.testing.assert_array_equal(each.ravel(), turned)
    assert 0.05 < values.mean() < 0.95
    unknown = replace(games, ids=["without labels"] * len(games))
    assert np.isnan(target.values(batch, unknown)).all()


def test_a_network_learns_the_target_by_its_name(
    games: GameTable, target: SettledSoon, monkeypatch: pytest.MonkeyPatch
) -> None:
    setup = ConfigParser()
    setup.read(ROOT / "setup.cfg")
    name, place = setup["options.entry_points"]["ownership.targets"].strip().split(" = ")
    module, _, made = place.partition(":")
    monkeypatch.setattr(own_targets, "load_entry", lambda group, wanted: getattr(import_module(module), made))
    own_targets.find_target.cache_clear()
    config = NetworkConfig("residual", "classic8", filters=4, blocks=1, heads=("ownership",))
    batch = sampler_for(config, TrainingOptions(samples=1, batch_size=16, targets=(name,)), games).batch(0)
    np.testing.assert_array_equal(wanted_own(name, batch), target.values(batch, games))
    assert (known_own(name, batch) == 1).all()
    own_targets.find_target.cache_clear()


def test_the_target_needs_labels(monkeypatch: pytest.MonkeyPatch, games: GameTable) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    config = NetworkConfig("residual", "classic8", filters=4, blocks=1, heads=("ownership",))
    batch = sampler_for(config, TrainingOptions(samples=1, batch_size=2), games).batch(0)
    with pytest.raises(InputError, match=f"target settled_soon: expected {VARIABLE} to name files of labels"):
        SettledSoon().values(batch, games)


def test_the_network_in_numpy_answers_as_in_keras_and_learns(games: GameTable, labels: Path) -> None:
    keras = pytest.importorskip("keras", reason="training needs the train extra")
    from ownership.training.settled_training import settling_model, train_settled, weights_of

    cases = dict(settling_cases(Evaluator.load("fast", cached=0), games, read_labels([labels]), 6))
    planes = cases[SIDE].planes[:5].reshape(5, SIDE, SIDE, -1).astype(np.float32)
    keras.utils.set_random_seed(0)
    model = settling_model(planes.shape[-1])
    before = _loss(cases[SIDE].ranges[:5], keras.ops.convert_to_numpy(keras.ops.softmax(model(planes))))
    train_settled(model, cases, 40)
    for variable in model.weights:
        variable.assign(keras.ops.convert_to_numpy(variable).astype(np.float16))
    weights = {name: value.astype(np.float32) for name, value in weights_of(model).items()}
    expected = keras.ops.convert_to_numpy(keras.ops.softmax(model(planes)))
    found = network_answer(weights, planes)
    np.testing.assert_allclose(found, expected, atol=1e-4)
    assert _loss(cases[SIDE].ranges[:5], found) < 0.9 * before


def _loss(ranges: NDArray[np.int8], chances: NDArray[np.float32]) -> float:
    known, by_range = ranges != UNKNOWN, chances.reshape(*ranges.shape, -1)
    return float(-np.log(by_range[known, ranges[known]]).mean())


def test_cases_hold_the_moves_until_each_owner_is_final(games: GameTable, labels: Path) -> None:
    evaluator, known = Evaluator.load("fast", cached=0), read_labels([labels])
    [(side, cases)] = settling_cases(evaluator, games, known, 3, most=2)
    assert side == SIDE and len(np.unique(cases.game)) == 2
    row = int(cases.game[-1])
    ply = int(games.lengths[row] - cases.length[-1])
    plies, owner = known.of_game(games.ids[row]), games.target_of(row).ravel()
    assert plies is not None
    np.testing.assert_array_equal(cases.moves[-1], np.maximum(plies - ply, 0))
    classes = [sum(int(moves) > last for last in RANGES) for moves in cases.moves[-1]]
    np.testing.assert_array_equal(cases.ranges[-1], np.where(owner == 0, UNKNOWN, classes))
    position = games.position(row, ply)
    expected = settling_planes([position], evaluator.evaluate([position]))
    np.testing.assert_allclose(cases.planes[-1].reshape(expected.shape), expected, atol=2e-3)


def test_concordance_counts_pairs_whose_order_is_known() -> None:
    moves, late = np.array([0, 4, 9, 9], np.int16), np.array([0.0, 2.0, 1.0, 3.0])
    assert concordance(late, moves, np.zeros(4, bool)) == pytest.approx(4 / 5), "0-4, 0-9, 0-9, 4-9 wrong, 4-9"
    ended = np.array([False, False, False, True])
    assert concordance(late, moves, ended) == pytest.approx(5 / 6), "the last is settled after the other 9"
    assert concordance(np.zeros(4), moves, ended) == 0.5
    assert np.isnan(concordance(late, np.zeros(4, np.int16), np.zeros(4, bool)))


def test_the_curve_never_falls_and_is_the_best_such_curve() -> None:
    x = np.arange(6, dtype=np.float32)
    curve = fit_monotone(x, np.array([0, 1, 0, 1, 1, 1], bool))
    np.testing.assert_allclose(curve(x), [0, 0.5, 0.5, 1, 1, 1])


def test_tenths_compare_chances_with_what_happened() -> None:
    rows = reliability_rows(np.array([0.05, 0.15, 0.15, 1.0]), np.array([0, 1, 0, 1], bool), np.array([0, 0, 1, 1]))
    assert [(round(mean, 2), share, part) for mean, share, _, part in rows] == [
        (0.05, 0.0, 0.25),
        (0.15, 0.5, 0.5),
        (1.0, 1.0, 0.25),
    ]
    assert rows[1][2] == pytest.approx(np.sqrt(0.5) / 2)


def test_soon_is_a_range_of_the_network() -> None:
    assert RANGES[2] == settled_target.SOON
