"""Batches: positions of a table with their planes and targets, as training and evaluation read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from game_datasets.game_table import GameTable, SoftLabels
from game_datasets.rows import OWNERSHIP_SCALE
from goban import coords
from planes.feature_sets import FeatureSet, channels, write_own_planes
from planes.position_planes import Output, empty_output
from planes.replayed_planes import Boards, Draws, GameArrays, fill_batch


@dataclass(frozen=True, eq=False)
class SoftTargets:
    """A teacher's labels of S positions of one board side, from the perspective of the side to move.

    ownership: float32 (S, N, N) in [-1, 1], +1 surely the side to move's. policy: float32 (S, N * N + 1), probabilities
    of the next moves, the last being the pass; all 0 where the teacher has none. area: float32 (S,), the expected score
    by area without komi, NaN where it is not known. deviation: float32 (S,), its standard deviation in points.
    win_rate: float32 (S,), the probability that the side to move wins with the komi of the position, NaN where it is
    not known.
    """

    ownership: NDArray[np.float32]
    policy: NDArray[np.float32]
    area: NDArray[np.float32]
    deviation: NDArray[np.float32]
    win_rate: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Batch:
    """Positions of one board side with their targets, from the perspective of the side to move.

    Attributes:
        planes: float32 (B, N, N, C).
        chains: int32 (B, N, N), flat indices in the N * N points of one board; None without chain pooling.
        target: int8 (B, N, N), +1 the side to move owns, -1 the other, 0 neutral or without a target.
        stones: int8 (B, N, N), colours.
        to_move: int8 (B,), the colour that moves next in the record, at its end the one that did not move last.
        ko: int16 (B,), the flat index of the point that it may not take back, -1 for none.
        move: int16 (B,), the flat index played next, N * N for a pass, -1 at the end and from the branch on.
        game: int32 (B,), rows of the table; for positions of a teacher, of that with the labels.
        ply: int16 (B,), moves played before the position.
        labelled: bool (B,), whether there is a target.
        komi: float32 (B,), points that White is given.
        resigned: int8 (B,), 1 where the side to move resigns, 0 where it plays on, -1 where neither is known.
        symmetry: int64 (B,), the symmetry of `goban.coords` by which each position is turned, 0..7.
        own: further targets by name, (G, ...), of the G positions of games, which come first.
        soft: a teacher's labels of the last S positions of the batch, which have no target and no move; None where
            no position is from a teacher.
    """

    planes: NDArray[np.float32]
    chains: NDArray[np.int32] | None
    target: NDArray[np.int8]
    stones: NDArray[np.int8]
    to_move: NDArray[np.int8]
    ko: NDArray[np.int16]
    move: NDArray[np.int16]
    game: NDArray[np.int32]
    ply: NDArray[np.int16]
    labelled: NDArray[np.bool_]
    komi: NDArray[np.float32]
    resigned: NDArray[np.int8]
    symmetry: NDArray[np.int64]
    own: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    soft: SoftTargets | None = None


def replay_batch(table: GameTable, draws: Draws, feature_set: FeatureSet, chains: bool) -> Batch:
    """Return the drawn positions, which must all have the board side of the first, turned by their symmetries."""
    batch, side = len(draws.game), int(table.side[draws.game[0]])
    out, boards = replayed(side, table.replayed, draws, feature_set)
    target, move = out.target.reshape(batch, side, side), out.move
    soft = _soft_targets(table.soft, draws, target, boards.to_move) if table.soft else None
    if soft:
        target, move = np.zeros_like(target), np.full_like(move, -1)
    return Batch(
        planes=out.planes.reshape(batch, side, side, len(feature_set.planes)),
        chains=out.chains.reshape(batch, side, side) if chains else None,
        target=target,
        stones=boards.stones.reshape(batch, side, side),
        to_move=boards.to_move,
        ko=boards.ko,
        move=move,
        game=draws.game.astype(np.int32),
        ply=draws.ply.astype(np.int16),
        labelled=table.labelled[draws.game],
        komi=table.komi[draws.game],
        resigned=_resigned(table, draws, move, boards.to_move),
        symmetry=draws.symmetry,
        soft=soft,
    )


def _soft_targets(
    labels: SoftLabels, draws: Draws, ownership: NDArray[np.int8], to_move: NDArray[np.int8]
) -> SoftTargets:
    """Return the turned labels of drawn positions, given the ownership of the side to move, int8 (B, N, N)."""
    places = coords.destinations(ownership.shape[1])
    policies = np.zeros((len(ownership), places.shape[1]), np.float32)
    for policy, row, k in zip(policies, draws.game, draws.symmetry, strict=True):
        here = slice(labels.policy.offset[row], labels.policy.offset[row + 1])
        policy[places[k, labels.policy_moves.values[here]]] = labels.policy.values[here]
    return SoftTargets(
        ownership=(ownership / np.float32(OWNERSHIP_SCALE)).astype(np.float32),
        policy=policies,
        area=labels.area[draws.game] * to_move.astype(np.float32),
        deviation=labels.deviation[draws.game],
        win_rate=0.5 + (labels.win_rate[draws.game] - 0.5) * to_move.astype(np.float32),
    )


def _resigned(table: GameTable, draws: Draws, move: NDArray[np.int16], to_move: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the values of `Batch.resigned`: a player resigns at the end of the record, where it is its turn."""
    moves = table.move_offset[draws.game + 1] - table.move_offset[draws.game]
    resigns = (draws.ply == moves) & (moves > 0) & (table.resigned[draws.game] == to_move)
    found: NDArray[np.int8] = np.where(resigns, 1, np.where(move >= 0, 0, -1)).astype(np.int8)
    return found


def replayed(side: int, games: GameArrays, draws: Draws, feature_set: FeatureSet) -> tuple[Output, Boards]:
    """Return the batch that the kernels make of the drawn positions, which must all have that board side."""
    batch = len(draws.game)
    out = empty_output(batch, side, feature_set)
    boards = Boards(np.empty((batch, side * side), np.int8), np.empty(batch, np.int8), np.empty(batch, np.int16))
    fill_batch(side, games, draws, coords.destinations(side), channels(feature_set), out, boards)
    write_own_planes(feature_set, out.planes, boards.stones.reshape(-1, side, side), boards.to_move, boards.ko)
    return out, boards


def drop_history(batch: Batch, feature_set: FeatureSet, chosen: NDArray[np.bool_] | None = None) -> Batch:
    """Empty the planes of the last moves in the chosen positions of a batch, bool (B,), or in all; return the batch.

    Their stones become older ones, where there is a plane for these; so does the place of one that was captured since.
    """
    rows = slice(None) if chosen is None else chosen
    recent = [number for number, name in enumerate(feature_set.planes) if name.startswith("recent_")]
    if "older" in feature_set.planes:
        older = feature_set.planes.index("older")
        batch.planes[rows, :, :, older] = batch.planes[rows][..., [*recent, older]].max(axis=-1)
    for number in recent:
        batch.planes[rows, :, :, number] = 0
    return batch
