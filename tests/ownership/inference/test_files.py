"""Models: their names, the default one, directories and `model.json`."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goban.errors import InputError
from goban.position import Position
from goban.user_folders import data_folder
from ownership.inference.evaluator import Evaluator
from ownership.inference.learned_games import learned_openings
from ownership.inference.model_catalogue import (
    BUNDLED,
    bundled_models,
    choose_default,
    default_note,
    distinct_names,
    find_model,
    imported_folder,
    imported_models,
    name_of,
    named_models,
    place_of,
)
from ownership.inference.model_files import DIGEST, SHA256, ModelError, check_weights, description_digest
from ownership.inference.network_config import USUAL_HEADS, NetworkConfig
from ownership.inference.score_calibration import Factors, ScoreCalibration, calibration_values, parse_calibration
from ownership.inference.speed import known_speed
from ownership.inference.stack_config import Stack
from tests.support.models import write_model

NETWORK = NetworkConfig("residual", "standard", filters=8, blocks=1).to_dict()
GOOD: dict[str, Any] = {"name": "good", "network": NETWORK}


def model_with(directory: Path, description: str | bytes) -> Path:
    """Make a model directory with a `model.json` and weights that must not be read."""
    (directory / "model.tflite").write_bytes(b"")
    (directory / "model.json").write_bytes(description if isinstance(description, bytes) else description.encode())
    return directory


def other(**changes: Any) -> str:
    """Return the text of a good `model.json` with fields changed; a field of None is left out."""
    return json.dumps({name: value for name, value in {**GOOD, **changes}.items() if value is not None})


def network(**changes: Any) -> str:
    """Return the text of a good `model.json` with fields of its network changed."""
    return other(network={**NETWORK, **changes})


def calibration(**parts: Any) -> str:
    """Return the text of a good `model.json` with a calibration on 9x9."""
    return other(calibration={"9": parts})


def by_size(factors: list[Any]) -> str:
    """Return the text of a good `model.json` with factors on the deviation on 9x9."""
    return calibration(deviation={"size": factors})


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "expected a JSON object"),
    "cut off": (other()[:40], "expected a JSON object"),
    "not UTF-8": (b"\xff\xfe", "expected a JSON object"),
    "null": ("null", "expected a JSON object"),
    "a list": ("[]", "expected a JSON object"),
    "nested": ("[" * 100_000, "expected a JSON object"),
    "nested in a field": ('{"network": ' + "[" * 900 + "]" * 900 + "}", "expected a network configuration, a mapping"),
    "no network": (other(network=None), "expected the field network"),
    "network a text": (other(network="residual"), "expected a network configuration, a mapping"),
    "unknown field": (network(colour=1), "with the fields architecture, .* Received: colour"),
    "architecture": (network(architecture="transformer"), "architecture: expected one of classic5, residual"),
    "architecture a list": (network(architecture=["residual"]), "architecture: expected one of"),
    "feature set": (network(feature_set="odd"), "feature set must be one of"),
    "feature set a number": (network(feature_set=7), "feature_set: expected a text"),
    "filters a text": (network(filters="64"), "filters: expected a whole number"),
    "filters a fraction": (network(filters=8.0), "filters: expected a whole number"),
    "blocks null": (network(blocks=None), "blocks: expected a whole number"),
    "heads a text": (network(heads="ownership"), "heads: expected a list"),
    "heads of numbers": (network(heads=[1]), "heads: expected a text"),
    "heads null": (network(heads=None), "heads: expected a list"),
    "name a number": (other(name=5), "name must be one line of text. Received: 5"),
    "name of two lines": (other(name="a\nb"), "name must be one line of text"),
    "digest cut off": (other(weights_sha256="0" * 63), "weights_sha256 must be 64 hexadecimal digits"),
    "calibration a list": (other(calibration=[1]), "calibration: expected an object with factors by board side"),
    "calibration of no side": (other(calibration={"x": {}}), "calibration: expected an object with factors by"),
    "calibration of a side a number": (
        other(calibration={"9": 1}),
        "calibration: 9: expected a calibration, a mapping",
    ),
    "calibration of what is not known": (calibration(lead={}), "9: .* fields deviation, spread. Received: lead"),
    "factors a list": (calibration(deviation=[1]), "9: deviation: expected factors, a mapping. Received: .1"),
    "factors by what is not known": (
        calibration(spread={"ply": []}),
        "9: spread: .* fields unsettled, size. Received: ply",
    ),
    "no factors": (by_size([]), "deviation: size: expected values that rise, one or more"),
    "factors without values": (by_size([1, 2]), "deviation: size: expected a list of 2. Received: 1"),
    "factors of falling values": (by_size([[2, 1], [1, 1]]), r"size: expected values that rise.* Received: \[2, 1\]"),
    "factor NaN": (by_size([[1, float("nan")]]), "Received: NaN, which is no number"),
    "factor infinite": (by_size([[1, float("inf")]]), "Received: Infinity, which is no number"),
    "factor huge": (by_size([[1, 10**400]]), "deviation: size: expected a number"),
    "factor too large": (by_size([[1, 1001]]), "deviation: size: expected a number above 0, at most 1000"),
    "factor negative": (by_size([[1, -1]]), "deviation: size: expected .* Received: -1"),
    "factor 0": (by_size([[1, 0]]), "deviation: size: expected .* Received: 0"),
    "factor true": (by_size([[1, True]]), "deviation: size: expected .* Received: True"),
    "factor a text": (by_size([[1, "1"]]), "deviation: size: expected .* Received: '1'"),
    "value negative": (by_size([[-1, 1]]), "deviation: size: expected a number from 0 up. Received: -1"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_description_gives_one_line_that_names_file_and_field(case: str, tmp_path: Path) -> None:
    content, message = BROKEN[case]
    with pytest.raises(ModelError, match=message) as raised:
        find_model(model_with(tmp_path, content))
    text = str(raised.value)
    assert text.startswith(f"{tmp_path / 'model.json'}: ") and "Received" in text
    assert "\n" not in text and len(text) < len(str(tmp_path)) + 250


def test_a_good_description(tmp_path: Path) -> None:
    files = find_model(model_with(tmp_path, other()))
    assert (files.name, files.calibration, files.heads) == ("good", {}, USUAL_HEADS)
    assert isinstance(files.network, NetworkConfig)
    assert files.network.to_dict() == NETWORK
    assert find_model(model_with(tmp_path, other(name=None))).name == tmp_path.name
    one = find_model(model_with(tmp_path, by_size([[1, 0.5], [8, 2]]))).calibration
    assert one == {9: ScoreCalibration(Factors(size=((1, 0.5), (8, 2))))}
    assert parse_calibration(calibration_values(one)) == one


def test_models_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    models = []
    for place, name in (("monday/small", "small"), ("tuesday/small", "small"), ("tuesday/large", "large")):
        (tmp_path / place).mkdir(parents=True)
        models.append(find_model(model_with(tmp_path / place, other(name=name))))
    assert distinct_names(models) == [str(Path("monday/small")), str(Path("tuesday/small")), "large"]
    assert distinct_names(models[1:]) == ["small", "large"]


def test_files_that_are_no_files(tmp_path: Path) -> None:
    expected = r"expected a directory with model.tflite or the name of a model \(default, fast, play\)"
    for place in (tmp_path, tmp_path / "nowhere", "x" * 5000, "with\0null"):
        with pytest.raises(ModelError, match=expected):
            find_model(place)
    with pytest.raises(ModelError, match=expected + r"\. Received: defalt; did you mean default\?$"):
        find_model("defalt")
    (tmp_path / "model.tflite").mkdir()
    with pytest.raises(ModelError, match=expected):
        find_model(tmp_path)
    (tmp_path / "model.tflite").rmdir()
    (tmp_path / "model.tflite").write_bytes(b"")
    with pytest.raises(
        ModelError, match=r"model.json: expected the description of a model, a file beside model.tflite. Received: none"
    ):
        find_model(tmp_path)
    (tmp_path / "model.json").mkdir()
    with pytest.raises(ModelError, match=r"model.json: expected the description of a model, a file"):
        find_model(tmp_path)


@pytest.mark.parametrize("name", bundled_models())
def test_bundled_models_are_complete(name: str) -> None:
    files = find_model(name)
    assert files.name == name and files.heads[: len(USUAL_HEADS)] == USUAL_HEADS
    assert set(files.calibration) == {9, 13, 19}
    assert files.sha256
    check_weights(files)


def test_weights_have_the_digest_of_their_description(small_model: Path, tmp_path: Path) -> None:
    directory = shutil.copytree(small_model, tmp_path / "model")
    described = json.loads((directory / "model.json").read_text())
    content = (directory / "model.tflite").read_bytes()
    (directory / "model.json").write_text(json.dumps({**described, SHA256: hashlib.sha256(content).hexdigest()}))
    Evaluator.load(directory, threads=1)
    (directory / "model.tflite").write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ModelError, match=r"model.tflite: expected the weights that model.json describes, with SHA-256"):
        Evaluator.load(directory, threads=1)


@pytest.mark.parametrize("content", [b"", b"junk", b"\0" * 5000])
def test_weights_that_are_none(content: bytes, tmp_path: Path) -> None:
    directory = model_with(tmp_path, other())
    (directory / "model.tflite").write_bytes(content)
    with pytest.raises(ModelError, match=r"model.tflite: expected a model of `ownership train`. Received: "):
        Evaluator.load(directory, threads=1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"feature_set": "classic8"}, "expected 8 planes, those of the feature set classic8 .* Received: an input of"),
        ({"chain_pooling": "max"}, "expected the inputs chains, planes of model.json. Received: planes"),
        (
            {"heads": ["ownership", "policy"]},
            "expected the outputs ownership, policy of model.json. Received: ownership, policy, score",
        ),
    ],
)
def test_weights_of_another_network(changes: dict[str, Any], message: str, small_model: Path, tmp_path: Path) -> None:
    directory = model_with(tmp_path, network(**changes))
    shutil.copy(small_model / "model.tflite", directory)
    with pytest.raises(ModelError, match=f"model.tflite: {message}"):
        Evaluator.load(directory, threads=1)


def test_what_a_model_can_do(small_model: Path, owner_model: Path) -> None:
    full, owner = (Evaluator.load(each, threads=1) for each in (small_model, owner_model))
    assert (full.heads, owner.heads) == (USUAL_HEADS, ("ownership",))
    full.files.require_head("policy", "player policy")
    with pytest.raises(
        InputError, match=r"player policy needs a model with the head policy. Received: owner, with ownership only"
    ):
        owner.files.require_head("policy", "player policy")


def test_a_policy_for_one_board_names_missing_heads(tmp_path: Path) -> None:
    stack = Stack(layers=((4, 3),), position_bias=True, passes=False, side=9)
    place = write_model(tmp_path / "moves", NetworkConfig("stack", "signed1", heads=("policy",), stack=stack))
    evaluator = Evaluator.load(place, threads=1)
    [prediction] = evaluator.evaluate([Position.empty(9)], symmetries=8)
    assert prediction.policy is not None
    assert prediction.policy.sum() == pytest.approx(1)
    with pytest.raises(InputError, match=r"^the owner of each point needs a model with the head ownership. .* moves, "):
        prediction.owners.sum()
    evaluator.files.require_side(9)
    with pytest.raises(InputError, match=r"^moves plays on boards of side 9 only. Received: side 19$"):
        evaluator.evaluate([Position.empty(19)])


@pytest.fixture
def b18(user_data: Path, owner_model: Path) -> Path:
    """An imported model of that name."""
    imported_folder().mkdir(parents=True)
    (imported_folder() / "b18").symlink_to(owner_model)
    return imported_folder() / "b18"


def test_an_imported_model_is_found_by_name_and_by_directory(b18: Path, owner_model: Path) -> None:
    assert imported_models() == ["b18"]
    assert named_models() == [*bundled_models(), "b18"]
    assert find_model("b18").weights.parent == b18
    assert place_of(find_model("b18")) == "b18"
    assert place_of(find_model(owner_model)) == str(owner_model)


def test_a_bundled_name_and_a_half_written_model_are_no_imported_ones(user_data: Path, owner_model: Path) -> None:
    (imported_folder() / "half").mkdir(parents=True)
    (imported_folder() / "half" / "model.tflite").touch()
    (imported_folder() / "fast").symlink_to(owner_model)
    assert imported_models() == []
    assert name_of(imported_folder() / "fast") is None
    assert find_model("fast").name == "fast"


def test_the_default_is_chosen_by_the_file_then_by_the_variable(
    b18: Path, owner_model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (place_of(find_model()), default_note()) == ("default", "")
    choose_default("b18")
    assert (place_of(find_model()), default_note()) == ("b18", "model: b18, chosen by `ownership models use`")
    monkeypatch.setenv("OWNERSHIP_MODEL", "fast")
    assert (place_of(find_model()), default_note()) == ("fast", "model: fast, chosen by OWNERSHIP_MODEL")
    assert place_of(find_model("default")) == "default"
    monkeypatch.delenv("OWNERSHIP_MODEL")
    monkeypatch.chdir(owner_model.parent)
    choose_default(owner_model.name)
    monkeypatch.chdir("/")
    assert place_of(find_model()) == str(owner_model)
    choose_default("default")
    assert (place_of(find_model()), default_note()) == ("default", "")


def test_a_chosen_model_that_is_gone_is_named_with_its_setting(b18: Path) -> None:
    choose_default("b18")
    b18.unlink()
    with pytest.raises(ModelError, match=r"^the default model, chosen by `ownership models use`: .* Received: b18$"):
        find_model()


def test_a_speed_is_measured_once(user_data: Path, owner_model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ownership.inference.speed._SECONDS", 0.01)
    speed = known_speed(find_model(owner_model))
    monkeypatch.setattr("ownership.inference.speed.measured_speed", lambda _: -1)
    assert known_speed(find_model(owner_model)) == speed > 0
    (data_folder() / "speeds.json").write_text("[")
    assert known_speed(find_model(owner_model)) == -1


def test_a_changed_bit_of_a_description_changes_no_answer(tmp_path: Path) -> None:
    """Whatever bit is changed, a bundled model's description is refused, or has the same values."""
    directory = tmp_path / "model"
    shutil.copytree(BUNDLED / "fast", directory)
    path, whole = directory / "model.json", find_model(directory)
    content, refused = path.read_bytes(), 0
    for bit in np.random.default_rng(1).integers(8 * len(content), size=200).tolist():
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            assert find_model(directory) == whole, f"bit {bit}"
        except ModelError:
            refused += 1
    assert refused > 100


@pytest.mark.parametrize("name", bundled_models())
def test_bundled_models_have_the_digests_of_their_descriptions(name: str) -> None:
    values = json.loads((BUNDLED / name / "model.json").read_bytes())
    assert values[DIGEST] == description_digest(values)
    assert SHA256 in values


def test_a_description_that_was_changed_by_hand_has_no_digest(tmp_path: Path) -> None:
    values = {**GOOD, DIGEST: description_digest(GOOD)}
    assert find_model(model_with(tmp_path, json.dumps(values))).rollout_share == 0.2
    changed = {**values, "rollout_share": 0.5}
    with pytest.raises(ModelError, match=r"model\.json: expected values with .*; if you changed them, remove descr"):
        find_model(model_with(tmp_path, json.dumps(changed)))
    del changed[DIGEST]
    assert find_model(model_with(tmp_path, json.dumps(changed))).rollout_share == 0.5


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file that is there and cannot be read")
def test_hashes_of_games_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    model_with(tmp_path, other())
    (tmp_path / "games.bin").symlink_to("/proc/self/mem")
    with pytest.raises(ModelError, match=r"games\.bin: expected hashes of games\. Received: Input/output error"):
        learned_openings(find_model(tmp_path))
