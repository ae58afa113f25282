"""What a training shows while it runs."""

from io import StringIO
from pathlib import Path

import pytest

from ownership.training import progress_log
from ownership.training.checkpoints import Progress
from ownership.training.progress_log import Log
from ownership.training.training_options import TrainingOptions

pytest.importorskip("tensorboard", reason="training needs the train extra")


@pytest.mark.parametrize(
    ("options", "seconds", "shown"),
    [
        (TrainingOptions(samples=32_000, batch_size=64), 10, "1,280 of 32,000 samples, 64 samples/s, 8 min left"),
        (TrainingOptions(samples=10_000_000, batch_size=64), 1, "1,280 of 10,000,000 samples, 640 samples/s, 4 h 20 "),
        (TrainingOptions(samples=1300, batch_size=64), 10, "1,280 of 1,300 samples, 64 samples/s, 0 s left"),
        (TrainingOptions(minutes=1, batch_size=64), 10, "1,280 samples, 64 samples/s, 40 s left"),
    ],
)
def test_a_line_has_samples_speed_and_the_time_left(
    options: TrainingOptions,
    seconds: int,
    shown: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Ten steps before, in an earlier run or while compiling, do not count for the speed."""
    monkeypatch.setattr(progress_log, "_LINE_SECONDS", 0.0)
    with Log(tmp_path, options, Progress(step=9, seconds=10.0)) as shows:
        shows.step(Progress(step=10, seconds=10.0), {"loss": 0.5})
        shows.step(Progress(step=20, seconds=10.0 + seconds), {"loss": 0.25})
    first, second = capsys.readouterr().err.splitlines()
    assert "samples/s" not in first
    assert second.startswith(shown)
    assert second.endswith(": loss 0.2500")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    "options", [TrainingOptions(samples=2560, batch_size=64), TrainingOptions(minutes=1, batch_size=64)]
)
def test_on_a_terminal_a_bar_shows_how_much_of_the_budget_is_done(
    options: TrainingOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with Log(tmp_path, options, Progress(step=10, seconds=15.0)) as shows:
        assert " 25%|" in terminal.getvalue()
        shows.step(Progress(step=20, seconds=30.0), {"loss": 0.5})
    assert " 50%|" in terminal.getvalue() and "loss 0.5000" in terminal.getvalue()


def test_figures_are_scalars_of_tensorboard(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    with Log(tmp_path, TrainingOptions(samples=32_000), Progress()) as shows:
        shows.step(Progress(step=20, seconds=1.0), {"loss": 0.25})
        shows.validation(Progress(step=20, history=[{"samples": 1280, "validation_brier": 0.125}]))
    read = EventAccumulator(str(tmp_path)).Reload()
    assert [(each.step, each.value) for each in read.Scalars("loss")] == [(20, 0.25)]
    assert [(each.step, each.value) for each in read.Scalars("validation_brier")] == [(20, 0.125)]
