"""What a training shows while it runs: a progress bar, and TensorBoard logs."""

from pathlib import Path
from types import TracebackType
from typing import Self

from tqdm import tqdm

from ownership.training.checkpoints import Progress
from ownership.training.options import TrainingOptions

_SCALARS_EVERY = 20


class Log:
    """A progress bar on stderr and TensorBoard event files; a context manager.

    Args:
        directory: for the event files.
        options: of the training, for its budget.
        progress: where it starts.

    It keeps no history: `Progress` does.
    """

    def __init__(self, directory: Path, options: TrainingOptions, progress: Progress) -> None:
        from tensorboard.summary import Writer

        self._options = options
        self._writer = Writer(str(directory))
        samples = options.samples is not None
        self._bar = tqdm(
            total=options.samples if samples else round(60 * (options.minutes or 0)),
            initial=self._done(progress),
            unit=" samples" if samples else " s",
            bar_format="{percentage:3.0f}%|{bar}| {elapsed}<{remaining}{postfix}",
            dynamic_ncols=True,
        )
        self._first = (progress.step, progress.seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()
        self._writer.close()

    def step(self, progress: Progress, values: dict[str, float]) -> None:
        """Shows loss, accuracy and Brier score since the last validation, and samples a second of this run."""
        speed = (progress.step - self._first[0]) * self._options.batch_size / (progress.seconds - self._first[1])
        self._bar.set_postfix_str(
            f"loss {values['loss']:.4f}, accuracy {values['accuracy']:.1%}, Brier {values['brier']:.4f}, "
            f"{_policy(values)}{speed:.0f} samples/s{self._validated(progress)}",
            refresh=False,
        )
        self._bar.update(min(self._done(progress), self._bar.total) - self._bar.n)
        if progress.step % _SCALARS_EVERY == 0:
            self._scalars(progress.step, {**values, "samples_per_second": speed})

    def validation(self, progress: Progress) -> None:
        """Logs the newest record of the history."""
        latest = progress.history[-1]
        self._scalars(progress.step, {name: latest[name] for name in latest if name.startswith("validation_")})
        self._writer.flush()

    def _done(self, progress: Progress) -> int:
        if self._options.samples is not None:
            return progress.step * self._options.batch_size
        return int(progress.seconds)

    def _validated(self, progress: Progress) -> str:
        if not progress.history:
            return ""
        latest = progress.history[-1]
        policy = f" {latest['validation_policy_accuracy']:.1%}" if "validation_policy_accuracy" in latest else ""
        return f", validation {latest['validation_accuracy']:.1%} {latest['validation_brier']:.4f}{policy}"

    def _scalars(self, step: int, values: dict[str, float]) -> None:
        for name, value in values.items():
            self._writer.add_scalar(name, value, step)


def _policy(values: dict[str, float]) -> str:
    return f"moves {values['policy_accuracy']:.1%}, " if "policy_accuracy" in values else ""
