"""What is drawn from a teacher's positions: the planes of the position, and its label, turned alike."""

from pathlib import Path

import numpy as np
import pytest

from goban import symmetry
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from preprocessing.dataset.rows import Row
from preprocessing.dataset.sampler import Batch, Sampler
from preprocessing.dataset.soft_sampler import MixedSampler, soft_batch
from preprocessing.dataset.soft_table import SoftTable, load_soft
from preprocessing.features.planes import FEATURE_SETS, describe
from tests.support.random_games import game_table, random_game
from tests.support.soft import position_of, soft_row, write_soft_dataset

STANDARD = FEATURE_SETS["tactical"]
SIDES = [5, 9, 5, 7, 5, 9]
ROWS = [soft_row(side, seed, known=seed % 3 != 1) for seed, side in enumerate(SIDES)]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> SoftTable:
    return load_soft(write_soft_dataset(tmp_path_factory.mktemp("soft") / "soft", ROWS))


def drawn(table: SoftTable, row: int, k: int) -> Batch:
    return soft_batch(table, np.array([row]), np.array([k]), STANDARD, chains=True)


@pytest.mark.parametrize("k", symmetry.SYMMETRIES)
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_planes_and_labels_turn_together(table: SoftTable, row: int, k: int) -> None:
    side, wanted, found = SIDES[row], ROWS[row], drawn(table, row, k)
    position = position_of(random_game(side, row, len(wanted["moves"])))
    planes, _ = describe([position], STANDARD)
    turned = symmetry.apply(np.moveaxis(planes[0], -1, 0), k)
    np.testing.assert_array_equal(np.moveaxis(found.planes[0], -1, 0), turned)
    assert found.soft is not None
    ownership = np.frombuffer(wanted["ownership"], np.int8).reshape(side, side) / 127 * position.to_move
    np.testing.assert_allclose(found.soft.ownership[0], symmetry.apply(ownership, k), atol=1e-6)
    policy = np.zeros(side * side + 1)
    for move, chance in zip(wanted.get("policy_moves", ()), wanted.get("policy", ()), strict=True):
        policy[symmetry.point(move, side, k)] = chance
    np.testing.assert_allclose(found.soft.policy[0], policy / max(policy.sum(), 1e-9), atol=1e-6)
    assert found.move.tolist() == [-1]
    assert found.labelled.tolist() == [False]


def test_the_score_is_by_area_and_the_movers(table: SoftTable) -> None:
    for row, wanted in enumerate(ROWS):
        soft = drawn(table, row, 0).soft
        assert soft is not None
        if "lead" not in wanted:
            assert np.isnan(soft.area[0])
        else:
            assert soft.area[0] == pytest.approx((wanted["lead"] + 6.5) * wanted["to_move"], abs=1e-4)
            assert soft.deviation[0] == 5


@pytest.mark.parametrize("change", [{"rules": "japanese"}, {"deviation": None}, {"lead": None}])
def test_a_score_that_is_no_distribution_by_area_teaches_nothing(change: Row, tmp_path: Path) -> None:
    table = load_soft(write_soft_dataset(tmp_path / "soft", [ROWS[0] | change]))
    assert np.isnan(table.area).all()


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_whose_turn_it_is_does_not_depend_on_the_last_move(to_move: int, tmp_path: Path) -> None:
    row = ROWS[0] | {"setup": [], "moves": [24], "to_move": to_move, "ownership": bytes([127] * 25)}
    batch = drawn(load_soft(write_soft_dataset(tmp_path / "soft", [row])), 0, 0)
    assert batch.soft is not None
    assert (batch.soft.ownership == to_move).all()
    assert batch.planes[0, 2, 2, STANDARD.planes.index("own_area")] == (to_move == BLACK)


def records(sides: list[int], history_dropout: float = 0.0) -> Sampler:
    games = game_table([random_game(side, seed, 4 * side) for seed, side in enumerate(sides)])
    return Sampler(games, STANDARD, 16, 1, chains=True, history_dropout=history_dropout)


def counts(sampler: MixedSampler, steps: int) -> list[tuple[int, int]]:
    """Return the board side, and the number of positions from the teacher, of some batches."""
    batches = [sampler.batch(step) for step in range(steps)]
    return [(batch.target.shape[1], 0 if batch.soft is None else len(batch.soft.ownership)) for batch in batches]


def test_a_batch_has_its_share_from_the_teacher_at_its_end(table: SoftTable) -> None:
    sampler = MixedSampler(records([5, 7, 9]), table, 0.25)
    for step in range(6):
        batch = sampler.batch(step)
        assert batch.soft is not None
        taught = len(batch.soft.ownership)
        assert len(batch.planes) == len(batch.move) == 16
        assert batch.chains is not None
        assert batch.chains.shape == batch.target.shape
        assert batch.labelled.tolist() == [True] * (16 - taught) + [False] * taught
        assert not batch.target[16 - taught :].any()


def test_the_share_is_kept_over_sides_that_only_one_has(table: SoftTable) -> None:
    found = counts(MixedSampler(records([5, 11]), table, 0.25), 400)
    assert {side for side, _ in found} == {5, 7, 9, 11}
    assert {number for side, number in found if side == 11} == {0}
    assert {number for side, number in found if side in (7, 9)} == {16}
    assert np.mean([number / 16 for _, number in found]) == pytest.approx(0.25, abs=0.04)
    assert {number for _, number in counts(MixedSampler(records([5, 11]), table, 1), 20)} == {16}


def same(one: Batch, other: Batch) -> bool:
    assert one.soft is not None
    assert other.soft is not None
    pairs = [(vars(one), vars(other), name) for name in ("planes", "chains", "target", "move", "game", "ply")]
    pairs += [(vars(one.soft), vars(other.soft), name) for name in vars(one.soft)]
    return all(np.array_equal(first[name], second[name], equal_nan=name == "area") for first, second, name in pairs)


def test_a_batch_is_a_function_of_seed_and_step(table: SoftTable) -> None:
    sampler = MixedSampler(records([5, 7, 9]), table, 0.5)
    batches = sampler.iterate(3)
    for step in range(3, 9):
        assert same(next(batches), sampler.batch(step))
    batches.close()
    assert not same(sampler.batch(0), sampler.batch(1))


def test_moves_are_forgotten_in_the_teachers_positions_too(table: SoftTable) -> None:
    recent = [number for number, name in enumerate(STANDARD.planes) if name.startswith("recent_")]
    assert not MixedSampler(records([5], history_dropout=1.0), table, 1).batch(0).planes[..., recent].any()
    assert MixedSampler(records([5]), table, 1).batch(0).planes[..., recent].any()


@pytest.mark.parametrize("weight", [0, -0.1, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(table: SoftTable, weight: float) -> None:
    with pytest.raises(InputError, match="the teacher's share must be above 0 and up to 1"):
        MixedSampler(records([5]), table, weight)
