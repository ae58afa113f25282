"""Training: the budget, the schedule, and going on after being killed as if nothing had happened."""

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from game_datasets.columns import GAMES
from game_datasets.load_table import load_games
from game_datasets.rows import DatasetError
from game_datasets.shards import read_rows, read_shard, write_shard
from goban.errors import InputError
from ownership.cli import main
from ownership.inference.network_config import NetworkConfig
from ownership.training.checkpoints import CheckpointError, Progress, load_checkpoint, save_checkpoint
from ownership.training.schedule import Schedule
from ownership.training.training_options import TrainingOptions
from tests.support.datasets import with_passes
from tests.support.models import OPTIONS, STEPS, TRAINED
from tests.support.positions import write_dataset
from tests.support.shared import made_once

pytest.importorskip("keras", reason="training needs the train extra")

from ownership.inference.evaluator import Evaluator
from ownership.training import train_run
from ownership.training.train_run import train
from ownership.training.trainer import Trainer
from ownership.training.training_games import TrainingGames, games_for
from ownership.training.weight_ema import WeightEMA
from runtime.folders import Folder
from runtime.safe_writing import one_writer
from tests.support.waiting import PATIENCE

TINY = NetworkConfig("classic5", "classic8", filters=4, heads=("ownership",))
SHORT = TrainingOptions(samples=8 * 40, batch_size=8, seed=5, validations=4, validation_positions=20)
SCHEDULE = Schedule(SHORT, peak=1e-3)


@pytest.fixture
def dataset(trainings: Path) -> Path:
    return trainings / "games"


@pytest.fixture
def trained(trainings: Path) -> Path:
    """A training on the dataset, which other tests read at the same time."""
    return trainings / "model" / "seed-0"


@pytest.fixture
def own(trained: Path, tmp_path: Path) -> Path:
    """A copy of this training, to go on with."""
    return shutil.copytree(trained, tmp_path / "model")


def test_the_learning_rate_rises_then_falls_to_nearly_nothing() -> None:
    rates = [SCHEDULE.learning_rate(used, step=10**4) for used in np.linspace(0, 1, 101)]
    peak = int(np.argmax(rates))
    assert 0 < peak < 10
    assert max(rates) == pytest.approx(1e-3, rel=0.01)
    assert rates == sorted(rates[:peak]) + sorted(rates[peak:], reverse=True)
    assert 0 < rates[-1] < 1e-5


def test_the_learning_rate_rises_slowly_however_much_time_the_first_steps_take() -> None:
    rates = [SCHEDULE.learning_rate(used, step) for step, used in enumerate(np.linspace(0.05, 0.15, 101))]
    assert rates == sorted(rates)
    assert rates[1] < 2e-5
    assert rates[50] == pytest.approx(0.5e-3, rel=0.05)


def test_training_learns_and_leaves_a_model_directory(trained: Path) -> None:
    history = json.loads((trained / "history.json").read_text())
    assert len(history) == OPTIONS.validations
    assert history[-1]["samples"] == OPTIONS.samples
    assert history[-1]["loss"] < 0.9 * history[0]["loss"]
    description = json.loads((trained / "model.json").read_text())
    assert NetworkConfig.from_dict(description["network"]) == TRAINED
    assert description["metrics"]["validation_brier"] == min(record["validation_brier"] for record in history)
    assert set(description["calibration"]) == {"7"}
    names = {"best.keras", "history.json", "last.npz", "logs", "games.bin", "README.md"}
    names |= {"model.json", "model.tflite", "bulk.tflite"}
    assert {path.name for path in trained.iterdir()} == names
    assert "ownership train" in (trained / "README.md").read_text()
    assert Evaluator.load(trained).files.network == TRAINED


@pytest.mark.long
@pytest.mark.usefixtures("without_export")
@pytest.mark.parametrize("between", [0, 60])
def test_a_killed_training_goes_on_exactly(between: int, dataset: Path, trained: Path, tmp_path: Path) -> None:
    output = tmp_path / "model"
    assert 0 < kill_after_first_checkpoint(dataset, output, between) < STEPS
    train(dataset, TRAINED, OPTIONS, output)
    (progress, arrays), (expected_progress, expected) = state(output), state(trained)
    assert progress.step == expected_progress.step
    for array, wanted in zip(arrays, expected, strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-4, atol=1e-5)
    for record, wanted_record in zip(progress.history, expected_progress.history, strict=True):
        timeless = {name: value for name, value in wanted_record.items() if name != "seconds"}
        assert {name: record[name] for name in timeless} == pytest.approx(timeless, rel=1e-4)


def kill_after_first_checkpoint(dataset: Path, output: Path, between: int) -> int:
    """Starts the training in a process of its own, kills it without warning, returns the step it can go on from."""
    script = (
        f"from ownership.training import checkpoints\ncheckpoints._SECONDS_BETWEEN = {between}\n"
        "from pathlib import Path\nfrom ownership.training.train_run import train\n"
        "from ownership.training.training_options import TrainingOptions\n"
        "from ownership.inference.network_config import NetworkConfig\n"
        f"train(Path({str(dataset)!r}), {TRAINED!r}, {OPTIONS!r}, Path({str(output)!r}))"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE
        while not (output / "last.npz").exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        process.kill()
        process.wait()
    return state(output)[0].step


def state(output: Path) -> tuple[Progress, list[Any]]:
    return load_checkpoint(output / "last.npz", identity(output))


def identity(output: Path) -> dict[str, Any]:
    """What a checkpoint says of its training."""
    with np.load(output / "last.npz") as saved:
        found: dict[str, Any] = json.loads(str(saved["state"]))["identity"]
    return found


@pytest.fixture
def commanded(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of a command, and what it printed first without an export, then to export what it had trained.

    It trains on games of two sides of a dataset that is given twice.
    """
    command = ["train", str(dataset), str(dataset), "--dataset-weights", "1,10", "--sides", "5,7", "--samples", "64"]
    command += ["--features", "classic8", "--filters", "4", "--blocks", "1", "--heads", "ownership", "--output"]
    printed = ("first.txt", "second.txt")

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            for exports, name in enumerate(printed):
                patch.setattr(train_run, "can_export", lambda exports=exports: bool(exports))
                with redirect_stderr(StringIO()) as written:
                    assert main([*command, str(folder / "model")]) == 0
                (folder / name).write_text(written.getvalue())

    folder = made_once(tmp_path_factory, "commanded", make)
    return folder / "model", [(folder / name).read_text() for name in printed]


def test_there_is_a_weight_for_each_dataset(dataset: Path, commanded: tuple[Path, list[str]], tmp_path: Path) -> None:
    options = TrainingOptions(samples=64, batch_size=32, dataset_weights=(1.0, 10.0))
    with pytest.raises(InputError, match=r"one weight for each of 1 dataset\. Received: 2"):
        train(dataset, TINY, options, tmp_path / "model")
    assert "--dataset-weights 1.0,10.0" in (commanded[0] / "README.md").read_text()


def test_another_configuration_does_not_go_on(dataset: Path, own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["train", str(dataset), "--samples", str(OPTIONS.samples), "--output", str(own)]
    arguments += ["--architecture", "classic5"]
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert message.startswith(f"ownership: error: {own / 'last.npz'}: expected a checkpoint of the same training")
    assert " differences, the first: --architecture residual instead of classic5. Give the same options" in message
    assert "{" not in message


@pytest.mark.parametrize(
    ("saved", "difference"),
    [
        ({"games": "bb"}, "found this difference: the dataset has other games or targets than before."),
        ({"samples": 9, "games": "bb"}, "found 2 differences, the first: --samples 9 instead of 8."),
        ({"feature_set": None}, "found this difference: --features none instead of signed1."),
        ({"stack": {"dense": [9, 4], "layers": [[8, 3]]}}, "found this difference: dense 9,4 instead of 9."),
        ({"stack": {"dense": [9], "layers": []}}, "found this difference: the stack has other layers than before."),
    ],
)
def test_the_first_difference_to_another_training_is_named(
    saved: dict[str, Any], difference: str, tmp_path: Path
) -> None:
    identity = {"feature_set": "signed1", "stack": {"dense": [9], "layers": [[8, 3]]}, "samples": 8, "games": "aa"}
    save_checkpoint(tmp_path / "last.npz", identity | saved, Progress(), [])
    with pytest.raises(CheckpointError) as found:
        load_checkpoint(tmp_path / "last.npz", identity)
    assert difference in str(found.value)


def test_games_are_chosen(
    dataset: Path, commanded: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", str(dataset), "--samples", "8", "--output", str(tmp_path / "out"), "--sides"]
    assert main([*arguments, "9,19"]) == 2
    assert "games of split train that pass --sides 9,19, found none" in capsys.readouterr().err
    assert json.loads((commanded[0] / "model.json").read_text())["trained"]["games"] == {"sides": [5, 7]}
    assert "--sides 5,7" in (commanded[0] / "README.md").read_text()


def test_other_targets_are_another_training(dataset: Path, own: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(dataset, tmp_path / "copy")
    rows = read_rows(Folder(copy), GAMES.file_name(0))
    inverted = [row | {"target": (-np.frombuffer(row["target"], np.int8)).tobytes()} for row in rows]
    write_shard(Folder(copy), 0, inverted)
    with pytest.raises(CheckpointError, match="the dataset has other games or targets than before"):
        train(copy, TRAINED, OPTIONS, own)


def test_an_output_has_one_training_at_a_time(dataset: Path, own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (own / "last.npz").read_bytes()
    with one_writer(own):
        assert main(["train", str(dataset), "--samples", "8", "--output", str(own)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"ownership: error: {own}: another command writes there.")
    assert (own / "last.npz").read_bytes() == before


@pytest.mark.long
@pytest.mark.usefixtures("without_export")
def test_an_interrupted_training_on_several_sides_goes_on_bit_for_bit(
    dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_dataset(tmp_path / "small", side=5)
    recipe = tmp_path / "mine.toml"
    recipe.write_text("[network]\nfeature_set = 'classic8'\nfilters = 4\nblocks = 1\n[training]\nbatch_size = 8\n")
    command = ["train", str(dataset), str(tmp_path / "small"), "--recipe", str(recipe), "--samples", "160", "--output"]
    assert main([*command, str(tmp_path / "whole")]) == 0
    step = Trainer._step

    def interrupted(self: Trainer, *arguments: Any) -> dict[str, float]:
        if self.progress.step == 6:
            signal.raise_signal(signal.SIGINT)
        return step(self, *arguments)

    capsys.readouterr()
    with monkeypatch.context() as patched:
        patched.setattr(Trainer, "_step", interrupted)
        assert main([*command, str(tmp_path / "parts")]) == 130
    assert f"Interrupted: {tmp_path}/parts keeps the last checkpoint" in capsys.readouterr().err
    assert state(tmp_path / "parts")[0].step == 7
    assert main([*command, str(tmp_path / "parts")]) == 0
    (_, arrays), (_, expected) = state(tmp_path / "parts"), state(tmp_path / "whole")
    for array, wanted in zip(arrays, expected, strict=True):
        np.testing.assert_array_equal(array, wanted)
    assert (tmp_path / "parts" / "recipe.toml").read_bytes() == recipe.read_bytes()


def test_what_a_resumed_training_misses_is_found_before_it_goes_on(dataset: Path, own: Path) -> None:
    (own / "best.keras").write_bytes(b"PK")
    with pytest.raises(CheckpointError, match=r"best\.keras: expected the best network so far, found no \.keras file"):
        train(dataset, TRAINED, OPTIONS, own)
    (own / "best.keras").unlink()
    with pytest.raises(CheckpointError, match=r"best\.keras: expected the best network so far, found no \.keras file"):
        train(dataset, TRAINED, OPTIONS, own)
    with np.load(own / "last.npz") as saved:
        state = saved["state"]
    np.savez(own / "last.npz", state=state, array_0000=np.arange(3))
    with pytest.raises(CheckpointError, match=r"last\.npz: expected a checkpoint, found arrays of other shapes"):
        train(dataset, TRAINED, OPTIONS, own)


def test_an_unusable_output_is_found_before_anything_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"file: expected a folder\. Received: a file"):
        train(tmp_path / "missing", TRAINED, SHORT, tmp_path / "file")
    (tmp_path / "model" / "model.json").mkdir(parents=True)
    with pytest.raises(IsADirectoryError) as caught:
        train(tmp_path / "missing", TRAINED, SHORT, tmp_path / "model")
    assert caught.value.filename == str(tmp_path / "model" / "model.json")


def test_a_training_that_cannot_begin_leaves_no_folder(tmp_path: Path) -> None:
    with pytest.raises(DatasetError):
        train(tmp_path / "missing", TRAINED, SHORT, tmp_path / "model")
    assert not (tmp_path / "model").exists()


def test_without_a_terminal_each_validation_prints_a_line(commanded: tuple[Path, list[str]], dataset: Path) -> None:
    output, (first, second) = commanded
    assert "\r" not in first + second
    later, warning, *lines = lines_of(first)
    assert later.startswith(f"{output}: this training will not be exported")
    note = r"ownership: warning: only \d+ games of the validation split: standard errors are large"
    assert re.fullmatch(note, warning)
    described = json.loads((output / "model.json").read_text())
    counts = described["trained"]["counts"]
    games = f"{counts['train']} games to train on, {counts['validation']} to validate on"
    assert lines[0] == f"{games}; {described['parameters']:,} parameters"
    assert lines[1].startswith("64 of 64 samples: loss ")
    assert lines_of(second)[:2] == [warning, f"{lines[0]}; resumes after 64 samples"]
    exported, following = lines_of(second)[2:]
    assert exported.startswith(f"{output}: trained and exported with float16 weights, within ")
    assert following == f"Next: ownership evaluate {output} {dataset} {dataset}"


def lines_of(printed: str) -> list[str]:
    return [line for line in printed.splitlines() if not line.startswith("Compiling kernels")]


@pytest.mark.usefixtures("without_export")
def test_minutes_end_the_training(dataset: Path, tmp_path: Path) -> None:
    options = TrainingOptions(minutes=0.01, batch_size=8, validations=2, validation_positions=8)
    train(dataset, TINY, options, tmp_path)
    history = json.loads((tmp_path / "history.json").read_text())
    assert len(history) in (1, 2)
    assert state(tmp_path)[0].seconds >= 0.6


@pytest.mark.long
def test_games_without_a_target_teach_moves_only(dataset: Path, tmp_path: Path) -> None:
    moves_only = tmp_path / "moves-only"
    shutil.copytree(dataset, moves_only)
    table = read_shard(Folder(moves_only), GAMES.file_name(0)).to_pylist()
    extra = [with_passes(row, 2) | {"target": None, "reason": "not counted"} for row in table]
    write_shard(Folder(moves_only), 1, extra)
    options = TrainingOptions(samples=8, batch_size=8, validations=1, validation_positions=8)
    both = NetworkConfig("classic5", "classic8", filters=4, heads=("ownership", "policy"))
    used = {
        (data, config): games_for(config, data, "train").fingerprint
        for data in (dataset, moves_only)
        for config in (both, replace(both, heads=("ownership",)))
    }
    *same, more = (used[key] for key in sorted(used, key=lambda key: key == (moves_only, both)))
    assert len(set(same)) == 1 and more not in same
    train(moves_only, both, options, tmp_path / "model")
    assert identity(tmp_path / "model")["games"][0] == more
    assert "next move" in (tmp_path / "model" / "README.md").read_text()
    history = json.loads((tmp_path / "model" / "history.json").read_text())
    assert 0 <= history[-1]["validation_policy_accuracy"] <= 1


def test_even_one_step_is_in_the_weights_that_are_kept(dataset: Path, tmp_path: Path) -> None:
    import keras

    games, held_out = (load_games(dataset, split) for split in ("train", "validation"))
    options = TrainingOptions(samples=8, batch_size=8, validations=1, validation_positions=8, ema=0)
    training = Trainer(TINY, options, TrainingGames(games, held_out), tmp_path)
    training.fit()
    kept = keras.saving.load_model(tmp_path / "best.keras")
    for weight, newest in zip(kept.get_weights(), training.model.get_weights(), strict=True):
        np.testing.assert_array_equal(weight, newest)


def test_the_average_follows_the_weights_and_is_steadier() -> None:
    ema = WeightEMA([np.zeros(1)], 0.99)
    random = np.random.default_rng(1)
    noisy = [5 + random.normal(size=1) for _ in range(4000)]
    for step, weight in enumerate(noisy, start=1):
        if ema.due(step):
            ema.update(step, [weight])
    assert ema.weights[0] == pytest.approx(5, abs=0.4)
    newest = WeightEMA([np.zeros(1)], 0.0)
    newest.update(10, [np.full(1, 3.0)])
    assert newest.weights[0] == 3
