"""The sampler draws a teacher's positions and their labels, alone and mixed with games."""

from pathlib import Path

import numpy as np
import pytest

from game_datasets.batches import Batch, replay_batch
from game_datasets.game_table import GameTable
from game_datasets.load_table import load_soft
from game_datasets.rows import Row
from game_datasets.sampler import Sampler
from goban import coords
from goban.coords import BLACK, WHITE
from goban.errors import InputError
from planes.position_planes import planes_and_chains
from planes.replayed_planes import Draws
from tests.support.batches import TACTICAL, same
from tests.support.random_games import game_table, random_game
from tests.support.soft import position_of, soft_row, write_soft_dataset

SIDES = [5, 9, 5, 7, 5, 9]


ROWS = [soft_row(side, seed, known=seed % 3 != 1) for seed, side in enumerate(SIDES)]


@pytest.fixture(scope="module")
def soft(tmp_path_factory: pytest.TempPathFactory) -> GameTable:
    return load_soft(write_soft_dataset(tmp_path_factory.mktemp("soft") / "soft", ROWS))


def drawn(soft: GameTable, row: int, k: int) -> Batch:
    draws = Draws(np.array([row]), soft.last[row : row + 1], np.array([k]))
    return replay_batch(soft, draws, TACTICAL, chains=True)


@pytest.mark.parametrize("k", coords.SYMMETRIES)
@pytest.mark.parametrize("row", range(len(ROWS)))
def test_planes_and_labels_turn_together(soft: GameTable, row: int, k: int) -> None:
    side, wanted, found = SIDES[row], ROWS[row], drawn(soft, row, k)
    position = position_of(random_game(side, row, len(wanted["moves"])))
    planes, _ = planes_and_chains([position], TACTICAL)
    turned = coords.apply_symmetry(np.moveaxis(planes[0], -1, 0), k)
    np.testing.assert_array_equal(np.moveaxis(found.planes[0], -1, 0), turned)
    assert found.soft is not None
    ownership = np.frombuffer(wanted["ownership"], np.int8).reshape(side, side) / 127 * position.to_move
    np.testing.assert_allclose(found.soft.ownership[0], coords.apply_symmetry(ownership, k), atol=1e-6)
    policy = np.zeros(side * side + 1)
    for move, chance in zip(wanted.get("policy_moves", ()), wanted.get("policy", ()), strict=True):
        policy[coords.destinations(side)[k, move]] = chance
    np.testing.assert_allclose(found.soft.policy[0], policy / max(policy.sum(), 1e-9), atol=1e-6)
    assert found.move.tolist() == [-1]
    assert found.labelled.tolist() == [False]


def test_the_score_is_by_area_and_the_movers(soft: GameTable) -> None:
    for row, wanted in enumerate(ROWS):
        label = drawn(soft, row, 0).soft
        assert label is not None
        if "lead" not in wanted:
            assert np.isnan(label.area[0])
        else:
            assert label.area[0] == pytest.approx((wanted["lead"] + 6.5) * wanted["to_move"], abs=1e-4)
            assert label.deviation[0] == 5


@pytest.mark.parametrize("change", [{"rules": "japanese"}, {"deviation": None}, {"lead": None}])
def test_a_score_that_is_no_distribution_by_area_teaches_nothing(change: Row, tmp_path: Path) -> None:
    labels = load_soft(write_soft_dataset(tmp_path / "soft", [ROWS[0] | change])).soft
    assert labels is not None
    assert np.isnan(labels.area).all()


@pytest.mark.parametrize("to_move", [BLACK, WHITE])
def test_whose_turn_it_is_does_not_depend_on_the_last_move(to_move: int, tmp_path: Path) -> None:
    row = ROWS[0] | {"setup": [], "moves": [24], "to_move": to_move, "ownership": bytes([127] * 25)}
    batch = drawn(load_soft(write_soft_dataset(tmp_path / "soft", [row])), 0, 0)
    assert batch.soft is not None
    assert (batch.soft.ownership == to_move).all()
    assert batch.planes[0, 2, 2, TACTICAL.planes.index("own_area")] == (to_move == BLACK)


def mixed(sides: list[int], soft: GameTable, weight: float, history_dropout: float = 0.0) -> Sampler:
    games = game_table([random_game(side, seed, 4 * side) for seed, side in enumerate(sides)])
    return Sampler(
        games, TACTICAL, 16, 1, chains=True, history_dropout=history_dropout, soft=soft, teacher_weight=weight
    )


def counts(sampler: Sampler, steps: int) -> list[tuple[int, int]]:
    """Return the board side, and the number of positions from the teacher, of some batches."""
    batches = [sampler.batch(step) for step in range(steps)]
    return [(batch.target.shape[1], 0 if batch.soft is None else len(batch.soft.ownership)) for batch in batches]


def test_a_batch_has_its_share_from_the_teacher_at_its_end(soft: GameTable) -> None:
    sampler = mixed([5, 7, 9], soft, 0.25)
    for step in range(6):
        batch = sampler.batch(step)
        assert batch.soft is not None
        taught = len(batch.soft.ownership)
        assert len(batch.planes) == len(batch.move) == 16
        assert batch.chains is not None
        assert batch.chains.shape == batch.target.shape
        assert batch.labelled.tolist() == [True] * (16 - taught) + [False] * taught
        assert not batch.target[16 - taught :].any()


def test_the_share_is_kept_over_sides_that_only_one_has(soft: GameTable) -> None:
    found = counts(mixed([5, 11], soft, 0.25), 400)
    assert {side for side, _ in found} == {5, 7, 9, 11}
    assert {number for side, number in found if side == 11} == {0}
    assert {number for side, number in found if side in (7, 9)} == {16}
    assert np.mean([number / 16 for _, number in found]) == pytest.approx(0.25, abs=0.04)
    assert {number for _, number in counts(mixed([5, 11], soft, 1), 20)} == {16}


def test_a_batch_is_a_function_of_seed_and_step(soft: GameTable) -> None:
    sampler = mixed([5, 7, 9], soft, 0.5)
    batches = sampler.iterate(3)
    for step in range(3, 9):
        assert same(next(batches), sampler.batch(step))
    batches.close()
    assert not same(sampler.batch(0), sampler.batch(1))


def test_moves_are_forgotten_in_the_teachers_positions_too(soft: GameTable) -> None:
    recent = [number for number, name in enumerate(TACTICAL.planes) if name.startswith("recent_")]
    assert not mixed([5], soft, 1, history_dropout=1.0).batch(0).planes[..., recent].any()
    assert mixed([5], soft, 1).batch(0).planes[..., recent].any()


@pytest.mark.parametrize("weight", [0, -0.1, 1.1, float("nan")])
def test_a_share_out_of_range_is_refused(soft: GameTable, weight: float) -> None:
    with pytest.raises(InputError, match="the teacher's share must be above 0 and up to 1"):
        mixed([5], soft, weight)
