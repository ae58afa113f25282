"""How good a network is on games held out from its training."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from game_datasets.batches import Batch
from game_datasets.evaluation_positions import evaluation_positions, table_planes
from game_datasets.game_table import GameTable
from ownership.evaluation.metrics import brier, point_accuracy, policy_rank
from ownership.inference.network_config import NetworkConfig
from ownership.training.training_targets import network_inputs
from planes.feature_sets import parse_feature_set

_BATCH_SIZE = 64
_FIGURES: Final = ("accuracy", "brier", "teacher_brier", "policy_accuracy", "resign_brier")
_BETTER: Final = 0.98  # of the Brier score of a constant answer


class HeldOut:
    """Positions of games that are held out from training, as a network reads them.

    Args:
        table: the games.
        config: the network.
        soft: positions that a teacher labelled, some of which are held out; None for none.

    Attributes:
        table: the games.
        config: the network.
    """

    def __init__(self, table: GameTable, config: NetworkConfig, soft: GameTable | None = None) -> None:
        self.table, self.config, self._soft = table, config, soft

    def batches(self, positions: int) -> Iterator[Batch]:
        """Yield batches with at most `positions` of the `evaluation_positions`, spread evenly."""
        return self._planes(self.table, *evaluation_positions(self.table, most=positions))

    def taught_batches(self, positions: int) -> Iterator[Batch]:
        """Yield batches with at most `positions` of the held-out positions of a teacher, spread evenly."""
        if self._soft is None:
            return
        rows = np.flatnonzero(self._soft.held_out)
        rows = rows[np.unique(np.linspace(0, len(rows) - 1, min(positions, len(rows))).astype(int))]
        rows = rows[np.argsort(self._soft.side[rows], kind="stable")]
        yield from self._planes(self._soft, rows, self._soft.last[rows])

    def _planes(self, table: GameTable, games: NDArray[Any], plies: NDArray[Any]) -> Iterator[Batch]:
        feature_set, chains = parse_feature_set(self.config.feature_set), self.config.reads_chains
        return table_planes(table, games, plies, feature_set, chains=chains, batch_size=_BATCH_SIZE)


def constant_figures(batches: Iterable[Batch]) -> dict[str, float]:
    """Return figures as `validate` does, for the best answers that do not depend on the position.

    They are one probability for all points, and one next move for all boards of a side.
    """
    games = [batch for batch in batches if batch.soft is None]
    owners, counts = np.concatenate([batch.target[batch.target != 0] for batch in games]), _move_counts(games)
    share = float((owners > 0).mean()) if len(owners) else 0.0
    moves, most = (sum(function(each) for each in counts.values()) for function in (np.sum, np.max))
    figures = {"validation_brier": share * (1 - share)} if len(owners) else {}
    return figures | ({"validation_policy_accuracy": float(most / moves)} if moves else {})


def _move_counts(batches: Iterable[Batch]) -> dict[int, NDArray[np.int64]]:
    """Return how often a stone is played next on each point, by board side, int64 (side * side,)."""
    counts: dict[int, NDArray[np.int64]] = {}
    for batch in batches:
        points = batch.target[0].size
        played = batch.move[(batch.move >= 0) & (batch.move < points)]
        counts[points] = counts.get(points, np.zeros(points, np.int64)) + np.bincount(played, minlength=points)
    return counts


def note_on_guessing(record: Mapping[str, float], constant: Mapping[str, float]) -> str:
    """Return a line for a network that is no better than a constant answer, else "".

    Args:
        record: its figures, as from `validate`.
        constant: as from `constant_figures`.
    """
    if "validation_brier" in record:
        found, guess = record["validation_brier"], constant.get("validation_brier", 1.0)
        is_better = found < _BETTER * guess
        figures = f"its Brier score is {found:.4f}, that of one probability for all points {guess:.4f}"
    else:
        found, guess = record.get("validation_policy_accuracy", 1.0), constant.get("validation_policy_accuracy", 0.0)
        is_better = found > guess
        figures = f"it finds {found:.1%} of the moves, always the same move is {guess:.1%} of them"
    advice = "Train longer, on more games, or with another --learning-rate"
    return "" if is_better else f"no better than guessing: on the validation games {figures}. {advice}"


def validate(model: keras.Model, batches: Iterable[Batch]) -> dict[str, float]:
    """Return the metrics of the heads of a network.

    Args:
        model: a network.
        batches: of games, labelled ones where the network has an ownership; averages are over positions, for the
            policy over those where a stone is played next.

    Positions that a teacher labelled are in batches of their own.

    Returns:
        with an ownership, `validation_accuracy` and `validation_brier` over decided points; with a policy,
        `validation_policy_accuracy`, the share of moves that it puts first; with resignations,
        `validation_resign_brier`, their Brier score, left out if no position is resigned and there is another figure;
        with a teacher's positions and an ownership, `validation_teacher_brier`, the mean square of the differences.
    """
    measured = [_measured(model, batch) for batch in batches]
    figures = {
        name: np.concatenate(parts)
        for name in _FIGURES
        if (parts := [values[name] for values in measured if name in values])
    }
    someone_resigned = any(values["resigned"].any() for values in measured if "resigned" in values)
    if not someone_resigned and {"accuracy", "policy_accuracy"} & figures.keys():
        figures.pop("resign_brier", None)
    return {f"validation_{name}": float(values.mean()) for name, values in figures.items()}


def _measured(model: keras.Model, batch: Batch) -> dict[str, NDArray[Any]]:
    """Return the figures of a batch as `_FIGURES` names them, and in `resigned` who resigns in the record."""
    outputs = model.predict_on_batch(network_inputs(batch))
    answers = {head: ops.convert_to_numpy(values) for head, values in outputs.items()}
    measured: dict[str, NDArray[Any]] = {}
    if batch.soft is not None:
        if "ownership" in answers:
            probabilities = (1 + batch.soft.ownership) / 2
            measured["teacher_brier"] = np.square(answers["ownership"] - probabilities).mean(axis=(1, 2))
        return measured
    if "ownership" in answers:
        measured["accuracy"] = point_accuracy(answers["ownership"], batch.target)
        measured["brier"] = brier(answers["ownership"], batch.target)
    if "policy" in answers:
        stones = (batch.move >= 0) & (batch.move < batch.target[0].size)
        measured["policy_accuracy"] = policy_rank(answers["policy"], batch.move)[stones] == 1
    if "resign" in answers:
        known = batch.resigned >= 0
        measured["resign_brier"] = np.square(answers["resign"][known, 0] - batch.resigned[known])
        measured["resigned"] = batch.resigned == 1
    return measured
