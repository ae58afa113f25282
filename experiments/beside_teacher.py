"""python -m experiments.beside_teacher SOFT MODEL... [--positions 1000] [--close 15] [--symmetries 1]

How far models are from a teacher on the positions of a soft dataset, by board side: ownership, policy, lead and the
chance to win. This is behind docs/measured.md, "Models of today". The dataset should be of games that no model has
learned from.

Positions are drawn at random. The lead of a model without such a head is the sum of its ownership and the komi; its
chance to win is that of a normal distribution with its deviation.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import exit_with, parser_of
from game_datasets.columns import SOFT
from game_datasets.rows import OWNERSHIP_SCALE, Row, record_of
from game_datasets.shards import dataset_files, read_shard
from goban.counting.expected_score import expected_score, score_deviation, win_probability
from goban.errors import InputError
from goban.position import Position
from goban.rulesets import RULESETS, Terms
from ownership.inference.evaluator import Evaluator
from ownership.inference.prediction import Prediction

_BATCH: Final = 256
_LEAST: Final = 1e-6


class Distances(NamedTuple):
    """A model's distances from the teacher at a position; `first`: whether both have the same likeliest move."""

    ownership: float
    policy: float
    first: float
    lead: float
    wins: float


def main() -> int:
    """Print a table for each board side."""
    parser = parser_of("experiments.beside_teacher", __doc__)
    parser.add_argument("soft")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    parser.add_argument("--positions", type=int, default=1000, metavar="N", help="of each side (default: %(default)s)")
    parser.add_argument("--close", type=float, default=15, metavar="POINTS", help="largest lead (default: %(default)s)")
    parser.add_argument("--symmetries", type=int, default=1, help="of the models: 1, 4 or 8 (default: %(default)s)")
    arguments = parser.parse_args()
    rows = [
        row
        for folder, name in dataset_files(arguments.soft, SOFT)
        for row in read_shard(folder, name, schema=SOFT).to_pylist()
    ]
    rows = [row for row in rows if row["policy"] and row["lead"] is not None and row["win_rate"] is not None]
    if not rows:
        raise InputError(f"{arguments.soft}: expected labels with policy, lead and chance to win. Received: none")
    for side in sorted({row["side"] for row in rows}):
        drawn = np.random.default_rng(0).permutation([row for row in rows if row["side"] == side])
        chosen = drawn[: arguments.positions].tolist()
        near = np.array([abs(row["lead"]) < arguments.close for row in chosen])
        print(f"\n{side}x{side}, {len(chosen)} positions, {near.sum()} within {arguments.close:g} points")
        print("| model | ownership | policy | first move | lead | lead, close | wins |\n|---|---|---|---|---|---|---|")
        for model in arguments.models:
            distances = _distances(Evaluator.load(model), chosen, arguments.symmetries)
            owners, policy, first, lead, wins = np.array(distances).T
            leads = f"{lead.mean():.2f} | {lead[near].mean():.2f}"
            moves = f"{policy.mean():.3f} | {first.mean():.1%}"
            print(f"| {model} | {owners.mean():.4f} | {moves} | {leads} | {wins.mean():.3f} |", flush=True)
    return 0


def _distances(evaluator: Evaluator, rows: Sequence[Row], symmetries: int) -> list[Distances]:
    found = []
    for start in range(0, len(rows), _BATCH):
        part = rows[start : start + _BATCH]
        positions, terms = [_position(row) for row in part], [Terms(RULESETS["chinese"], row["komi"]) for row in part]
        predictions = evaluator.evaluate(positions, symmetries, terms)
        found += [_distance(*each) for each in zip(part, positions, predictions, strict=True)]
    return found


def _distance(row: Row, position: Position, prediction: Prediction) -> Distances:
    side, policy = position.side, prediction.policy
    assert policy is not None
    owners = np.frombuffer(row["ownership"], np.int8).reshape(side, side) / OWNERSHIP_SCALE
    moves, chances = np.array(row["policy_moves"]), np.array(row["policy"]) / sum(row["policy"])
    lead = prediction.lead
    if lead is None:
        lead = expected_score(position, prediction.owners, RULESETS["chinese"], row["komi"])
    wins = prediction.win_rate
    if wins is None:
        wins = win_probability(lead, prediction.deviation or score_deviation(prediction.owners))
    return Distances(
        float(np.square((prediction.owners - owners) / 2).mean()),
        _cross_entropy(chances, policy[moves]),
        float(moves[chances.argmax()] == policy.argmax()),
        abs(lead - row["lead"]),
        _cross_entropy(np.array([row["win_rate"], 1 - row["win_rate"]]), np.array([wins, 1 - wins])),
    )


def _position(row: Row) -> Position:
    """Return the position that a row labels."""
    position = record_of(row | {"handicap": 0, "result": ""}).position()
    return position if position.to_move == row["to_move"] else Position.from_stones(position.stones, row["to_move"])


def _cross_entropy(wanted: NDArray[Any], predicted: NDArray[Any]) -> float:
    return -sum(float(w) * math.log(max(float(p), _LEAST)) for w, p in zip(wanted, predicted, strict=True))


if __name__ == "__main__":
    exit_with(main)
