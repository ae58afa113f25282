"""Positions in, ownership out."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from goban import symmetry
from goban.errors import InputError
from goban.position import Position
from ownership import evaluator as evaluator_module
from ownership.evaluator import MAX_BATCH, Evaluator

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


def played(side: int, number: int) -> list[Position]:
    """Return positions after 0, 1, ... random moves."""
    random = np.random.default_rng(side)
    positions = [Position.empty(side)]
    while len(positions) < number:
        legal = np.flatnonzero(positions[-1].legal_moves()[:-1])
        positions.append(positions[-1].play(int(random.choice(legal))))
    return positions


@pytest.mark.parametrize("side", [2, 5, 9, 13, 19, 25])
def test_any_board_side(small_model: Path, side: int) -> None:
    ownership = Evaluator.load(small_model).ownership(played(side, 3))
    assert ownership.shape == (3, side, side)
    assert ownership.dtype == np.float32
    assert np.abs(ownership).max() <= 1


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
@pytest.mark.parametrize("symmetries", [1, 8])
def test_a_batch_equals_its_positions_one_by_one(model: str, symmetries: int, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model))
    positions = played(7, MAX_BATCH + 3)
    batch = evaluator.ownership(positions, symmetries)
    for index in (0, 1, MAX_BATCH - 1, MAX_BATCH, MAX_BATCH + 2):
        alone = evaluator.ownership([positions[index]], symmetries)[0]
        np.testing.assert_allclose(batch[index], alone, atol=2e-3)


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
@pytest.mark.parametrize("k", symmetry.SYMMETRIES)
def test_averaging_makes_a_turned_board_a_turned_answer(model: str, k: int, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model))
    turned = Position.from_stones(symmetry.apply(FIGHT.stones, k), FIGHT.to_move)
    expected = symmetry.apply(evaluator.ownership([FIGHT], 8)[0], k)
    np.testing.assert_allclose(evaluator.ownership([turned], 8)[0], expected, atol=2e-3)


@pytest.mark.parametrize("model", ["small_model", "small_chain_model"])
def test_averaging_is_the_mean_over_turned_boards(model: str, request: pytest.FixtureRequest) -> None:
    evaluator = Evaluator.load(request.getfixturevalue(model))
    answers = []
    for k in symmetry.SYMMETRIES:
        turned = Position.from_stones(symmetry.apply(FIGHT.stones, k), FIGHT.to_move)
        answers.append(symmetry.apply(evaluator.ownership([turned])[0], symmetry.inverse(k)))
    np.testing.assert_allclose(evaluator.ownership([FIGHT], 8)[0], np.mean(answers, axis=0), atol=2e-3)


def test_colours_are_told_by_the_position_not_by_the_side_to_move(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    reversed_colours = Position.from_stones(-FIGHT.stones, -FIGHT.to_move)
    expected = -evaluator.ownership([FIGHT])
    np.testing.assert_allclose(evaluator.ownership([reversed_colours]), expected, atol=1e-6)


def test_many_threads_get_the_answers_of_one(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    boards = [played(side, number) for side in (5, 9) for number in (1, 2, 7, 30)]
    expected = [evaluator.ownership(board) for board in boards]
    with ThreadPoolExecutor(8) as pool:
        for answer, right in zip(pool.map(evaluator.ownership, boards * 5), expected * 5, strict=True):
            np.testing.assert_allclose(answer, right, atol=2e-3)


def test_refuses_mixed_boards(small_model: Path) -> None:
    evaluator = Evaluator.load(small_model)
    with pytest.raises(InputError, match=r"one board side. Received: 5, 9"):
        evaluator.ownership([Position.empty(9), Position.empty(5)])
    with pytest.raises(InputError, match="no position"):
        evaluator.ownership([])
    with pytest.raises(InputError, match="symmetries must be 1 or 8"):
        evaluator.ownership([FIGHT], symmetries=3)


def test_refuses_what_is_no_model(small_model: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"expected a directory with model.tflite or a bundled model .*nowhere"):
        Evaluator.load("nowhere")
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "model.tflite").write_bytes(b"junk")
    (broken / "model.json").write_text("[]")
    with pytest.raises(InputError, match=r"model.json"):
        Evaluator.load(broken)
    (broken / "model.json").write_text((small_model / "model.json").read_text())
    with pytest.raises(InputError, match=r"model.tflite: expected a model"):
        Evaluator.load(broken)
    (broken / "model.json").write_text(json.dumps({"network": {"architecture": "transformer"}}))
    with pytest.raises(InputError, match="architecture must be one of"):
        Evaluator.load(broken)


def without(modules: list[str], code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter in which some modules are not installed."""
    hide = f"import sys\nfor name in {modules}: sys.modules[name] = None\n"
    return subprocess.run([sys.executable, "-c", hide + code], capture_output=True, text=True)


def test_says_what_to_install_where_there_is_no_runtime(small_model: Path) -> None:
    code = f"from ownership.evaluator import Evaluator\nEvaluator.load({str(small_model)!r})"
    answer = without(["ai_edge_litert", "ai_edge_litert.interpreter", "tensorflow"], code)
    assert answer.stderr.splitlines()[-1].startswith("goban.errors.InputError: expected LiteRT or TensorFlow")
    assert "pip install ai-edge-litert" in answer.stderr


def test_tensorflow_stands_in_for_litert(small_model: Path) -> None:
    code = (
        "from ownership.evaluator import Evaluator\nfrom goban.position import Position\n"
        f"print(*Evaluator.load({str(small_model)!r}).ownership([Position.empty(2)]).ravel())"
    )
    answer = without(["ai_edge_litert", "ai_edge_litert.interpreter"], code)
    expected = Evaluator.load(small_model).ownership([Position.empty(2)]).ravel()
    assert answer.returncode == 0, answer.stderr
    np.testing.assert_allclose([float(word) for word in answer.stdout.split()], expected, atol=2e-3)


def test_nothing_heavy_is_imported_and_nothing_printed(small_model: Path) -> None:
    code = (
        "import sys\nfrom ownership.evaluator import Evaluator\nfrom goban.position import Position\n"
        f"Evaluator.load({str(small_model)!r}).ownership([Position.empty(5)])\n"
        "heavy = {'tensorflow', 'keras', 'pandas', 'pyarrow', 'matplotlib', 'tqdm'}\nprint(heavy & set(sys.modules))"
    )
    answer = without([], code)
    assert (answer.stdout, answer.stderr) == ("set()\n", "")


def test_chain_ids_keep_to_their_points_when_turned() -> None:
    ids = FIGHT.chain_ids()
    for k in symmetry.SYMMETRIES:
        turned = evaluator_module._transform_chains(ids[None], k)[0]
        own = np.arange(49).reshape(7, 7)
        stones = symmetry.apply(FIGHT.stones, k)
        np.testing.assert_array_equal(turned[stones == 0], own[stones == 0])
        for point in np.flatnonzero(stones).tolist():
            assert turned.flat[turned.flat[point]] == turned.flat[point]
