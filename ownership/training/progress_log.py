"""What a training shows while it runs: progress on stderr, and TensorBoard logs."""

import sys
import time
from pathlib import Path
from typing import Any, Self

from ownership.training.checkpoints import Progress
from ownership.training.training_options import TrainingOptions

_SCALARS_EVERY = 20
_SHOWN = {
    "loss": "loss {:.4f}",
    "accuracy": "accuracy {:.1%}",
    "brier": "Brier {:.4f}",
    "policy_accuracy": "moves {:.1%}",
}
VALIDATED = {
    "validation_accuracy": "accuracy {:.2%}",
    "validation_brier": "Brier {:.4f}",
    "validation_teacher_brier": "of the teacher's labels {:.4f}",
    "validation_policy_accuracy": "moves {:.1%}",
    "validation_resign_brier": "resignation Brier {:.4f}",
}
_LINE_SECONDS = 30.0


class Log:
    """Progress on stderr and TensorBoard event files; a context manager. It keeps no history: `Progress` does.

    On a terminal a bar shows progress at every step; elsewhere, as in a log file, each validation prints a line, and so
    does every half minute.

    Args:
        directory: for the event files.
        options: of the training, for its budget.
        progress: where it starts.
    """

    def __init__(self, directory: Path, options: TrainingOptions, progress: Progress) -> None:
        from tensorboard.summary.writer.event_file_writer import EventFileWriter

        self._options = options
        self._writer = EventFileWriter(str(directory))
        self._first: tuple[int, float] | None = None
        self._line, self._written = "", time.monotonic()
        self._bar = self._new_bar(progress) if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.close()
        self._writer.close()

    def step(self, progress: Progress, values: dict[str, float]) -> None:
        """Show samples, speed and time left, and loss, accuracy and Brier score since the last validation."""
        speed = self._speed(progress)
        shown = (text.format(values[name]) for name, text in _SHOWN.items() if name in values)
        self._line = f"{self._course(progress, speed)}: {', '.join(shown)}"
        if self._bar:
            self._bar.set_postfix_str(f"{self._line}{_validated(progress)}", refresh=False)
            self._bar.update(min(self._done(progress), self._bar.total) - self._bar.n)
        elif time.monotonic() - self._written >= _LINE_SECONDS:
            self._write(progress)
        if progress.step % _SCALARS_EVERY == 0:
            self._scalars(progress.step, {**values, "samples_per_second": speed})

    def validation(self, progress: Progress) -> None:
        """Log the newest record of the history."""
        latest = progress.history[-1]
        self._scalars(progress.step, {name: latest[name] for name in latest if name.startswith("validation_")})
        self._writer.flush()
        if not self._bar:
            self._write(progress)

    def _write(self, progress: Progress) -> None:
        self._written = time.monotonic()
        print(f"{self._line}{_validated(progress)}", file=sys.stderr, flush=True)

    def _speed(self, progress: Progress) -> float:
        """Return the samples a second of this run from the end of its first step, which compiles; 0 at that step."""
        self._first = self._first or (progress.step, progress.seconds)
        step, seconds = self._first
        return (progress.step - step) * self._options.batch_size / max(progress.seconds - seconds, 1e-6)

    def _course(self, progress: Progress, speed: float) -> str:
        """Return samples, speed and time left, such as "640 of 9,600 samples, 32 samples/s, 5 min left"."""
        done, samples, minutes = progress.step * self._options.batch_size, self._options.samples, self._options.minutes
        parts = [f"{done:,} samples" if samples is None else f"{min(done, samples):,} of {samples:,} samples"]
        parts += [f"{speed:,.0f} samples/s"] if speed else []
        if minutes is not None:
            parts.append(f"{_spelled(60 * minutes - progress.seconds)} left")
        elif samples is not None and speed:
            parts.append(f"{_spelled((samples - done) / speed)} left")
        return ", ".join(parts)

    def _new_bar(self, progress: Progress) -> Any:
        from tqdm import tqdm

        samples = self._options.samples is not None
        return tqdm(
            total=self._options.samples if samples else round(60 * (self._options.minutes or 0)),
            initial=self._done(progress),
            unit=" samples" if samples else " s",
            bar_format="{percentage:3.0f}%|{bar}| {elapsed}{postfix}",
            dynamic_ncols=True,
        )

    def _done(self, progress: Progress) -> int:
        if self._options.samples is not None:
            return progress.step * self._options.batch_size
        return int(progress.seconds)

    def _scalars(self, step: int, values: dict[str, float]) -> None:
        from tensorboard.compat.proto.event_pb2 import Event
        from tensorboard.compat.proto.summary_pb2 import Summary

        figures = [Summary.Value(tag=name, simple_value=value) for name, value in values.items()]
        self._writer.add_event(Event(wall_time=time.time(), step=step, summary=Summary(value=figures)))


def _spelled(seconds: float) -> str:
    """Return a time as users read it, such as "40 s", "5 min" or "4 h 37 min"; "0 s" below 0."""
    if seconds < 60:
        return f"{max(0.0, seconds):.0f} s"
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _validated(progress: Progress) -> str:
    """Return the results of the last validation as the end of a line, "" before the first."""
    if not progress.history:
        return ""
    latest = progress.history[-1]
    figures = [text.format(latest[name]) for name, text in VALIDATED.items() if name in latest]
    return f"; validation: {', '.join(figures)}"
