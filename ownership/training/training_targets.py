"""What a batch holds for a network: its inputs, what each head should answer, and where that is known."""

import numpy as np
from numpy.typing import NDArray

from game_datasets.batches import Batch
from ownership.inference.litert_network import NamedArrays
from ownership.inference.network_config import NetworkConfig
from ownership.training.training_options import TrainingOptions

_SOFT_TEMPERATURE = 4


def network_inputs(batch: Batch) -> NamedArrays:
    """Return the inputs of a network for a batch, by name."""
    return {"planes": batch.planes} if batch.chains is None else {"planes": batch.planes, "chains": batch.chains}


def owned(target: NDArray[np.int8], options: TrainingOptions, step: int) -> NDArray[np.float32]:
    """Return whether the side to move owns each point: 1 or 0, for neutral points 1/2 or, with `random`, a coin flip.

    Args:
        target: int8 (B, N, N) of +1, -1 and, for neutral points, 0.
        options: how the network is trained.
        step: number of the batch: the same step flips the same coins.
    """
    signs = target.astype(np.float32)
    if options.dame == "random":
        coins = np.random.default_rng([options.seed, step]).choice(np.array([-1, 1], np.float32), signs.shape)
        np.copyto(signs, coins, where=signs == 0)
    signs += 1
    signs /= 2
    return signs


def wanted_ownership(batch: Batch, options: TrainingOptions, step: int) -> NDArray[np.float32]:
    """Return the probability that the side to move owns each point, float32 (B, N, N): `owned`, or the teacher's."""
    wanted = owned(batch.target, options, step)
    if batch.soft is not None:
        wanted[_taught(batch)] = (1 + batch.soft.ownership) / 2
    return wanted


def wanted_policy(batch: Batch) -> NDArray[np.float32]:
    """Return the probability of each next move, float32 (B, N*N + 1): of the record's 1, or the teacher's; else 0."""
    wanted = np.zeros((len(batch.move), batch.target[0].size + 1), np.float32)
    played = np.flatnonzero(batch.move >= 0)
    wanted[played, batch.move[played]] = 1
    if batch.soft is not None:
        wanted[_taught(batch)] = batch.soft.policy
    return wanted


def wanted_soft_policy(batch: Batch) -> NDArray[np.float32]:
    """Return the teacher's policy at a temperature of 4, float32 (B, N*N + 1), as KataGo trains its soft policy.

    Source: KataGo, docs/KataGoMethods.md, "Auxiliary Soft Policy Target". Moves that the teacher's label leaves out
    keep a probability of 0, and so do all moves of records.
    """
    wanted = np.zeros((len(batch.move), batch.target[0].size + 1), np.float32)
    if batch.soft is not None:
        softened = batch.soft.policy ** (1 / _SOFT_TEMPERATURE)
        wanted[_taught(batch)] = softened / np.maximum(softened.sum(axis=1, keepdims=True), 1)
    return wanted


def wanted_score(batch: Batch) -> NDArray[np.float32]:
    """Return mean and standard deviation of the final score, float32 (B, 2): a record's is certain, 0 if unknown."""
    wanted = np.zeros((len(batch.move), 2), np.float32)
    wanted[:, 0] = batch.target.sum(axis=(1, 2))
    if batch.soft is not None:
        wanted[_taught(batch)] = np.nan_to_num(np.stack([batch.soft.area, batch.soft.deviation], axis=1))
    return wanted


def wanted_margin(batch: Batch) -> NDArray[np.float32]:
    """Return the margin by area, the komi against the side to move and its probability of winning, float32 (B, 3).

    Area and komi are in points. The result of a record is certain, a draw half a win; 0 where nothing is known.
    """
    area = wanted_score(batch)[:, 0]
    against = batch.komi * batch.to_move
    wins = 0.5 + 0.5 * np.sign(area - against)
    if batch.soft is not None:
        wins[_taught(batch)] = np.nan_to_num(batch.soft.win_rate)
    return np.stack([area, against, wins], axis=1).astype(np.float32)


def known_owners(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the owners are known, from the record or from the teacher, bool (B,)."""
    known = batch.labelled.copy()
    known[_taught(batch)] = True
    return known


def known_policy(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the next move, or the teacher's policy, is known, bool (B,)."""
    known: NDArray[np.bool_] = batch.move >= 0
    if batch.soft is not None:
        known[_taught(batch)] = batch.soft.policy.any(axis=1)
    return known


def known_soft_policy(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the teacher's policy is known, bool (B,)."""
    known = np.zeros(len(batch.move), np.bool_)
    known[_taught(batch)] = known_policy(batch)[_taught(batch)]
    return known


def known_moves(batch: Batch, config: NetworkConfig) -> NDArray[np.bool_]:
    """Return in which positions the policy is known and within the outputs of the network, which may lack the pass."""
    known = known_policy(batch)
    if not config.passes:
        known &= batch.move < batch.target[0].size
    return known


def known_score(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the final score, or the teacher's distribution of it, is known, bool (B,)."""
    known = batch.labelled.copy()
    if batch.soft is not None:
        known[_taught(batch)] = ~np.isnan(batch.soft.area)
    return known


def known_margin(batch: Batch) -> NDArray[np.bool_]:
    """Return in which positions the final score and the result, or the teacher's, are known, bool (B,)."""
    known = known_score(batch)
    if batch.soft is not None:
        known[_taught(batch)] &= ~np.isnan(batch.soft.win_rate)
    return known


def _taught(batch: Batch) -> slice:
    """Return where the teacher's positions are in a batch: at its end."""
    count = 0 if batch.soft is None else len(batch.soft.ownership)
    return slice(len(batch.move) - count, None)
