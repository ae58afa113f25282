"""Bulk work is done with int8 weights where the processor has int8 products, and with the exact ones elsewhere."""

import json
import pickle
import shutil
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from game_records.sgf import parse_game
from goban.position import Position
from ownership.inference.bulk_weights import in_bulk, names_int8_products
from ownership.inference.evaluator import Evaluator
from ownership.inference.model_catalogue import BUNDLED, bundled_models, find_model
from ownership.inference.model_files import BULK_SHA256, DIGEST, SHA256, ModelError
from ownership.scoring import score_processes
from ownership.scoring.scored_game import ScoredGame, ScoreOptions
from tests.support.boards import SMALL_FINISHED
from tests.support.records import FINISHED

BOARD = Position.from_diagram(SMALL_FINISHED)
PROCESSORS = {
    "Zen 3": ("flags\t\t: fpu sse4_2 avx avx2 bmi2 vaes vpclmulqdq", False),
    "Skylake-SP": ("flags\t\t: fpu avx2 avx512f avx512bw avx512vl", False),
    "Cascade Lake": ("flags\t\t: fpu avx2 avx512f avx512_vnni", True),
    "Alder Lake": ("flags\t\t: fpu avx2 avx_vnni gfni", True),
    "Sapphire Rapids": ("flags\t\t: fpu avx2 amx_bf16 avx512_vnni amx_tile amx_int8", True),
    "Cortex-A72": ("Features\t: fp asimd evtstrm crc32 cpuid", False),
    "Neoverse N1": ("Features\t: fp asimd aes asimdhp cpuid asimdrdm lrcpc dcpop asimddp ssbs", True),
    "no flags": ("processor\t: 0\nmodel name\t: avx_vnni", False),
}


@pytest.fixture(params=[True, False], ids=["int8 products", "none"])
def int8_products(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """A processor with int8 products, and one without."""
    found: bool = request.param
    monkeypatch.setattr("ownership.inference.bulk_weights.has_int8_products", lambda: found)
    return found


def ownership(evaluator: Evaluator) -> list[float]:
    return evaluator.ownership([BOARD]).ravel().tolist()


@pytest.mark.parametrize("name", PROCESSORS)
def test_flags_name_int8_products(name: str) -> None:
    line, expected = PROCESSORS[name]
    assert names_int8_products(f"vendor_id\t: A\n{line}\nbogomips\t: 1\n") == expected


@pytest.mark.parametrize("name", bundled_models())
def test_bundled_models_have_weights_for_bulk_work(name: str) -> None:
    files = find_model(name)
    assert in_bulk(files, int8_products=False) == files
    assert in_bulk(files, int8_products=True).weights == BUNDLED / name / "bulk.tflite"
    assert files.bulk is not None and files.bulk_sha256 == sha256(files.bulk.read_bytes()).hexdigest()


def test_an_evaluator_for_bulk_work_answers_by_the_weights_for_it(int8_products: bool) -> None:
    files = find_model("fast")
    assert files.bulk is not None
    exact, bulk = Evaluator(files, threads=1), Evaluator(files, threads=1, bulk=True)
    rounded = Evaluator(replace(files, weights=files.bulk, sha256=files.bulk_sha256), threads=1)
    assert ownership(rounded) != ownership(exact)
    assert ownership(bulk) == ownership(rounded if int8_products else exact)
    assert pickle.loads(pickle.dumps(bulk)).bulk


def test_the_same_weights_are_loaded_once(int8_products: bool) -> None:
    exact = Evaluator.load("fast", threads=1)
    bulk = exact.in_bulk()
    assert (bulk is exact) != int8_products
    assert bulk.in_bulk() is bulk


def test_long_lists_are_bulk_work(int8_products: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_processes, "MANY", 2)
    monkeypatch.setattr(score_processes, "processors", lambda: 1)
    game, exact = parse_game(FINISHED), Evaluator.load("fast", threads=1)
    shown = []
    for games in ([game], [game, game]):
        answers = list(score_processes.score_list(games, exact, ScoreOptions()))
        assert all(isinstance(each, ScoredGame) for each in answers)
        shown.append(answers[0].estimate.ownership.tolist() if isinstance(answers[0], ScoredGame) else [])
    assert (shown[0] != shown[1]) == int8_products


def test_damaged_weights_for_bulk_work_stop_it_alone(int8_products: bool, tmp_path: Path) -> None:
    directory = shutil.copytree(BUNDLED / "fast", tmp_path / "fast")
    (directory / "bulk.tflite").write_bytes(b"junk")
    Evaluator.load(directory, threads=1)
    if not int8_products:
        Evaluator.load(directory, threads=1, bulk=True)
        return
    with pytest.raises(ModelError, match=r"bulk.tflite: expected the weights that model.json describes, with SHA-256"):
        Evaluator.load(directory, threads=1, bulk=True)
    (directory / "bulk.tflite").unlink()
    with pytest.raises(ModelError, match=r"bulk.tflite: expected the weights of a model. Received: No such file or"):
        Evaluator.load(directory, threads=1, bulk=True)


def test_a_model_with_one_file_answers_by_it_in_bulk_too(int8_products: bool, tmp_path: Path) -> None:
    """So do the models of earlier versions, whose one file has int8 weights."""
    directory = shutil.copytree(BUNDLED / "fast", tmp_path / "fast")
    (directory / "bulk.tflite").replace(directory / "model.tflite")
    values = json.loads((directory / "model.json").read_text())
    values[SHA256] = values.pop(BULK_SHA256)
    del values[DIGEST]
    (directory / "model.json").write_text(json.dumps(values))
    one, bulk = Evaluator.load(directory, threads=1), Evaluator.load(directory, threads=1, bulk=True)
    np.testing.assert_array_equal(ownership(one), ownership(bulk))
