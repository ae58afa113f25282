"""How good a network is on games held out from its training."""

from collections.abc import Iterable, Iterator

import keras
import numpy as np
from keras import ops
from numpy.typing import NDArray

from ownership.evaluation.metrics import accuracy, brier, policy_rank
from ownership.inference.config import NetworkConfig
from ownership.training.losses import network_inputs
from preprocessing.dataset.sampler import Batch, evaluation_positions, table_planes
from preprocessing.dataset.table import GameTable
from preprocessing.features.planes import parse_feature_set

_PLIES_BETWEEN = 10
_BATCH_SIZE = 64


class HeldOut:
    """Positions of games that are held out from training, as a network reads them.

    Args:
        table: the games.
        config: the network.
    """

    def __init__(self, table: GameTable, config: NetworkConfig) -> None:
        self._table, self._config = table, config

    def batches(self, positions: int) -> Iterator[Batch]:
        """Yield batches of so many positions at most, spread evenly over every tenth ply of the games."""
        return self._batches(*evaluation_positions(self._table, _PLIES_BETWEEN), positions)

    def batches_by_side(self, positions: int) -> dict[int, list[Batch]]:
        """Return batches of so many positions at most of each board side, spread as `batches` are."""
        games, plies = evaluation_positions(self._table, _PLIES_BETWEEN)
        side = self._table.side[games]
        return {
            int(each): list(self._batches(games[side == each], plies[side == each], positions))
            for each in np.unique(side)
        }

    def _batches(self, games: NDArray[np.int32], plies: NDArray[np.int16], positions: int) -> Iterator[Batch]:
        chosen = np.unique(np.linspace(0, len(games) - 1, positions).astype(int))
        feature_set, chains = parse_feature_set(self._config.feature_set), self._config.reads_chains
        return table_planes(
            self._table, games[chosen], plies[chosen], feature_set, chains=chains, batch_size=_BATCH_SIZE
        )


def validate(model: keras.Model, batches: Iterable[Batch]) -> dict[str, float]:
    """Return the metrics of the heads of a network.

    Args:
        model: a network.
        batches: of games, labelled ones where the network has an ownership; averages are over positions, for the
            policy over those where a stone is played next.

    Returns:
        with an ownership, `validation_accuracy` and `validation_brier` over decided points; with a policy,
        `validation_policy_accuracy`, the share of moves that it puts first; with resignations,
        `validation_resign_brier`, their Brier score, left out beside another figure if no position is resigned.
    """
    right, squared, first, resigned, resignations = [], [], [], [], 0
    for batch in batches:
        answers = {
            name: ops.convert_to_numpy(each) for name, each in model.predict_on_batch(network_inputs(batch)).items()
        }
        if "ownership" in answers:
            right.append(accuracy(answers["ownership"], batch.target))
            squared.append(brier(answers["ownership"], batch.target))
        if "policy" in answers:
            stones = (batch.move >= 0) & (batch.move < batch.target[0].size)
            first.append(policy_rank(answers["policy"], batch.move)[stones] == 1)
        if "resign" in answers:
            known = batch.resigned >= 0
            resigned.append(np.square(answers["resign"][known, 0] - batch.resigned[known]))
            resignations += int((batch.resigned == 1).sum())
    if not resignations and (right or first):
        resigned = []
    means = {"accuracy": right, "brier": squared, "policy_accuracy": first, "resign_brier": resigned}
    return {f"validation_{name}": float(np.concatenate(each).mean()) for name, each in means.items() if each}
